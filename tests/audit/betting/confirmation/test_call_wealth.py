"""Wealth won call by call: fair whatever the outputs of a call have in common."""

from __future__ import annotations

import itertools
import math
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from audit.betting.confirmation.call_wealth import CallWealth
from audit.betting.confirmation.event_bet import EventBet
from audit.betting.confirmation.leading_bet import LeadingBet
from audit.claim import ApproxDP, Claim, GaussianDP, PureDP
from audit.outcomes.binning import Binning
from audit.outcomes.encoding import OUTPUT, encode
from audit.outcomes.features import Part

ALPHA = 0.05


def bet_on(claim: Claim, *, double: bool, line: int = 0) -> EventBet:
    """On outputs 0 and 1: the event of a 1, with that of a 0 in the other direction."""
    binning = Binning.of([1.0])
    plus = np.array([False, True, False])
    minus = np.array([double, False, False])
    joint = np.zeros((3, 3), np.int64)
    joint[:2, :2] = [[20, 5], [45, 30]]
    return EventBet(0, Part(OUTPUT), binning, True, joint, plus=plus, minus=minus, place=line)


def wealth_of(claim: Claim, size: int, *, double: bool, share: float = 1.0) -> CallWealth:
    bet = bet_on(claim, double=double)
    return CallWealth.against(claim, claim.level, ALPHA, share, [bet], size)


def happened(bet: LeadingBet, left: list[int], right: list[int], size: int) -> NDArray[np.int64]:
    here, there = (encode(np.array(side, float), len(side)) for side in (left, right))
    sums: NDArray[np.int64] = bet.sums(here, there, size)
    return sums


@pytest.mark.parametrize("double", [False, True])
@pytest.mark.parametrize("claim", [PureDP(0.7), ApproxDP(0.5, 0.2), GaussianDP(1.0)])
def test_a_call_that_repeats_one_output_is_a_fair_bet(claim: Claim, double: bool) -> None:
    """All outputs of a call the same: the worst that can be in common. Exact expectation."""
    slope, offset = claim.lines(claim.level)[0]
    # Randomized response as far apart as the line allows, in both directions.
    truth = (slope + offset) / (1.0 + slope)
    size, mean = 8, 0.0
    for left, right in itertools.product((0, 1), repeat=2):
        chance = (truth if left else 1 - truth) * (1 - truth if right else truth)
        wealth = wealth_of(claim, size, double=double)
        bet = wealth.bets[0]
        wealth.add([happened(bet, [left] * size, [right] * size, size)])
        mean += chance * math.exp(wealth.log_wealth(claim.level))
    assert mean == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize("level", [1.0, 1.5, 3.0, 6.0])
def test_stakes_for_one_level_win_nothing_unfair_against_a_larger_one(level: float) -> None:
    """An event that is certain here, and as rare there as the level allows. Exact expectation."""
    rare, calls, mean = math.exp(-level), 3, 0.0
    for seen in itertools.product((0, 1), repeat=calls):
        wealth = wealth_of(PureDP(1.0), 1, double=False)
        for right in seen:
            wealth.add([happened(wealth.bets[0], [1], [right], 1)])
        chance = math.prod(rare if right else 1.0 - rare for right in seen)
        mean += chance * math.exp(wealth.log_wealth(level))
    assert mean <= 1.0 + 1e-9
    # As many of them as are fair at the larger level go on.
    assert mean > (0.9 if level == 1.0 else 0.01)


def test_a_bound_beyond_the_level_it_was_meant_for_is_what_fair_stakes_have_won() -> None:
    wealth = wealth_of(PureDP(1.0), 1, double=False)
    for _ in range(60):
        wealth.add([happened(wealth.bets[0], [1], [0], 1)])
    # Sixty calls cannot show more than (1 + 1/a)^60 = 1/ALPHA, even at the best stake.
    possible = -math.log(math.expm1(-math.log(ALPHA) / 60))
    assert 1.0 < wealth.lower_bound() <= possible


def test_draw_by_draw_the_same_call_would_be_no_fair_bet() -> None:
    """What the bets themselves take for eight draws is one: that is what is mended here."""
    claim, size, mean = PureDP(0.7), 8, 0.0
    truth = math.exp(0.7) / (1 + math.exp(0.7))
    for left, right in itertools.product((0, 1), repeat=2):
        chance = (truth if left else 1 - truth) * (1 - truth if right else truth)
        wealth = wealth_of(claim, 1, double=False)
        wealth.add([happened(wealth.bets[0], [left] * size, [right] * size, 1)])
        mean += chance * math.exp(wealth.log_wealth(claim.level))
    assert mean > 1.5


def test_sorted_outputs_of_a_call_are_counted_as_if_they_were_not() -> None:
    wealth = wealth_of(PureDP(0.7), 6, double=True)
    one = happened(wealth.bets[0], [0, 1, 1, 0, 1, 0], [1, 0, 0, 1, 0, 0], 6)
    two = happened(wealth.bets[0], [0, 0, 0, 1, 1, 1], [0, 0, 0, 0, 1, 1], 6)
    assert (one == two).all()


@pytest.mark.parametrize("double", [False, True])
def test_wealth_falls_as_the_level_grows_and_the_bound_is_its_root(double: bool) -> None:
    claim = PureDP(0.5)
    wealth = wealth_of(claim, 4, double=double)
    rng = np.random.default_rng(1)
    left, right = (rng.random((2, 4000)) < [[0.8], [0.2]]).astype(int).tolist()
    wealth.add([happened(wealth.bets[0], left, right, 4)])
    worth = [wealth.log_wealth(level) for level in np.linspace(0.01, 3.0, 40)]
    assert all(a >= b for a, b in itertools.pairwise(worth))
    bound = wealth.lower_bound()
    assert 0.5 < bound < math.log(4.0)
    assert wealth.log_wealth(bound) >= wealth.goal > wealth.log_wealth(bound * 1.001)


def test_part_of_the_wealth_is_part_of_the_chance() -> None:
    whole, part = (wealth_of(PureDP(0.7), 4, double=False, share=s) for s in (1.0, 0.1))
    for wealth in (whole, part):
        wealth.add([happened(wealth.bets[0], [1] * 4, [0] * 4, 4)])
    assert part.log_wealth(0.7) == pytest.approx(whole.log_wealth(0.7) - math.log(10))


def test_stakes_that_an_outcome_ruins_are_worth_nothing_and_no_nan() -> None:
    claim = PureDP(0.1)
    wealth = wealth_of(claim, 1, double=False)
    # At so high a level even the smallest of the stakes is more than may be lost.
    wealth.add([happened(wealth.bets[0], [0], [1], 1)])
    assert wealth.log_wealth(9.0) == -math.inf
    assert wealth.lower_bound() == 0.0


@pytest.mark.parametrize("level", [0.7, 1.0, 2.0])
def test_levels_beyond_the_one_that_stakes_are_made_for_are_fair_too(level: float) -> None:
    """The event is exactly e^level times as likely on D; stakes are meant for less."""
    wealth = wealth_of(PureDP(0.2), 1, double=False)
    chances = {1: math.exp(level) * 0.1, 0: 0.1}
    mean = 0.0
    for left, right in product((0, 1), (0, 1)):
        game = wealth_of(PureDP(0.2), 1, double=False)
        game.add([happened(wealth.bets[0], [left], [right], 1)])
        chance = abs(1 - left - chances[1]) * abs(1 - right - chances[0])
        mean += chance * math.exp(game.log_wealth(level))
    assert mean <= 1.0 + 1e-9


@pytest.mark.parametrize("common", [0.0, 0.1])
def test_noise_common_to_a_call_wins_nothing(common: float) -> None:
    """Both arms at one level: too much is won in at most 5% of 400 games (binomial, 1e-9)."""
    claim, size, won = PureDP(0.5), 50, 0
    # The events P(N > 0) and P(N > -c), as far apart as the claim allows.
    truth = math.exp(0.5) / (1 + math.exp(0.5))
    for seed in range(400):
        rng, wealth = np.random.default_rng(seed), wealth_of(claim, size, double=True)
        shift = rng.normal(0, math.sqrt(common), (2, 40, 1))
        noise = shift + rng.normal(0, math.sqrt(1 - common), (2, 40, size))
        edge = np.array([-_quantile(truth), _quantile(truth)]).reshape(2, 1, 1)
        left, right = (noise > edge).astype(int).reshape(2, -1).tolist()
        wealth.add([happened(wealth.bets[0], left, right, size)])
        won += wealth.look(0.5)
    assert won <= 51


def _quantile(chance: float) -> float:
    from scipy.stats import norm

    return float(norm.ppf(chance))
