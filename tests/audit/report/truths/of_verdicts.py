"""Verdicts, answers and hints."""

from __future__ import annotations

import math
import re

from audit.report.numerals import read
from audit.verdict.result import Verdict

from ..known_truth import DIES_AFTER, LAWLESS, MECHANISMS, Watched
from .rule import (
    NUMBERS,
    bounded,
    chances,
    event_words,
    likely,
    other_mean,
    says,
    violator,
    witness_of,
    would_show,
)


@says(
    r"VIOLATION: (?P<name>.+?)(?: breaks (?P<claim>.+?)|, )(?:: )?at least (?P<s>.|shift) = "
    r"(?P<low>\S+)"
    r"(?: at δ = (?P<delta>\S+))?, where (?:.|shift) = (?P<level>\S+) is claimed(?P<rest>\. .*)?"
)
def _a_violation(found: re.Match[str], seen: Watched) -> None:
    result = seen.result
    assert found["name"] == seen.name
    assert violator(seen) and result.verdict is Verdict.VIOLATION
    assert found["claim"] in (None, str(result.claim))
    claimed = result.claim.stated(result.claim.level)
    assert read(found["level"]) == claimed < read(found["low"])
    assert found["delta"] is None or read(found["delta"]) == MECHANISMS[seen.name].claim["delta"]
    bounded(found["s"], found["low"], seen)
    if found["rest"]:
        _odds(found["rest"].removeprefix(". ").removesuffix("."), seen)


_SHARES = re.compile(
    r"(?P<event>.+) in (?P<p>\S+) of (?P<n>\S+) fresh runs on D and in (?P<q>\S+) of (?P=n) on D1"
    r"(?:: (?P<none>no finite ε is in sight)|; (?P<allowed>.*))"
)
_ALLOWED = re.compile(
    r"the claim allows it at most (?:(\S+) times )?as often on D as on D1(?:, plus (\S+)% of runs)?"
)


_MEANS = re.compile(
    rf"Over (?P<n>\S+) fresh runs on each side the mean of h is {NUMBERS} on (?P<own>D1?) and "
    rf"{NUMBERS} on (?P<other>D1?), where that of (?P<dual>.+?) is {NUMBERS}; the claim allows at "
    r"most (?P<most>\S+) on (?P=own)\. Here h is (?P<event>.+)"
)


def _means(found: re.Match[str], seen: Watched) -> None:
    """Every mean lies in its interval, and the first above what is said to be allowed."""
    witness = witness_of(seen.result)
    assert witness.function is not None
    assert witness.direction == f"{found['own']} over {found['other']}"
    assert found["dual"] == witness.function.dual and found["event"] == event_words(witness)
    assert read(found["n"]) == witness.draws
    own, dual = chances(seen, witness)
    for place, truth in ((2, own), (6, other_mean(seen, witness)), (11, dual)):
        estimate, low, high = (read(found[place + k]) for k in range(3))
        assert low <= truth <= high and low <= estimate <= high
    assert own > read(found["most"]) >= witness.slope * dual + witness.offset


def _odds(said: str, seen: Watched) -> None:
    if means := _MEANS.fullmatch(said):
        _means(means, seen)
        return
    found, witness = _SHARES.fullmatch(said), witness_of(seen.result)
    if found is None:
        assert said.startswith(("Bets won on this event, on D more", "Of "))
        assert not witness.separated
        return
    assert found["event"].lower() == event_words(witness).lower()
    true_p, true_q = chances(seen, witness)
    shares = [_share(found["p"]), _share(found["q"])]
    for share, truth in zip(shares, (true_p, true_q), strict=True):
        likely(round(share * witness.draws), witness.draws, truth)
    assert read(found["n"]) == witness.draws
    if found["none"]:
        assert math.isinf(MECHANISMS[seen.name].levels["epsilon_lower"])
        return
    allowed = _ALLOWED.fullmatch(found["allowed"])
    assert allowed is not None
    slope, offset = read(allowed[1] or "1"), float(allowed[2] or 0.0) / 100.0
    assert slope >= witness.slope * (1 - 1e-12) and offset >= witness.offset * (1 - 1e-12)
    assert shares[0] > slope * shares[1] + offset and true_p > witness.slope * true_q


def _share(said: str) -> float:
    return {"all": 1.0, "none": 0.0}[said] if said.isalpha() else float(said.rstrip("%")) / 100.0


@says(
    r"NOT REFUTED: (?P<n>\S+) runs of (?P<name>.+?) did not break (?P<claim>.+?)\. "
    r"This is not a proof that it holds: (?P<seen>.*?)\.?"
)
def _not_refuted(found: re.Match[str], seen: Watched) -> None:
    assert read(found["n"]) == seen.runs
    assert seen.result.verdict is Verdict.NOT_REFUTED
    assert (found["name"], found["claim"]) == (seen.name, str(seen.result.claim))
    would_show(found["seen"], seen)


@says(r"NOT REFUTED: (?P<name>.+?), (?P<s>.) ≥ (?P<low>\S+?), at 99\.9% confidence; claimed is .+")
def _not_refuted_at_the_end(found: re.Match[str], seen: Watched) -> None:
    assert seen.result.verdict is Verdict.NOT_REFUTED and found["name"] == seen.name
    bounded(found["s"], found["low"], seen)


@says(
    r"NOT REFUTED, as it should be: (?P<n>\S+) runs of null on one dataset, audited against "
    r"itself, showed no difference beyond chance\.?|NOT REFUTED: null against itself"
)
def _null(found: re.Match[str], seen: Watched) -> None:
    assert seen.result.null and seen.result.verdict is Verdict.NOT_REFUTED
    assert found["n"] is None or read(found["n"]) == seen.runs


_FLOOR = (
    r"even an event that is certain on D and impossible on its neighbor takes (?P<runs>\S+) runs "
    r"to bet with on its own pair; give about --max-samples (?P<wanted>\d+)"
)


def _too_few(found: re.Match[str], seen: Watched) -> None:
    """Wealth grows by ln(1 + λ(1 − 0)) a pair at most, λ = e^-ε: fewer pairs never suffice."""
    least = 2.0 * math.log(1.0 / seen.result.alpha) / math.log1p(math.exp(-seen.result.claim.level))
    assert seen.result.verdict is Verdict.INCONCLUSIVE
    assert least <= read(found["runs"]) <= int(found["wanted"])
    assert seen.runs < least


@says(
    rf"INCONCLUSIVE: (?P<n>\S+) runs could not have refuted ε = 12 reliably, whatever too few "
    rf"does; {_FLOOR}\.?"
)
def _inconclusive(found: re.Match[str], seen: Watched) -> None:
    assert read(found["n"]) == seen.runs
    _too_few(found, seen)


says(rf"needed: {_FLOOR}")(_too_few)
says(
    r"This audit says nothing about the claim of ε = 12, neither for it nor against it\. To get "
    rf"an answer: {_FLOOR}"
)(_too_few)


@says(r"INCONCLUSIVE: too few, ε = 12: too few runs")
def _inconclusive_at_the_end(found: re.Match[str], seen: Watched) -> None:
    assert seen.result.verdict is Verdict.INCONCLUSIVE and seen.runs < 2 * math.exp(12.0)


@says(r"INCONCLUSIVE: the audit of (?P<name>\w+) against ε = 1 has no answer: (?P<why>.+)")
def _no_answer(found: re.Match[str], seen: Watched) -> None:
    assert found["name"] == seen.name
    _reason(found["why"], seen)


def _reason(why: str, seen: Watched) -> None:
    """Why there is no answer; what the mechanism does says whether it is true."""
    if seen.name == "dies":
        number = re.search(r"the first run to fail was number (\d+) \(RuntimeError", why)
        assert number is not None
        assert int(number[1]) == DIES_AFTER + 1
        return
    assert seen.name == "kept"
    assert "the black box keeps its noise" in why


_USABLE = r"a black box that gives usable, independent outputs; more runs alone do not help"


@says(
    rf"INCONCLUSIVE: (?P<name>\w+), ε = 1: no answer, for the reason above|needed: {_USABLE}|"
    r"This audit says nothing about the claim of ε = 1, neither for it nor against it\. To get "
    rf"an answer: {_USABLE}"
)
def _no_answer_at_the_end(found: re.Match[str], seen: Watched) -> None:
    assert seen.name in LAWLESS and found["name"] in (None, seen.name)
    assert seen.result.verdict is Verdict.INCONCLUSIVE


@says(
    r"The mechanism does not keep its claim of (?P<claim>.+?): its outputs tell two neighboring "
    r"datasets apart .* with probability at most 0\.1%\. The example below can be run again and "
    r"checked by hand"
)
def _answer(found: re.Match[str], seen: Watched) -> None:
    assert violator(seen) and found["claim"] == str(seen.result.claim)
    assert seen.result.alpha == 0.001


@says(
    r"This audit tried to break the claim of ε = 1 and did not succeed\. That does not show that "
    r"the claim holds: .*? What would have been seen: (?P<seen>.*)"
)
def _answer_not_refuted(found: re.Match[str], seen: Watched) -> None:
    assert seen.result.verdict is Verdict.NOT_REFUTED and not seen.result.null
    would_show(found["seen"], seen)


@says(
    r"The mechanism was audited against itself on one dataset, where there is nothing to find, "
    r"and nothing was found\. This checks the audit, not the mechanism"
)
def _answer_null(found: re.Match[str], seen: Watched) -> None:
    assert seen.result.null and seen.result.log_evalue < math.log(1.0 / seen.result.alpha)


@says(r"Hint: on D nearly every run fails\. .*")
def _hint_of_failures(found: re.Match[str], seen: Watched) -> None:
    assert seen.name == "raises"


@says(
    r"Hint: the loss grows towards the tail of the outputs, as under Gaussian noise, .* "
    r"this event takes a δ of about (?P<delta>\S+?)\.?"
)
def _hint_of_a_delta(found: re.Match[str], seen: Watched) -> None:
    assert seen.name == "gaussian"
    true_p, true_q = chances(seen, witness_of(seen.result))
    assert math.isclose(read(found["delta"]), true_p - math.e * true_q, abs_tol=0.05)
