"""The exact test of one event: its level by enumeration, for every dependence of the files."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from scipy.stats import binom

from audit.claims import ApproxDP, Claim, PureDP
from audit.verdict.recorded.exact_test import ExactTest

_Chances = tuple[float, float, float]
"""Of the event on both sides, on its own alone, on the other alone."""


def exactly(counts: Sequence[int], lines: int, chances: Sequence[float]) -> float:
    """The multinomial probability of these counts, the rest of the lines showing nothing."""
    cells = zip((*counts, lines - sum(counts)), (*chances, 1.0 - sum(chances)), strict=True)
    logs = (n * math.log(max(p, 1e-300)) - math.lgamma(n + 1) for n, p in cells)
    return math.exp(math.lgamma(lines + 1) + sum(logs))


def outcomes(
    lines: int, chances: _Chances, alpha: float, slope: float
) -> Iterator[tuple[ExactTest, float]]:
    """Every test that so many lines can come to, coins included, and its probability."""
    toss = 1.0 / (1.0 + slope)
    for both in range(lines + 1):
        for own in range(lines + 1 - both):
            for other in range(lines + 1 - both - own):
                chance = exactly((both, own, other), lines, chances)
                for heads in range(both + 1):
                    coins = np.array([0.0] * heads + [0.9] * (both - heads))
                    test = ExactTest(both, own, other, lines, 0, alpha, coins)
                    yield test, chance * exactly((heads,), both, (toss,))


def false_alarm(claim: Claim, lines: int, chances: _Chances, alpha: float) -> float:
    """Chance that the claim is refuted at its own level."""
    slope = math.exp(claim.level)
    found = outcomes(lines, chances, alpha, slope)
    return sum(chance for test, chance in found if test.refutes(claim, claim.level))


def tight(claim: Claim, other: float, together: float) -> _Chances:
    """A law that attains the claim, with so much of the other side's event on both."""
    slope, offset = map(float, claim.lines(claim.level)[0])
    both = together * other
    return both, slope * other + offset - both, other - both


CLAIMS = (PureDP(0.5), PureDP(1.5), ApproxDP(0.5, 0.5), ApproxDP(1.0, 0.01))


@pytest.mark.parametrize("together", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_what_attains_the_claim_is_refuted_with_at_most_alpha(
    claim: Claim, together: float
) -> None:
    laws = (tight(claim, other, together) for other in (0.0, 0.15, 0.3))
    for chances in (law for law in laws if sum(law) <= 1.0):
        for alpha in (0.02, 0.3):
            assert false_alarm(claim, 6, chances, alpha) <= alpha + 1e-12


@pytest.mark.parametrize("together", [0.0, 1.0])
def test_a_rare_event_spends_most_of_alpha_and_a_smaller_claim_is_refuted(together: float) -> None:
    claim, alpha = PureDP(0.5), 0.3
    chances = tight(claim, 0.3, together)
    assert false_alarm(claim, 10, chances, alpha) > 0.1
    assert false_alarm(PureDP(0.05), 10, chances, alpha) > alpha


def test_what_is_refuted_are_the_levels_below_a_root() -> None:
    rng = np.random.default_rng(1)
    for claim in (PureDP(1.0), ApproxDP(1.0, 0.001)):
        for both, own, other in rng.integers(0, 60, (6, 3)).tolist():
            coins = np.sort(rng.random(both))
            test = ExactTest(both, own, other, 200, 0, 0.05, coins)
            level = test.level(claim)
            found = [test.refutes(claim, at) for at in np.linspace(0.01, 4.0, 60)]
            assert found == sorted(found, reverse=True)
            assert level == 0.0 or test.refutes(claim, level)
            assert not test.refutes(claim, 1.001 * level + 1e-6)


def test_a_level_that_is_known_is_not_looked_for_again() -> None:
    test = ExactTest(0, 60, 5, 200, 0, 0.05, np.empty(0))
    level = test.level(PureDP(1.0))
    assert 1.0 < level < math.log(12.0)
    assert test.level(PureDP(1.0), 0.5) == pytest.approx(level, rel=1e-3)
    assert test.level(PureDP(1.0), 3.0) == 3.0


@pytest.mark.slow
def test_a_bound_exceeds_the_true_level_with_at_most_alpha() -> None:
    """The root with fewer strikes on successes by coin, the larger the level is."""
    rng, alpha, audits = np.random.default_rng(7), 0.2, 3000
    for claim, together in ((ApproxDP(1.0, 0.03), 1.0), (ApproxDP(2.0, 0.03), 0.0)):
        law = tight(claim, 0.1, together)
        above = 0
        for both, own, other, _ in rng.multinomial(60, (*law, 1.0 - sum(law)), audits).tolist():
            test = ExactTest(both, own, other, 60, 0, alpha, np.sort(rng.random(both)))
            above += test.level(ApproxDP(0.5, 0.03)) > claim.level
        assert above <= binom.ppf(1.0 - 1e-9, audits, alpha)
        assert above > 0


def test_strikes_on_successes_by_coin_are_fewer_where_coins_are_rare() -> None:
    """A strike that leaves its line costs more: with delta of the size of q it shows."""
    coins = np.sort(np.random.default_rng(3).random(450))
    test = ExactTest(450, 47_000, 430, 100_000, 0, 0.02, coins)
    level = test.level(ApproxDP(4.0, 1e-5))
    pure = test.level(PureDP(4.0))
    assert pure - 0.004 < level < pure
    assert test.log_tail(50.0, 6, 2) < test.log_tail(50.0, 6, 6) < test.log_tail(50.0, 7, 6)
    # No more strikes on coins than there are successes by coin, nor than strikes in all.
    assert test.log_tail(50.0, 6, 450) == test.log_tail(50.0, 6, 6)
