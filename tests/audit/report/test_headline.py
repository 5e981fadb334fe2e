"""The verdict in a few sentences: true of mechanisms whose laws are known."""

from __future__ import annotations

import dataclasses
import math
import re

import pytest

from audit.report.headline import headline, odds
from audit.report.numerals import read
from audit.report.size import bounds, size
from audit.verdict.estimate import Estimate
from audit.verdict.result import AuditResult, Verdict, Witness

from .known_truth import CERTAIN, MECHANISMS, VIOLATORS, audited, truth_of
from .sample_results import clopper_pearson, exception_violation, violation

_SHARE = r"(all|none|[\d.e+-]+%)"
_FRESH = re.compile(
    rf" in {_SHARE} of ([\d,]+) (?:fresh runs|recorded outputs) on \w+ and in {_SHARE} of "
)
_ALLOWED = re.compile(r"allows it at most (?:([\d.,e+]+) times )?as often on \w+ as on \w+(.*)")


def _share(said: str) -> float:
    return {"all": 1.0, "none": 0.0}.get(said) or float(said.rstrip("%").replace("none", "0")) / 100


def _line(said: str) -> tuple[float, float]:
    """Slope and offset as a reader takes them."""
    found = _ALLOWED.search(said)
    assert found is not None, said
    plus = re.search(r"plus ([\d.e+-]+)% of runs", found[2])
    return read(found[1] or "1"), float(plus[1]) / 100 if plus else 0.0


@pytest.mark.slow
@pytest.mark.parametrize("name", VIOLATORS)
def test_the_numbers_of_a_headline_break_the_claim_as_they_are_read(name: str) -> None:
    result = audited(name)
    assert result.verdict is Verdict.VIOLATION
    assert result.witness is not None
    said = headline(result)
    found = _FRESH.search(said)
    if not result.witness.separated or result.witness.function is not None:
        # Means of functions are read, and held against their law, in `truths`.
        assert found is None
        return
    assert found is not None
    here, there = _share(found[1]), _share(found[3])
    slope, offset = _line(said)
    assert here > slope * there + offset
    assert (slope, offset) == pytest.approx(
        (result.witness.slope, result.witness.offset), rel=0.01, abs=1e-12
    )


@pytest.mark.parametrize("name", VIOLATORS)
def test_the_shares_are_those_of_the_law(name: str) -> None:
    """Each interval misses with probability 0.001; seeds are fixed."""
    witness = audited(name).witness
    assert witness is not None
    true_p, true_q = truth_of(name, witness)
    assert witness.p.low <= true_p <= witness.p.high
    assert witness.q.low <= true_q <= witness.q.high
    if witness.separated:
        assert true_p > witness.slope * true_q + witness.offset


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(MECHANISMS))
def test_no_bound_exceeds_the_truth(name: str) -> None:
    result, truth = audited(name), MECHANISMS[name].levels
    for level, bound in result.levels.items():
        assert bound <= truth[level]
    for said in re.findall(r"at least \S+ = ([\d.]+)", size(result)):
        assert result.claim.stated(result.claim.level) < float(said)
        assert any(float(said) <= bound for bound in result.levels.values())
    for said in re.findall(r"≥ ([\d.]+)", bounds(result)):
        assert any(float(said) <= bound for bound in result.levels.values())


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(MECHANISMS))
def test_no_finite_epsilon_is_in_sight_only_where_there_is_none(name: str) -> None:
    said = headline(audited(name))
    if "no finite ε is in sight" in said:
        assert math.isinf(MECHANISMS[name].levels["epsilon_lower"])
    assert ("no finite ε is in sight" in said) == (name in CERTAIN)


def test_an_event_seen_only_a_few_times_does_not_say_that_epsilon_is_infinite() -> None:
    witness = dataclasses.replace(
        _witness(violation()), p=clopper_pearson(60, 4000, 0.001), q=clopper_pearson(0, 4000, 0.001)
    )
    assert witness.separated
    assert "in sight" not in odds(witness)
    assert "in 1.5% of 4,000 fresh runs on D and in none of 4,000 on D1" in odds(witness)


def test_the_size_of_the_loss_is_in_the_headline() -> None:
    assert "breaks ε = 0.5: at least ε = 2.71, where ε = 0.5 is claimed. " in headline(violation())
    said = headline(exception_violation())
    assert "at least ε = ∞ at δ = 1e-05, where ε = 1 is claimed" in said
    assert "at least ρ = " in headline(audited("concentrated"))


def test_a_bound_close_above_the_claim_is_shown_above_it() -> None:
    close = dataclasses.replace(violation(), levels={"epsilon_lower": 0.5004})
    assert size(close) == "at least ε = 0.5004, where ε = 0.5 is claimed"
    below = dataclasses.replace(violation(), levels={"epsilon_lower": 0.49})
    assert size(below) == ""
    assert headline(below).startswith("VIOLATION: noisy-average breaks ε = 0.5. The output is")


def _witness(result: AuditResult) -> Witness:
    assert result.witness is not None
    return result.witness


def _close(p: float, q: float) -> Witness:
    """Estimates that satisfy the claim although the bets were won."""
    witness = dataclasses.replace(
        _witness(violation()),
        p=Estimate(p, 0.9 * p, 1.1 * p),
        q=Estimate(q, 0.9 * q, 1.1 * q),
        slope=1.1,
    )
    assert not witness.separated
    return witness


@pytest.mark.parametrize(("p", "q"), [(0.032, 0.032), (0.0325, 0.0295), (0.5, 0.45)])
def test_numbers_that_the_claim_allows_are_never_in_the_headline(p: float, q: float) -> None:
    said = odds(_close(p, q))
    assert "%" not in said
    assert "Bets won on this event, on D more often than on D1: the output is at least 42.1" in said


@pytest.mark.parametrize(
    ("counts", "quoted"),
    [((1204, 301, 90_000), True), ((1105, 1000, 9000), True), ((1100, 1000, 9000), False)],
)
def test_the_bets_that_won_are_quoted_instead(counts: tuple[int, int, int], quoted: bool) -> None:
    witness = dataclasses.replace(_close(0.032, 0.032), counts=counts)
    said = odds(witness)
    here, there, pairs = counts
    shown = f"Of {pairs:,} pairs of runs bet on, {here:,} on D and {there:,} on D1 show this event"
    assert (shown in said) == quoted
    if quoted:
        slope, offset = _line(said)
        assert counts[0] > slope * counts[1] + offset * counts[2]
        assert "show this event: the output is at least 42.1; " in said


def test_counts_of_a_claim_with_a_delta_are_held_against_it() -> None:
    close = dataclasses.replace(_close(0.032, 0.032), offset=0.01)
    assert "plus 1% of runs" in odds(dataclasses.replace(close, counts=(1205, 1000, 10_000)))
    assert "Bets won" in odds(dataclasses.replace(close, counts=(1195, 1000, 10_000)))


@pytest.mark.parametrize(
    ("p", "q", "shown"),
    [
        ((9999, 10_000), (3000, 10_000), "in 99.99% of 4,000"),
        ((1, 1), (3000, 10_000), "in all of 4,000"),
    ],
)
def test_nearly_all_is_not_all(p: tuple[int, int], q: tuple[int, int], shown: str) -> None:
    share, other = p[0] / p[1], q[0] / q[1]
    witness = dataclasses.replace(
        _witness(violation()),
        p=Estimate(share, 0.99 * share, share),
        q=Estimate(other, 0.99 * other, 1.01 * other),
    )
    assert shown in odds(witness)


def test_recorded_outputs_are_not_called_fresh_runs() -> None:
    result = dataclasses.replace(violation(), recorded=True)
    assert "recorded outputs on D" in headline(result)
    assert "fresh" not in headline(result)


def test_a_violation_without_a_witness_still_has_its_size() -> None:
    result = dataclasses.replace(violation(), witness=None)
    assert "at least ε = 2.71" in headline(result)
    assert "no single event stands out" in headline(result)


@pytest.mark.parametrize("verdict", [Verdict.VIOLATION, Verdict.NOT_REFUTED])
def test_the_null_self_check_accuses_the_draws_not_the_claim(verdict: Verdict) -> None:
    said = headline(dataclasses.replace(violation(), verdict=verdict, null=True))
    assert "breaks" not in said
    assert "itself" in said
