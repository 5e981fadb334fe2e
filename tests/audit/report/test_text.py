"""The terminal's answer: its words, its width, and what it must never claim."""

from __future__ import annotations

import dataclasses
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from audit.betting.event import Event
from audit.neighbors.search.effort import Search
from audit.report.advice import advice_on
from audit.report.size import size
from audit.report.text import LINES, WIDTH, render_text
from audit.verdict.result import AuditResult, Verdict

from .known_truth import MECHANISMS, audited
from .sample_results import (
    all_samples,
    exception_violation,
    inconclusive,
    leak,
    not_refuted,
    violation,
)
from .test_escape import HOSTILE

SAMPLES = sorted(all_samples())


@pytest.mark.parametrize("name", SAMPLES)
def test_the_whole_answer(name: str, snapshot: SnapshotAssertion) -> None:
    assert render_text(all_samples()[name]) == snapshot


@pytest.mark.parametrize("name", SAMPLES)
def test_no_line_is_wider_than_a_terminal(name: str) -> None:
    lines = render_text(all_samples()[name]).splitlines()
    assert max(map(len, lines)) <= WIDTH


@pytest.mark.parametrize(
    ("result", "word"),
    [
        (violation(), "VIOLATION"),
        (exception_violation(), "VIOLATION"),
        (not_refuted(), "NOT REFUTED"),
        (leak(), "NOT REFUTED"),
        (inconclusive(), "INCONCLUSIVE"),
    ],
)
def test_the_first_words_are_the_verdict(result: AuditResult, word: str) -> None:
    assert render_text(result).startswith(f"{word}: ")


@pytest.mark.parametrize("name", SAMPLES)
def test_nothing_is_called_private_safe_or_verified(name: str) -> None:
    result = all_samples()[name]
    shown = f"{render_text(result)} {result.to_markdown()}".lower()
    assert not re.search(r"is private|\bsafe\b|verified|satisf|guaranteed private|passed", shown)


def test_not_refuted_says_what_would_have_been_seen() -> None:
    shown = " ".join(render_text(not_refuted()).split())
    assert "been 2.86 times (e^1.05) as likely on one side as on the other" in shown
    assert "not a proof that it holds" in shown
    assert "3 pairs built from D" in shown


def test_inconclusive_says_what_it_would_take() -> None:
    assert "--max-samples 1210000" in render_text(inconclusive())


def test_inconclusive_without_usable_output_gives_the_reason() -> None:
    why = "every run timed out after 10 seconds"
    result = dataclasses.replace(inconclusive(), wanted=0, reason=why)
    shown = " ".join(render_text(result).split())
    assert "has no answer: every run timed out after 10 seconds." in shown
    assert "more runs alone do not help" in shown


def test_wealth_from_dependent_runs_is_not_called_evidence() -> None:
    result = dataclasses.replace(inconclusive(), log_evalue=50.0, reason="its runs share noise")
    shown = " ".join(render_text(result).split())
    assert "does not count here: its runs share noise" in shown
    assert "had the claim held" not in shown


def test_bounds_of_other_kinds_name_their_delta() -> None:
    assert "ρ ≥ 0.41 and ε ≥ 1.31 at δ = 0, each at 99.9% confidence" in render_text(leak())
    assert "ε ≥ ∞ at δ = 1e-05" in render_text(exception_violation())


def test_a_witness_found_in_the_other_direction_names_its_sides() -> None:
    shown = " ".join(render_text(exception_violation()).split())
    assert "in 86.5% of 2,000 fresh runs on D1 and in none of 2,000 on D:" in shown


def test_a_verdict_from_recorded_samples_names_what_it_rests_on() -> None:
    shown = render_text(dataclasses.replace(violation(), log_evalue=0.0, recorded=True))
    assert "the verdict rests on simultaneous exact intervals" in " ".join(shown.split())
    won = " ".join(render_text(dataclasses.replace(violation(), recorded=True)).split())
    assert "the verdict rests on" not in won
    assert "had the claim held, a gambler betting against that" in won


def test_what_recordings_lack_is_said_of_recordings() -> None:
    result = dataclasses.replace(inconclusive(), reason="too few", recorded=True)
    shown = " ".join(render_text(result).split())
    assert "independent draws in the order in which they were made, at least " in shown
    assert "--max-samples" not in shown


def test_what_falls_short_of_refuting_does_not_look_as_if_it_did_not() -> None:
    short = dataclasses.replace(not_refuted(), log_evalue=6.9077)
    assert "log e-value 6.9, where refuting takes ln(1/α) = 6.91" in render_text(short)


def test_weak_evidence_is_no_word_about_a_violation() -> None:
    quiet = dataclasses.replace(not_refuted(), verdict=Verdict.VIOLATION)
    assert "weak evidence" not in render_text(quiet, tables=True)
    assert "weak evidence" in render_text(not_refuted(), tables=True)


@given(HOSTILE)
def test_hostile_words_neither_steer_the_terminal_nor_break_lines(text: str) -> None:
    changed = dataclasses.replace(leak(), mechanism=f"m{text}", notes=(f"n{text}",), command=text)
    assert render_text(changed).replace("\n", "").isprintable()


LONG = st.text(max_size=3000) | st.integers(1, 400).map(lambda times: "some words " * times)


@settings(max_examples=40)
@given(LONG, LONG, st.integers(0, 40), st.sampled_from(SAMPLES))
def test_the_answer_is_one_screen_whatever_it_has_to_say(
    words: str, dataset: str, notes: int, name: str
) -> None:
    result = all_samples()[name]
    witness = result.witness and dataclasses.replace(
        result.witness,
        dataset=dataset,
        neighbor=dataset,
        difference=words,
        event=Event(words, {}),
    )
    changed = dataclasses.replace(
        result,
        mechanism=f"m{words}",
        reason=words if result.verdict is Verdict.INCONCLUSIVE else "",
        notes=(words,) * notes,
        tried=(words,) * 4,
        leaks=tuple(dataclasses.replace(one, event=Event(words, {})) for one in result.leaks) * 2,
        witness=witness,
        pairs=tuple(dataclasses.replace(pair, difference=words) for pair in result.pairs) * 3,
    )
    lines = render_text(changed).splitlines()
    assert len(lines) <= LINES
    word = {"violation": "VIOLATION", "not-refuted": "NOT REFUTED", "inconclusive": "INCONCLUSIVE"}
    assert lines[0].startswith(word[result.verdict])
    assert any(line.startswith(f"{word[result.verdict]}: m") for line in lines[-3:])


@pytest.mark.parametrize("name", sorted(MECHANISMS))
def test_real_audits_fit_on_one_screen_and_keep_their_witness_whole(name: str) -> None:
    result = audited(name)
    shown = render_text(result)
    assert shown.count("\n") <= LINES
    if result.witness is not None:
        section = shown.split("Witness (")[1].split("\n\n")[0]
        assert "more lines" not in section
        assert "draws" in section


@pytest.mark.parametrize("name", SAMPLES)
def test_verdict_and_size_come_first_and_last(name: str) -> None:
    result = all_samples()[name]
    lines = render_text(result).splitlines()
    first, last = lines[0], " ".join(lines[-3:])
    verdict = first.partition(":")[0]
    assert f"{verdict}: {result.mechanism}" in last
    if result.verdict is Verdict.VIOLATION:
        assert size(result) in " ".join(lines[:4])
        assert size(result) in last


def test_tables_show_everything_and_without_them_the_witness_alone() -> None:
    result = dataclasses.replace(violation(), pairs=(*violation().pairs, *not_refuted().pairs[1:]))
    short, whole = render_text(result), render_text(result, tables=True)
    assert "q on D1" in short
    assert "q on D2" not in short
    assert "D2: largest ratio " in short
    assert all(f"q on {pair.name}" in whole for pair in result.pairs)
    assert "more lines" not in whole
    assert "q/p" in whole


def test_leaks_come_with_advice() -> None:
    shown = " ".join(render_text(leak()).split())
    for answer in dataclasses.astuple(advice_on("floating-point")):
        assert answer in shown
    other = dataclasses.replace(leak().leaks[0], kind="heat")
    shown = " ".join(render_text(dataclasses.replace(leak(), leaks=(other,))).split())
    assert advice_on("heat").remedy in shown
    assert advice_on("timing") != advice_on("heat")


def test_runs_are_told_by_what_they_were_made_for() -> None:
    spent = {"search": 1739, "bets": 38_000, "check": 0, "witness": 200, "tables": 61}
    result = dataclasses.replace(not_refuted(), samples=40_000, effort=spent)
    shown = " ".join(render_text(result).split())
    assert (
        "40,000 in all (1,739 for the search, 38,000 for the bets, 200 for the witness, 61 for "
        "tables); both sides of a pair shared"
    ) in shown
    other = dataclasses.replace(not_refuted(), samples=40_001, effort=spent)
    assert "40,001 in all; both sides" in " ".join(render_text(other).split())
    recorded = dataclasses.replace(not_refuted(), recorded=True)
    shown = render_text(recorded)
    assert "none: 400,000 recorded outputs" in shown
    assert shown.startswith("NOT REFUTED: 400,000 outputs of laplace-count did not break")
    assert "fresh" not in render_text(dataclasses.replace(violation(), recorded=True))


def test_the_first_failed_run_is_shown_in_every_format() -> None:
    result = audited("raises")
    assert result.failure is not None
    said = f"the first was run {result.failure.call}: ValueError: no records wanted"
    for shown in (render_text(result), result.to_markdown(), result.to_html()):
        assert said in " ".join(shown.split())
    assert "failed runs" not in render_text(audited("half"))
    assert sum(result.effort.values()) == result.samples


def test_one_is_told_from_many() -> None:
    found = Search(pairs=1, shrinks=0, samples=124)
    shown = " ".join(render_text(dataclasses.replace(not_refuted(), search=found)).split())
    assert (
        "1 pair searched for worse neighbors and 0 steps to shrink the worst one, with 124 runs"
    ) in shown
