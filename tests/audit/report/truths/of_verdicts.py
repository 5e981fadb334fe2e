"""Headlines, measurements and hints."""

from __future__ import annotations

import math
import re

from audit.report.causes import CAUSES
from audit.report.formatting import read
from audit.verdict.result import Verdict

from ..known_truth import DIES_AFTER, LAWLESS, MECHANISMS, Watched
from .rule import (
    bounded,
    chances,
    event_words,
    likely,
    says,
    sides,
    violator,
    witness_of,
    would_show,
)


@says(
    r"FAIL: (?P<name>.+?) (?:is not (?P<pure>.+) differentially private|does not satisfy "
    r"(?P<claim>.+))"
)
def _a_violation(found: re.Match[str], seen: Watched) -> None:
    assert found["name"] == seen.name
    assert violator(seen) and seen.result.verdict is Verdict.VIOLATION
    claim = found["pure"] or found["claim"]
    assert claim == ("its curve" if seen.name == "curve" else str(seen.result.claim))


_BOUND = r"(?P<s>.|shift) ≥ (?P<low>\S+)(?: at δ = (?P<delta>\S+))?"


def _bound(found: re.Match[str], seen: Watched) -> None:
    assert found["delta"] is None or read(found["delta"]) == MECHANISMS[seen.name].claim["delta"]
    bounded(found["s"], found["low"], seen)


@says(rf"stated: measured: {_BOUND} \(99\.9% confidence\) on the worst pair found")
def _measured(found: re.Match[str], seen: Watched) -> None:
    _bound(found, seen)
    assert seen.result.worst is not None
    assert (seen.result.worst.dataset, seen.result.worst.neighbor) == ([1.0], [])
    assert read(found["low"]) > seen.result.claim.stated(seen.result.claim.level)


@says(r"stated: unbounded: no noise")
def _unbounded(found: re.Match[str], seen: Watched) -> None:
    assert MECHANISMS[seen.name].cause == "no-noise"


@says(
    r"stated: 0 of (?P<runs>\S+) on (?P<other>D'?): the loss may be unlimited; the bound grows "
    r"with the runs"
)
def _never(found: re.Match[str], seen: Watched) -> None:
    witness = witness_of(seen.result)
    runs = int(read(found["runs"]))
    assert witness.q.estimate == 0.0 and found["other"] == sides(witness)[1]
    assert runs == (witness.draws if witness.counts is None else witness.counts[2])
    likely(0, runs, chances(seen, witness)[1])
    assert MECHANISMS[seen.name].cause != "no-noise"


@says(
    r"For a release: (?:(?P<fail>not under this claim; fix the cause, then audit again)|(?P<none>"
    r"this audit is no basis for a decision)|undecided, as (?P<why>evidence against "
    r"the claim has grown|twice the claimed ε may have passed)|nothing was found against one"
    r"(?P<rounded> of rounded outputs)?(?P<unseen>, if nobody sees how long runs take)?; this is "
    r"no proof)"
)
def _for_a_release(found: re.Match[str], seen: Watched) -> None:
    result = seen.result
    assert bool(found["fail"]) is (result.verdict is Verdict.VIOLATION)
    assert bool(found["none"]) is (result.verdict is Verdict.INCONCLUSIVE)
    if found["why"]:
        grown = found["why"].startswith("evidence")
        assert result.verdict is Verdict.NOT_REFUTED
        assert grown is (result.suggestive is not None)
        assert grown or (result.detectable_epsilon or 0.0) > 2.0 * result.claim.level
    elif result.verdict is Verdict.NOT_REFUTED:
        kinds = {leak.kind for leak in result.leaks}
        assert bool(found["rounded"]) is ("floating-point" in kinds)
        assert bool(found["unseen"]) is ("timing" in kinds)


@says(rf"stated: lower bound: {_BOUND} \(99\.9% confidence\)")
def _earned(found: re.Match[str], seen: Watched) -> None:
    _bound(found, seen)
    assert seen.result.verdict is Verdict.NOT_REFUTED


@says(r"(?:lower bound|Lower bounds measured): none; claimed: (?P<claim>.+)")
def _no_bound(found: re.Match[str], seen: Watched) -> None:
    result = seen.result
    assert found["claim"] == str(result.claim)
    assert result.levels[result.claim.bound] <= result.claim.stated(0.0)


@says(
    r"estimate: (?P<s>\S+) ≈ (?P<level>\S+) ± (?P<error>\S+) \(standard error, "
    r"(?P<units>\S+) units after the leading event was chosen; no confidence level\)"
)
def _estimate(found: re.Match[str], seen: Watched) -> None:
    claim, error = seen.result.claim, read(found["error"])
    assert found["s"] == claim.symbol
    assert read(found["level"]) < MECHANISMS[seen.name].levels[claim.bound] + 5.0 * error
    assert 0 < read(found["units"]) <= seen.result.effort["bets"]


@says(r"stated: lower bound: none")
def _none_earned(found: re.Match[str], seen: Watched) -> None:
    assert seen.result.verdict is Verdict.NOT_REFUTED and seen.result.epsilon_lower == 0.0


@says(rf"Worst pair found: the same, {_BOUND}")
def _worst(found: re.Match[str], seen: Watched) -> None:
    """There is one pair only."""
    _bound(found, seen)
    assert seen.result.tried[0].startswith("1 pair of datasets: D1")


@says(rf"short: {_BOUND}, claimed (?P<level>\S+): (?P<why>.+)")
def _short(found: re.Match[str], seen: Watched) -> None:
    _bound(found, seen)
    assert read(found["level"]) == seen.result.claim.stated(seen.result.claim.level)
    witness = witness_of(seen.result)
    function = "means of a function of the output"
    if found["why"] in {cause.short for cause in CAUSES.values()}:
        assert found["why"] == CAUSES[MECHANISMS[seen.name].cause].short
        return
    assert found["why"] == (event_words(witness) if witness.function is None else function)


@says(r"NOT REFUTED: (?P<name>.+?): no violation of (?P<claim>.+) was found")
def _not_refuted(found: re.Match[str], seen: Watched) -> None:
    assert seen.result.verdict is Verdict.NOT_REFUTED
    assert (found["name"], found["claim"]) == (seen.name, str(seen.result.claim))


@says(r"stated: not a proof: (?P<stated>.*)|short: ε = 1; (?P<short>.*)|power: (?P<power>.*)")
def _power(found: re.Match[str], seen: Watched) -> None:
    assert seen.result.verdict is Verdict.NOT_REFUTED
    would_show(next(filter(None, found.groups())), seen)


@says(
    r"NOT REFUTED: null: D against itself: no difference|"
    r"(?:stated|short): as expected: this checks the audit, not the mechanism"
)
def _null(found: re.Match[str], seen: Watched) -> None:
    assert seen.result.null and seen.result.verdict is Verdict.NOT_REFUTED
    assert seen.result.log_evalue < math.log(1.0 / seen.result.alpha)


@says(
    r"stated: (?P<n>\S+) runs cannot refute ε = 12, whatever the mechanism does: even an event "
    r"that is certain on D and impossible on D' takes (?P<runs>\S+) runs"
)
def _too_few(found: re.Match[str], seen: Watched) -> None:
    """Wealth grows by ln(1 + λ(1 − 0)) a pair at most, λ = e^-ε: fewer pairs never suffice."""
    least = 2.0 * math.log(1.0 / seen.result.alpha) / math.log1p(math.exp(-seen.result.claim.level))
    assert seen.runs <= read(found["n"]) == MECHANISMS[seen.name].options["max_samples"]
    assert read(found["n"]) < least <= read(found["runs"])
    assert seen.result.wanted >= read(found["runs"])


@says(r"short: ε = 12: (?P<n>\S+) runs cannot refute ε = 12")
def _too_few_in_short(found: re.Match[str], seen: Watched) -> None:
    assert seen.runs <= read(found["n"]) < 2 * math.exp(12.0)


@says(r"What to do: give max_samples=(?P<wanted>\d+)")
def _wanted(found: re.Match[str], seen: Watched) -> None:
    assert seen.name == "too few" and int(found["wanted"]) == seen.result.wanted


@says(r"INCONCLUSIVE: (?P<name>.+): no answer about (?P<claim>.+)")
def _no_answer(found: re.Match[str], seen: Watched) -> None:
    assert seen.result.verdict is Verdict.INCONCLUSIVE
    assert (found["name"], found["claim"]) == (seen.name, str(seen.result.claim))


@says(r"What to do: make runs give usable, independent outputs; more runs alone do not help")
def _usable(found: re.Match[str], seen: Watched) -> None:
    assert seen.name in LAWLESS


@says(r"(?:stated|short): (?:ε = 1: )?(?P<why>.+)")
def _reason(found: re.Match[str], seen: Watched) -> None:
    """Why there is no answer; what the mechanism does says whether it is true."""
    assert seen.result.verdict is Verdict.INCONCLUSIVE and seen.name in LAWLESS
    number = re.search(r"the first run to fail was number (\d+) \(RuntimeError", found["why"])
    assert number is not None
    assert int(number[1]) == DIES_AFTER + 1


@says(r"Hint: nearly every run on D fails, .*")
def _hint_of_failures(found: re.Match[str], seen: Watched) -> None:
    assert seen.name == "raises"


@says(
    r"Hint: the loss grows towards the tail of the outputs, as under Gaussian noise, .* "
    r"\(this event takes a δ of about (?P<delta>\S+)\)"
)
def _hint_of_a_delta(found: re.Match[str], seen: Watched) -> None:
    assert seen.name == "gaussian"
    true_p, true_q = chances(seen, witness_of(seen.result))
    assert math.isclose(read(found["delta"]), true_p - math.e * true_q, abs_tol=0.05)
