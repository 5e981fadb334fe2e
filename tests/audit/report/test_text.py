"""The terminal's answer: its words, its size, and what it must never claim."""

from __future__ import annotations

import dataclasses
import html
import math
import re
import shlex
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from audit.betting.events import Event
from audit.claims import ApproxDP, PureDP
from audit.frontends.cli.invocation import in_one_line
from audit.relation import AnyRelation, Measure, Relation, Within
from audit.report.answer import answer_of
from audit.report.causes import CAUSES, channel
from audit.report.document import Detail, Fact
from audit.report.loss import Interface, level
from audit.report.sections import document_of
from audit.report.sentences import difference, samples
from audit.report.text import LINES, WIDTH, render_answer, render_text, reproduction
from audit.verdict.findings import Diagnosis, Search, Suggestive, TimeLimit, Units, WorstPair
from audit.verdict.result import Verdict

from .known_truth import BY_LIVES, MECHANISMS, audited
from .sample_results import (
    all_samples,
    exception_violation,
    explained,
    inconclusive,
    leak,
    not_refuted,
    violation,
)
from .test_escape import HOSTILE

SAMPLES = sorted(all_samples())
_WORDS = {"violation": "FAIL", "not-refuted": "NOT REFUTED", "inconclusive": "INCONCLUSIVE"}
_PRIVATE = re.compile(
    r"gambler|money|\bcopies\b|\btold\b|\bkept\b|\bbeside\b|in turn\b|\bwon\b|glance|become rich|"
    r"\bwhat \w+ (?:won|shows)\b"
)


def _plain(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("name", SAMPLES)
def test_the_whole_answer(name: str, snapshot: SnapshotAssertion) -> None:
    assert render_text(all_samples()[name]) == snapshot


@pytest.mark.parametrize("name", SAMPLES)
def test_the_whole_report(name: str, snapshot: SnapshotAssertion) -> None:
    assert render_text(all_samples()[name], detail="verbose") == snapshot


@pytest.mark.parametrize("name", SAMPLES)
def test_the_answer_has_twenty_lines_of_eighty_columns(name: str) -> None:
    lines = render_text(all_samples()[name]).splitlines()
    assert len(lines) <= LINES == 20
    assert max(map(len, lines)) <= WIDTH == 80


@pytest.mark.parametrize("name", SAMPLES)
def test_the_whole_report_has_eighty_columns_too(name: str) -> None:
    result = all_samples()[name]
    lines = render_text(result, detail="verbose").splitlines()
    assert max(map(len, lines)) <= WIDTH
    short = render_text(dataclasses.replace(result, notes=()))
    assert "\n".join(lines).startswith(short.rstrip())


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("detail", ["quiet", "normal", "verbose"])
def test_the_first_words_are_the_verdict_and_the_mechanism(name: str, detail: Detail) -> None:
    result = all_samples()[name]
    first = _plain(render_text(result, detail=detail))
    assert first.startswith(f"{_WORDS[result.verdict]} {result.mechanism}")


@pytest.mark.parametrize("name", SAMPLES)
def test_one_line_has_the_numbers(name: str) -> None:
    result = all_samples()[name]
    shown = render_text(result, detail="quiet")
    assert shown.count("\n") == 1
    if result.verdict is Verdict.VIOLATION:
        claim = result.claim
        assert level(claim, result.levels[claim.bound], True) in shown
        assert f"claimed {claim.stated(claim.level):g}: " in shown


@pytest.mark.parametrize("name", SAMPLES)
def test_nothing_is_called_private_safe_or_verified(name: str) -> None:
    result = all_samples()[name]
    shown = f"{render_text(result, detail='verbose')} {result.to_markdown()}".lower()
    assert not re.search(r"is private|\bsafe\b|verified|satisfied|guaranteed|\bpass", shown)


@pytest.mark.parametrize("name", SAMPLES)
def test_words_are_those_of_the_field(name: str) -> None:
    result = all_samples()[name]
    for shown in (render_text(result, detail="verbose"), result.to_markdown(), result.to_html()):
        found = _PRIVATE.search(shown)
        assert found is None, found


def test_the_measurement_follows_the_verdict() -> None:
    lines = render_text(violation()).splitlines()
    assert lines[0] == "FAIL  noisy-average is not ε = 0.5 differentially private"
    assert lines[1] == "      measured: ε ≥ 2.71 (99.9% confidence) over the pairs tried"
    lines = render_text(exception_violation()).splitlines()
    assert lines[1].strip().startswith("measured: ε ≥ ∞ at δ = 1e-05 (99.9% confidence)")


def test_not_refuted_says_what_would_have_been_detected() -> None:
    shown = _plain(render_text(not_refuted()))
    assert "not a proof: 90% power to detect ε ≥ 1.05 on the tested events (≥ 1.12 if" in shown
    assert "lower bound: ε ≥ 0.962 (99.9% confidence)" in shown
    assert "3 pairs built from D" in shown
    nothing = dataclasses.replace(not_refuted(), levels={"epsilon_lower": 0.0})
    assert "lower bound: none" in render_text(nothing)


@pytest.mark.parametrize(
    ("relation", "said"),
    [
        (Relation.ADD_REMOVE, "differ by one record added or removed"),
        (Relation.SUBSTITUTE, "differ in the value of one record"),
        (Relation.USER, "differ in all records of one user"),
        (Within(Measure.LINF, 2.0), "are vectors at an L∞ distance of at most 2"),
    ],
)
def test_not_refuted_says_of_which_neighbors(relation: AnyRelation, said: str) -> None:
    lines = render_text(dataclasses.replace(not_refuted(), relation=relation)).splitlines()
    assert lines[1] == f"             neighboring datasets {said}"


def test_inconclusive_says_the_cause_first_and_what_to_do() -> None:
    shown = render_text(inconclusive())
    assert shown.index("10,000 runs cannot refute ε = 10") < shown.index("What to do")
    assert "What to do: give --max-samples 1210000" in shown
    called = dataclasses.replace(inconclusive(), command="")
    assert "What to do: give max_samples=1210000" in render_text(called)
    tested = render_answer(answer_of(inconclusive(), Interface.PYTEST))
    assert "max_samples=1210000, or --audit-max-samples 1210000" in tested


def test_inconclusive_without_usable_output_gives_the_reason() -> None:
    why = "every run timed out after 10 seconds"
    result = dataclasses.replace(inconclusive(), wanted=0, reason=why, notes=(why,))
    shown = render_text(result)
    assert shown.splitlines()[1].strip() == why
    assert shown.count(why) == 1
    assert "more runs alone do not help" in _plain(shown)


def test_evidence_from_dependent_runs_does_not_count() -> None:
    result = dataclasses.replace(inconclusive(), log_evalue=50.0, reason="its runs share noise")
    shown = _plain(render_text(result, detail="verbose"))
    assert "e-value 1e21, which does not count: its runs share noise" in shown
    assert "p <" not in shown
    assert "none counts" in shown


def test_bounds_of_other_kinds_name_their_delta() -> None:
    shown = _plain(render_text(leak(), detail="verbose"))
    assert "ρ ≥ 0.41 and ε ≥ 1.31 at δ = 0 (each 99.9% confidence); claimed: ρ = 0.5" in shown


def test_the_sides_stay_in_their_places_whichever_direction_is_broken() -> None:
    shown = render_text(exception_violation())
    assert re.search(r"\n    P\[D\] +0% +\[0%, ", shown)
    assert re.search(r"\n    P\[D'\] +86\.5% +\[", shown)
    assert "the claim allows P[D'] ≤ " in shown
    assert re.search(r"\n  D  = \[1\]\n  D' = \[\]\n", shown)


def test_a_verdict_from_recorded_samples_names_what_it_rests_on() -> None:
    tables = dataclasses.replace(violation(), log_evalue=0.0, recorded=True)
    shown = _plain(render_text(tables, detail="verbose"))
    assert "simultaneous exact intervals of the tables" in shown
    assert "p <" not in shown
    bets = dataclasses.replace(violation(), recorded=True)
    assert "p < 1e-352 (anytime-valid; e-value 1e352" in _plain(render_text(bets, detail="verbose"))
    assert "fresh" not in render_text(bets, detail="verbose")


def test_recordings_are_asked_for_recordings() -> None:
    shown = _plain(render_text(dataclasses.replace(inconclusive(), reason="x", recorded=True)))
    assert "What to do: record at least 152,150 outputs on D and on a neighbor" in shown
    assert "What to do: give --max-samples" not in shown
    assert "10,000 recorded outputs, seed 0" in shown
    enough = dataclasses.replace(inconclusive(), reason="x", recorded=True, floor=5_000)
    assert "What to do: record outputs on D and on a neighbor" in _plain(render_text(enough))


def test_evidence_short_of_refuting_does_not_look_like_it() -> None:
    short = dataclasses.replace(not_refuted(), log_evalue=6.9077)
    assert "evidence: e-value 999 at most; 1,000 refutes the claim" in render_text(short)


def test_the_likely_cause_comes_with_its_remedy() -> None:
    shown = _plain(render_text(explained()))
    assert "Worst pair found: [] and [100], ε ≥ 2.71" in shown
    assert "measured: ε ≥ 2.71 (99.9% confidence) on the worst pair found" in shown
    assert "Likely cause: the noise is too small for the sensitivity: its scale is 50" in shown
    assert "To fix: multiply the scale by 2" in shown
    assert "Assumed: calls are independent of each other" in shown
    assert "40,000 runs, 1,200 independent units, seed 0, p < 1e-352." in shown
    whole = _plain(render_text(explained(), detail="verbose"))
    assert (
        "units 1,200 independent units in the test, each of one fresh instance or of one on D and "
        "one on its neighbor; at the end 8 runs per fresh instance"
    ) in whole
    assert render_text(explained(), detail="quiet").endswith(": the noise is too small\n")


@pytest.mark.parametrize("cause", sorted(CAUSES))
def test_every_cause_has_a_few_words(cause: str) -> None:
    told = dataclasses.replace(
        violation(),
        diagnosis=Diagnosis(cause=cause, sentence="One thing.", advice="Do this."),
        leaks=(),
    )
    short = render_text(told, detail="quiet").rpartition(": ")[2].strip()
    assert short == CAUSES[cause].short or cause == "unknown"
    assert "Likely cause: One thing\nTo fix: Do this\n" in render_text(told)


def test_no_noise_is_unbounded() -> None:
    bare = Diagnosis(cause="no-noise", sentence="always 3", advice="add noise")
    shown = _plain(render_text(dataclasses.replace(violation(), diagnosis=bare)))
    assert "over the pairs tried unbounded: no noise" in shown
    assert "unbounded" not in render_text(violation())


def test_a_headline_is_never_cut() -> None:
    claim = ApproxDP(1.0, 0.001)
    long = dataclasses.replace(explained(), mechanism="m" * 40, claim=claim)
    shown = render_text(long)
    assert len(shown.splitlines()) <= LINES
    assert "differentially private" in _plain(shown)
    short = render_text(dataclasses.replace(explained(), claim=claim))
    assert "differentially private" in _plain(short)


def test_low_order_bits_are_reported_once() -> None:
    leaking = leak()
    assert leaking.leaks
    explained_too = dataclasses.replace(
        leaking, diagnosis=Diagnosis(cause="low-entropy-floats", sentence="Bits.", advice="Round.")
    )
    for result in (leaking, explained_too):
        shown = render_text(result)
        assert shown.count("Floating point: the verdict holds for rounded outputs") == 1
        assert "Likely cause" not in shown


@pytest.mark.parametrize(
    ("command", "limit"),
    [("audit python f.py:g --max-seconds 60", "--max-seconds 60"), ("", "max_seconds=60")],
)
def test_that_time_ended_is_said_as_the_caller_set_the_limit(command: str, limit: str) -> None:
    ended = TimeLimit(seconds=60.0, parts=("search", "bets"), max_samples=400_000)
    result = dataclasses.replace(not_refuted(), time_limit=ended, command=command)
    shown = _plain(render_text(result, detail="verbose"))
    runs = f"{result.samples:,}"
    assert f"{limit} ended the search and the bets after {runs} of at most 400,000 runs" in shown
    assert f"time ended after {runs} of 400,000 runs" in shown
    assert "of 400,000 runs" not in render_text(not_refuted(), detail="verbose")


@pytest.mark.parametrize(("samples", "told"), [(39_999, False), (40_000, True)])
def test_the_time_of_all_runs_is_told_from_a_tenth_of_them_on(samples: int, told: bool) -> None:
    ended = TimeLimit(seconds=60.0, parts=("bets",), max_samples=400_000)
    result = dataclasses.replace(not_refuted(), samples=samples, time_limit=ended)
    shown = _plain(render_text(result, detail="verbose"))
    assert ("runs (all take about 10 min)" in shown) is told


def test_suggestive_evidence_is_no_verdict() -> None:
    grew = Suggestive(log_evalue=4.07, runs_wanted=60_000)
    shown = _plain(render_text(dataclasses.replace(not_refuted(), suggestive=grew)))
    assert shown.startswith("NOT REFUTED ")
    assert "suggestive: about 60,000 runs may decide; the e-value grew to 58.5 of 1,000" in shown
    assert "To test more: --max-samples 60000" in shown
    ended = _plain(render_text(dataclasses.replace(inconclusive(), suggestive=grew)))
    assert "suggestive: about 60,000 runs may decide" in ended
    assert "Suggestive" not in render_text(not_refuted())


def test_little_evidence_against_a_claim_decides_no_release() -> None:
    held = not_refuted()
    assert answer_of(held).decision.startswith("For a release: nothing was found against one")
    grew = dataclasses.replace(held, suggestive=Suggestive(log_evalue=4.07, runs_wanted=60_000))
    weak = dataclasses.replace(held, detectable_epsilon=2.1)
    for result, why in (
        (grew, "evidence against the claim has grown"),
        (weak, "twice the claimed"),
    ):
        assert answer_of(result).decision.startswith(f"For a release: undecided, as {why}")


def test_a_search_that_refuted_nothing_says_how_to_test_more() -> None:
    searched = dataclasses.replace(not_refuted(), search=violation().search)
    for result, said in ((searched, True), (not_refuted(), False), (violation(), False)):
        shown = render_text(result)
        assert ("To test more: --max-samples 800000, another --seed" in shown) is said
    tested = render_answer(answer_of(searched, Interface.PYTEST))
    assert "To test more: max_samples=800000, another seed=" in tested


@pytest.mark.parametrize(
    ("runs", "more"), [(4_000, "40000"), (50_000, "400000"), (400_000, "800000"), (10**7, "2e7")]
)
def test_a_larger_budget_has_a_number(runs: int, more: str) -> None:
    small = dataclasses.replace(not_refuted(), max_samples=runs, detectable_epsilon=2.1)
    advice = f"To test more: --max-samples {int(float(more))}"
    assert advice in render_text(small)
    assert "To test more" not in render_text(dataclasses.replace(small, detectable_epsilon=1.1))
    ended = dataclasses.replace(
        small, time_limit=TimeLimit(seconds=9.0, parts=("bets",), max_samples=runs)
    )
    assert "To test more: a larger --max-seconds" in render_text(ended)


@pytest.mark.parametrize(("kind", "said"), [("life", True), ("call", False)])
def test_an_audit_by_fresh_instances_names_what_is_quicker(kind: str, said: bool) -> None:
    result = dataclasses.replace(not_refuted(), units=Units(kind=kind, count=900, n=4))
    shown = _plain(render_text(result))
    assert ("--assume independent-calls if calls are independent" in shown) is said
    called = _plain(render_answer(answer_of(result, Interface.PYTHON)))
    assert ("assume=('independent-calls',) if calls are independent" in called) is said
    assert "if calls are independent" not in render_text(violation())


def test_a_bound_at_the_claim_reads_as_more_than_the_claim() -> None:
    for bound, words in ((0.5, "ε > 0.5"), (0.5004, "ε ≥ 0.5004"), (0.62, "ε ≥ 0.62")):
        shown = render_text(dataclasses.replace(violation(), levels={"epsilon_lower": bound}))
        assert f"measured: {words} (99.9% confidence)" in shown
    half = {"epsilon_lower": 0.5}
    right = dataclasses.replace(not_refuted(), claim=PureDP(0.5), levels=half)
    assert "lower bound: ε ≥ 0.5 (99.9% confidence)" in render_text(right)


def test_a_leak_within_the_claim_shows_no_bound() -> None:
    for bound, words in ((0.49, "input; round"), (0.51, "input (ε ≥ 0.51); round")):
        sized = (dataclasses.replace(leak().leaks[0], epsilon_lower=bound),)
        assert words in render_text(dataclasses.replace(violation(), leaks=sized))
        other = dataclasses.replace(leak(), leaks=sized)
        assert f"(ε ≥ {bound})" in render_text(other), "ε and ρ are not compared"


def test_datasets_that_are_cut_say_how_they_differ() -> None:
    known = violation().witness
    assert known is not None
    difference = f"with one more record {'x' * 60}"
    for record, cut in (("a" * 20, False), ("a" * 120, True)):
        witness = dataclasses.replace(
            known,
            dataset=[record],
            neighbor=[record, record],
            difference=difference,
        )
        shown = _plain(render_text(dataclasses.replace(violation(), witness=witness)))
        assert (difference in shown) is cut


@pytest.mark.parametrize(("size", "by_difference"), [(30, True), (10, False)])
@pytest.mark.parametrize("forward", [True, False])
def test_a_neighbor_of_several_lines_is_shown_by_its_difference_to_d(
    size: int, by_difference: bool, forward: bool
) -> None:
    known = violation().witness
    assert known is not None
    fewer, more = ["a" * size], ["a" * size] * 3
    witness = dataclasses.replace(
        known,
        dataset=fewer if forward else more,
        neighbor=more if forward else fewer,
        direction=f"D over {known.pair}" if forward else f"{known.pair} over D",
        difference="with two more records",
    )
    shown = _plain(render_text(dataclasses.replace(violation(), witness=witness)))
    assert ("D' : D with two more records" in shown) is by_difference
    assert f'D = ["{"a" * size}"]' in shown


def test_long_tables_are_shown_by_what_differs_and_short_ones_whole() -> None:
    people = [{"name": f"person number {n}", "age": n, "income": 1000 * n} for n in range(9)]
    difference = "without one record (name='person number 8', age=8, income=8000)"

    def shown(dataset: object, neighbor: object) -> str:
        known = violation().witness
        assert known is not None
        found = dataclasses.replace(
            known, dataset=dataset, neighbor=neighbor, difference=difference
        )
        return _plain(render_text(dataclasses.replace(violation(), witness=found)))

    for large in (shown(people, people[:8]), shown("9 records", "8 records; without one")):
        assert f"D' : D (9 records), {difference} event" in large
        assert large.count("person number") == 1
    small = shown(people[8:], [])
    assert """ D = [{"name": "person number 8", "age": 8, "income": 8000}] D' = []""" in small
    assert "D (" not in small


def test_a_long_d_that_the_search_made_is_not_taken_for_given_data() -> None:
    known = violation().witness
    assert known is not None
    long = dataclasses.replace(known, dataset="30 records", neighbor="29 records; without one")
    made = {"dataset": [{"age": n} for n in range(30)], "neighbor": [{"age": 7}] * 29}
    for records, said in ((None, False), (made, True)):
        witness = dataclasses.replace(long, made=records)
        result = dataclasses.replace(violation(), witness=witness)
        assert ("D (30 records, made by the search)" in _plain(render_text(result))) is said
        given = _plain(render_text(dataclasses.replace(result, given_data=True)))
        assert ("D (30 records, made by the search, not the given data)" in given) is said
        whole = render_text(result, detail="verbose")
        assert ("all records: witness.made in the JSON of the result" in _plain(whole)) is said
        assert ('\n  [{"age": 0}, {"age": 1}, ' in whole) is said
        assert ('{"age": 29}]\n' in whole) is said
    few = dataclasses.replace(known, made={})
    whole = render_text(dataclasses.replace(violation(), witness=few), detail="verbose")
    assert "datasets      made by the search\n" in whole


def test_the_sample_behind_the_bars_is_named() -> None:
    known = violation().witness
    assert known is not None
    witness = dataclasses.replace(known, counts=(116, 0, 4_000), draws=141)
    tested = "earlier: 2.9% on D and 0% on D' in 4,000 pairs"
    assert samples(witness, violation()) == f"{tested}; bars: 141 fresh runs"
    recorded = dataclasses.replace(violation(), recorded=True)
    assert samples(witness, recorded) == f"{tested}; bars: 141 later outputs"


def test_the_counts_of_the_test_come_before_bars_that_do_not_exclude_the_claim() -> None:
    known = violation().witness
    assert known is not None
    wide = dataclasses.replace(known.p, low=0.0)
    witness = dataclasses.replace(known, p=wide, counts=(116, 0, 4_000), draws=141)
    result = dataclasses.replace(violation(), witness=witness)
    for report in (render_text(result), result.to_markdown(), result.to_html()):
        plain = html.unescape(report).replace("\\", "").lower()
        assert plain.index("2.9% on d and 0% on d' in 4,000 pairs") < plain.index("p[d]")


def test_up_to_rounding_is_explained_beside_the_event() -> None:
    known = violation().witness
    assert known is not None
    event = dataclasses.replace(known.event, description="the output is at least 1 up to rounding")
    result = dataclasses.replace(violation(), witness=dataclasses.replace(known, event=event))
    said = "rounding outputs that miss the number by errors of floating-point arithmetic"
    assert said in _plain(render_text(result, detail="verbose"))
    assert said not in _plain(render_text(violation(), detail="verbose"))


def test_an_event_that_never_happens_on_one_dataset_has_no_largest_loss() -> None:
    known = violation().witness
    assert known is not None
    said = "0 of 4,000 on D': the loss may be unlimited; the bound grows with the runs"
    none = dataclasses.replace(known.q, estimate=0.0)
    never = dataclasses.replace(known, q=none, counts=(116, 0, 4_000))
    once = dataclasses.replace(known, q=none, counts=(116, 1, 4_000))
    exact = Diagnosis(cause="no-noise", sentence="None.", advice="Add noise.")
    for witness, diagnosis, shown in [
        (never, None, True),
        (never, exact, False),
        (once, None, False),
        (dataclasses.replace(never, q=known.q), None, False),
    ]:
        result = dataclasses.replace(violation(), witness=witness, diagnosis=diagnosis)
        assert (said in _plain(render_text(result))) is shown
    unlimited = dataclasses.replace(violation(), witness=never, levels={"epsilon_lower": math.inf})
    assert said not in _plain(render_text(unlimited))


def test_units_are_counted_once() -> None:
    one = Units(kind="call", n=1, count=1)
    shown = render_text(dataclasses.replace(not_refuted(), units=one))
    assert "400,000 runs, 1 independent unit, seed 0" in shown


def test_assumptions_and_the_first_sentences_of_cause_and_fix_outlast_all_others() -> None:
    """Assumptions say what the verdict rests on; a cause may be cut at the end of a sentence."""
    known = explained()
    assert known.witness is not None and known.diagnosis is not None
    few = dataclasses.replace(known.witness.q, high=1.0)
    witness = dataclasses.replace(known.witness, q=few, counts=(116, 0, 4_000), draws=141)
    cause, fix = "The cause takes a line" + " or more" * 5, "Do this" + " and that" * 4
    more = " More on it" * 30
    long = dataclasses.replace(
        known.diagnosis, sentence=f"{cause}.{more}.", advice=f"{fix}.{more}."
    )
    result = dataclasses.replace(known, witness=witness, diagnosis=long)
    for lines, sized, leaks in ((19, True, True), (18, False, True), (17, False, False)):
        shown = render_answer(answer_of(result), lines)
        assert len(shown.splitlines()) == lines
        assert "Assumed: calls are independent of each other" in shown
        assert f"Likely cause: {cause}. …" in _plain(shown)
        assert f"To fix: {fix}. …" in _plain(shown)
        assert ("pairs; bars: 141 fresh runs" in shown) is sized
        assert ("Floating point: " in shown) is leaks
    shown = _plain(render_answer(answer_of(result), 23))
    assert f"Likely cause: {cause}. …" in shown and f"To fix: {fix}. More" in shown


def test_whole_causes_and_fixes_outlast_all_but_what_the_verdict_rests_on() -> None:
    """The sizes of samples, the second line of a dataset and an empty line say less."""
    known = explained()
    assert known.witness is not None and known.diagnosis is not None
    few = dataclasses.replace(known.witness.q, high=1.0)
    data = [float(number) for number in range(100, 118)]
    witness = dataclasses.replace(
        known.witness, dataset=data, neighbor=data[1:], q=few, counts=(116, 0, 4_000), draws=141
    )
    why, how = "It is so. " + "More on it. " * 12 + "End", "Do it. " + "More on it. " * 6 + "End"
    result = dataclasses.replace(
        known,
        witness=witness,
        diagnosis=dataclasses.replace(known.diagnosis, sentence=why, advice=how),
    )
    less = ("from 141 fresh runs", "116.0, 117.0]", "\n\n40,000 runs")
    most = len(render_answer(answer_of(result), 100).splitlines())
    found = []
    for cut in range(9):
        shown = render_answer(answer_of(result), most - cut)
        whole = f"cause: {why} To" in _plain(shown) and f"fix: {how} Fl" in _plain(shown)
        found.append((whole, any(words in shown for words in less)))
    assert {*found} == {(True, True), (True, False), (False, False)}


def test_statements_of_what_was_tried_go_before_a_fact_is_cut() -> None:
    more = "a larger --max-samples, another --seed, --data with --neighbor, or " + "more " * 20
    tried = tuple(f"statement {number} of what was tried" for number in range(5))
    facts = (Fact("Assumed", "runs are independent"), Fact("To test more", f"{more}of it"))
    answer = dataclasses.replace(answer_of(not_refuted()), tried=tried, facts=facts, notes=())
    whole = render_answer(answer, 100).splitlines()
    for cut, said in ((1, 4), (3, 2)):
        shown = render_answer(answer, len(whole) - cut)
        assert "of it" in shown and "…" not in shown
        assert [one in shown for one in tried] == [True] * said + [False] * (5 - said)


def test_an_empty_line_goes_before_a_first_sentence_does() -> None:
    known = explained()
    assert known.diagnosis is not None
    fix = "Do this" + " and that" * 10
    result = dataclasses.replace(
        known, leaks=(), diagnosis=dataclasses.replace(known.diagnosis, advice=f"{fix}. More.")
    )
    whole = render_answer(answer_of(result), 100).splitlines()
    for cut in range(1, 6):
        shown = render_answer(answer_of(result), len(whole) - cut)
        if f"To fix: {fix}" not in _plain(shown):
            assert "" not in shown.splitlines()[-4:]
            return
    raise AssertionError("the fix was never cut")


def test_a_pair_that_was_not_shrunk_is_not_called_the_smallest() -> None:
    known = violation()
    assert known.witness is not None and known.search is not None
    large = dataclasses.replace(known.witness, dataset=[1.0, 2.0], neighbor=[1.0, 2.0, 3.0])
    for shrinks, smallest in ((0, False), (2, True)):
        search = dataclasses.replace(known.search, shrinks=shrinks)
        shown = render_text(dataclasses.replace(known, witness=large, search=search))
        assert ("Smallest counterexample" in shown) is smallest
        assert "ounterexample" in shown


def test_the_worst_pair_is_that_of_the_counterexample_if_no_other_is_worse() -> None:
    same = WorstPair(
        dataset=[17.0, 38.5], neighbor=[17.0, 38.5, 90.0], difference="", epsilon_lower=2
    )
    shown = render_text(dataclasses.replace(violation(), worst=same))
    assert "Smallest counterexample, and the worst pair found" in shown
    assert "Worst pair found" not in shown
    assert "orst pair" not in render_text(not_refuted())


@pytest.mark.parametrize("derived", [True, False])
def test_a_derived_domain_is_no_reason_to_stop(derived: bool) -> None:
    """Its bounds are those of the data, which code may read from them too."""
    notes = ("domain derived from D: --domain age=int:3:9",) if derived else ()
    searched = Search(pairs=85, shrinks=0, samples=400)
    shown = render_text(dataclasses.replace(not_refuted(), notes=notes, search=searched))
    advice = "To test more: --domain with the bounds that the code must withstand, --max-samples"
    assert (advice in " ".join(shown.split())) == derived
    assert "--max-samples 800000" in " ".join(shown.split())


@pytest.mark.parametrize("spec", ["age=int:0:120,sex=choice:f,m", "city=text," * 8 + "a=bool"])
def test_a_derived_domain_is_named_once_by_its_flag(spec: str) -> None:
    note = f"domain derived from D: --domain {spec}"
    kept, broken = (
        render_text(dataclasses.replace(result, notes=(note,)))
        for result in (not_refuted(), violation())
    )
    fits = len(note) <= WIDTH - 2
    assert (f"\n  {note}\n" in kept) == fits
    assert kept.count("\n  domain derived from D: --domain ") == 1
    assert kept.count("domain derived from D") == 1
    assert "\n  domain derived" not in broken
    assert max(map(len, kept.splitlines())) <= WIDTH
    assert len(kept.splitlines()) <= LINES


def test_a_domain_in_several_lines_is_broken_only_where_it_can_be_read_again() -> None:
    spec = "region=choice:east,north,office=choice:human resources,sales and marketing," * 2
    note = f"domain derived from D: --domain '{spec}'"
    lines = render_answer(dataclasses.replace(answer_of(not_refuted()), tried=(note,))).splitlines()
    place = next(place for place, line in enumerate(lines) if "derived" in line)
    copied = " ".join(line.strip() for line in lines[place : place + 3])
    (flag,) = in_one_line(["--domain", shlex.split(copied)[-1]])[1:]
    assert flag.replace(", ", ",") == spec


def test_a_long_worst_pair_is_described_by_its_size_and_difference() -> None:
    zeros = [0] * 40
    long = WorstPair(
        dataset=zeros,
        neighbor=[*zeros, 100],
        difference="with one more record 100",
        epsilon_lower=2,
    )
    shown = render_text(dataclasses.replace(violation(), worst=long))
    assert "Worst pair found: 40 records, with one more record 100, ε ≥ 2.71" in shown
    one = dataclasses.replace(long, dataset=["x" * 70])
    shown = render_text(dataclasses.replace(violation(), worst=one))
    assert "Worst pair found: 1 record, with one more record 100, ε ≥ 2.71" in shown
    short = dataclasses.replace(long, dataset=[0], neighbor=[0, 100])
    shown = render_text(dataclasses.replace(violation(), worst=short))
    assert "Worst pair found: [0] and [0, 100], ε ≥ 2.71" in shown
    for data in (zeros, "40 records of city, age and spend"):
        cut = dataclasses.replace(
            long, dataset=data, neighbor=data, difference=f"with one more record {'x' * 300}"
        )
        shown = render_text(dataclasses.replace(violation(), worst=cut))
        (line,) = (one for one in shown.splitlines() if one.startswith("Worst pair"))
        assert re.fullmatch(r"Worst pair found: 40 records.*, with one .*…, ε ≥ 2\.71", line)
        assert len(line) <= WIDTH


def test_a_violation_that_was_not_explained_says_so_and_what_would_help() -> None:
    limit = TimeLimit(seconds=9.0, parts=("diagnosis",), max_samples=400_000)
    reasons: dict[str, dict[str, Any]] = {
        "the runs ended first; give a larger max_samples=": {},
        "the time ended first; give a larger max_seconds=": {"time_limit": limit},
        "recorded outputs alone do not show it; audit the mechanism that made them": {
            "recorded": True
        },
    }
    for why, changes in reasons.items():
        result = dataclasses.replace(violation(), **changes)
        assert f"Likely cause: not examined: {why}" in _plain(
            render_answer(answer_of(result, Interface.PYTHON))
        )
    assert "a larger --max-samples" in render_answer(answer_of(violation(), Interface.COMMAND))
    assert "not examined" not in render_text(explained()) + render_text(not_refuted())


def test_a_report_says_that_one_flaw_can_hide_another() -> None:
    hidden = "One flaw can hide another: audit again after the fix."
    for result, said in ((explained(), True), (violation(), True), (not_refuted(), False)):
        assert (hidden in render_text(result, detail="verbose")) is said
        assert hidden not in render_text(result)


def test_the_claim_allows_a_multiple_of_the_estimate() -> None:
    witness = violation().witness
    assert witness is not None
    allowed = witness.slope * witness.q.estimate + witness.offset
    assert f"{100 * allowed:.3g}%" in _plain(render_text(violation()))


@given(HOSTILE)
def test_hostile_words_neither_steer_the_terminal_nor_break_lines(text: str) -> None:
    changed = dataclasses.replace(leak(), mechanism=f"m{text}", notes=(f"n{text}",), command=text)
    for detail in ("quiet", "normal", "verbose"):
        shown = render_text(changed, detail=detail)
        assert shown.replace("\n", "").isprintable()


LONG = st.text(max_size=3000) | st.integers(1, 400).map(lambda times: "some words " * times)


@pytest.mark.slow
@settings(max_examples=40)
@given(LONG, LONG, st.integers(0, 40), st.sampled_from([*SAMPLES, "explained"]))
def test_the_answer_has_twenty_lines_whatever_it_has_to_say(
    words: str, dataset: str, notes: int, name: str
) -> None:
    result = (all_samples() | {"explained": explained()})[name]
    witness = result.witness and dataclasses.replace(
        result.witness,
        dataset=dataset,
        neighbor=dataset,
        difference=words,
        event=Event(words, {}),
    )
    cause = Diagnosis(cause="unknown", sentence=words, advice=words)
    changed = dataclasses.replace(
        result,
        mechanism=f"m{words}",
        reason=words if result.verdict is Verdict.INCONCLUSIVE else "",
        notes=(words,) * notes,
        tried=(words,) * 4,
        leaks=tuple(dataclasses.replace(one, event=Event(words, {})) for one in result.leaks) * 2,
        witness=witness,
        diagnosis=result.diagnosis and cause,
        pairs=tuple(dataclasses.replace(pair, difference=words) for pair in result.pairs) * 3,
    )
    lines = render_text(changed).splitlines()
    assert len(lines) <= LINES
    assert lines[0].startswith(f"{_WORDS[result.verdict]}  m")
    assert max(map(len, lines)) <= WIDTH
    assert lines[-1].startswith("Reproduce: ")


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(MECHANISMS.keys() - set(BY_LIVES)))
def test_real_audits_fit_and_keep_their_counterexample_whole(name: str) -> None:
    result = audited(name)
    shown = render_text(result)
    assert shown.count("\n") <= LINES
    if result.witness is not None:
        section = shown.split("ounterexample (")[1].split("\n\n")[0]
        assert "…" not in section
        worst = result.search is None or "and the worst pair found (" in shown
        assert worst != ("Worst pair found: " in section)


def test_what_is_cut_ends_with_an_ellipsis() -> None:
    cause = Diagnosis(cause="unknown", sentence="long words " * 60, advice="do this")
    answer = document_of(dataclasses.replace(explained(), diagnosis=cause)).answer
    whole, short = render_answer(answer, 100), render_answer(answer)
    assert whole.count("\n") > LINES >= short.count("\n")
    assert "…" not in whole
    kept = [line for line in short.splitlines() if not line.endswith("…")]
    assert len(kept) == short.count("\n") - 1
    assert all(line in whole.splitlines() for line in kept)


@pytest.mark.parametrize(
    ("sentence", "end"),
    [("word " * 90, "word …"), ("It ends here. " * 40, "here. …"), ("x" * 400, "x …")],
    ids=["words", "sentences", "one word"],
)
def test_nothing_is_cut_within_a_word(sentence: str, end: str) -> None:
    cause = Diagnosis(cause="unknown", sentence=sentence, advice="do this")
    shown = render_text(dataclasses.replace(explained(), diagnosis=cause)).splitlines()
    (cut,) = (line for line in shown if line.endswith("…"))
    assert cut.endswith(end)
    assert len(cut) <= WIDTH


def test_every_table_is_in_the_whole_report() -> None:
    result = dataclasses.replace(violation(), pairs=(*violation().pairs, *not_refuted().pairs[1:]))
    whole = render_text(result, detail="verbose")
    assert all(f"P[D]/P[{pair.name}]" in whole for pair in result.pairs)
    assert "P[D]/P[" not in render_text(result)


def test_a_leak_is_one_line_beside_a_violation_and_limits_the_verdict_of_a_clean_mechanism() -> (
    None
):
    sized = (dataclasses.replace(leak().leaks[0], epsilon_lower=4.367),)
    shown = render_text(dataclasses.replace(violation(), leaks=sized))
    assert "\nFloating point: low-order bits reveal the input (ε ≥ 4.36); round or disc" in shown
    clean = _plain(render_text(dataclasses.replace(leak(), leaks=sized)))
    limit = "the verdict holds for rounded outputs; full-precision floats release more (ε ≥ 4.36)"
    assert f"Floating point: {limit}; round or discretize" in clean
    assert "reveal" not in clean


def test_advice_on_leaks_is_on_request() -> None:
    short = _plain(render_text(leak()))
    whole = _plain(render_text(leak(), detail="verbose"))
    found = channel("floating-point")
    for answer in (found.means, found.concerns, found.ignore):
        assert answer in whole
        assert answer not in short
    other = dataclasses.replace(leak().leaks[0], kind="heat")
    shown = _plain(render_text(dataclasses.replace(leak(), leaks=(other,)), detail="verbose"))
    assert channel("heat").remedy in shown
    assert channel("timing") != channel("heat")


def test_runs_are_split_by_stage() -> None:
    spent = {"search": 1739, "bets": 38_000, "check": 0, "witness": 200, "tables": 61}
    result = dataclasses.replace(not_refuted(), samples=40_000, effort=spent)
    shown = _plain(render_text(result, detail="verbose"))
    assert "40,000 in all (1,739 search, 38,000 bets, 200 witness, 61 tables)" in shown
    assert "common random numbers on both datasets of a pair" in shown
    other = dataclasses.replace(not_refuted(), samples=40_001, effort=spent)
    assert "40,001 in all randomness" in _plain(render_text(other, detail="verbose"))
    recorded = render_text(dataclasses.replace(not_refuted(), recorded=True), detail="verbose")
    assert "outputs       400,000, recorded" in recorded
    assert "An event too rare for 400,000 recorded outputs refutes nothing." in _plain(recorded)


@pytest.mark.slow
def test_the_first_failed_run_is_shown_in_every_format() -> None:
    result = audited("raises")
    assert result.failure is not None
    said = "ValueError: no records wanted"
    for shown in (render_text(result, detail="verbose"), result.to_markdown(), result.to_html()):
        assert said in _plain(shown)
        assert f"(the first: run {result.failure.call})" in _plain(shown)
    assert "failed runs" not in render_text(audited("half"), detail="verbose")
    assert sum(result.effort.values()) == result.samples


def test_one_is_told_from_many() -> None:
    found = Search(pairs=1, shrinks=0, samples=124)
    shown = _plain(render_text(dataclasses.replace(not_refuted(), search=found)))
    assert "search: 1 pair of datasets, 0 steps to shrink the worst one" in shown


def test_a_short_command_is_one_line() -> None:
    assert reproduction("audit noisy-average") == ["Reproduce: audit noisy-average"]
    assert reproduction("") == []


def test_a_long_command_is_broken_so_that_a_shell_reads_it_as_one() -> None:
    command = "audit python release.py:noisy_sum --epsilon 1 --domain 'int:0:100' --null " * 2
    command = " ".join(command.replace("'", "").split())
    lines = reproduction(command)
    assert 1 < len(lines) <= 3
    assert max(map(len, lines)) <= WIDTH
    joined = " ".join(part.removesuffix("\\") for part in lines)
    assert joined.removeprefix("Reproduce:").split() == command.split()
    assert all(line.endswith(" \\") for line in lines[:-1])
    assert all(not line.removesuffix(" \\").endswith("--domain") for line in lines)


def test_a_command_that_cannot_be_broken_stays_in_one_piece() -> None:
    data = "audit python f.py:g --data '" + ",".join(map(str, range(200))) + "'"
    assert reproduction(data) == [f"Reproduce: {data}"]
    call = f"assert_private(f, data={list(range(50))}, name='it')"
    assert reproduction(call) == [f"Reproduce: {call}"]


@pytest.mark.parametrize("name", SAMPLES)
def test_repr_is_the_line_of_quiet(name: str) -> None:
    result = all_samples()[name]
    assert repr(result) == render_text(result, detail="quiet").rstrip()
    assert "\n" not in repr(result)


def test_notes_fill_lines_that_are_left_and_no_more() -> None:
    result = dataclasses.replace(
        not_refuted(), notes=("the domain is --domain int:0:9.", "x" * 20 + " y" * 900)
    )
    shown = render_text(result)
    assert "Note: the domain is --domain int:0:9\n" in shown
    assert "xxxx" not in shown and shown.count("\n") <= 20
    bare = render_text(dataclasses.replace(result, notes=()))
    others = [line for line in shown.splitlines() if line and not line.startswith("Note")]
    assert others == [line for line in bare.splitlines() if line]


def test_a_file_that_is_called_as_its_dataset_keeps_its_name() -> None:
    result = violation()
    assert result.witness is not None
    witness = dataclasses.replace(
        result.witness, pair="D1", difference="D1 recorded in D1.txt, D recorded in D.txt"
    )
    assert difference(witness) == "D' recorded in D1.txt, D recorded in D.txt"


def test_of_two_long_statements_that_of_the_higher_rank_is_cut() -> None:
    """The power keeps both of its numbers; how to test more gives way."""
    long = "word " * 20
    stated = ("not a proof: " + long + "end",)
    facts = (Fact("To test more", long + "end"), *(Fact(f"Fact {n}", "text") for n in range(12)))
    answer = dataclasses.replace(answer_of(not_refuted()), stated=stated, facts=facts, tried=())
    shown = render_answer(answer)
    assert len(shown.splitlines()) <= LINES
    assert "end" in shown.partition("Fact 0")[0].partition("To test more")[0]


def test_an_answer_that_is_cut_says_how_to_see_all() -> None:
    """Also if a command of three lines leaves little room."""
    flags = " ".join(f"--some-flag-{number} value" for number in range(7))
    answer = dataclasses.replace(
        answer_of(explained()), command=f"audit python f.py:g {flags}", runs="many words " * 7
    )
    shown = render_answer(answer).splitlines()
    assert len(shown) == LINES and len(reproduction(answer.command)) == 3
    assert any(line.endswith("…") for line in shown)
    assert "Details: --verbose, or --report DIR" in shown
