"""Bets on functions: fair while the divergence keeps its bound, and no longer."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.betting.candidate_table import sketched
from audit.betting.e_process import Floats
from audit.betting.function_candidates import Candidates, Counted
from audit.betting.functions import CAPS, UNIT, Functions, fastest_growth
from audit.betting.inequalities import Inequalities
from audit.betting.position import Position
from audit.claim import Claim, PureDP, RenyiDP, ZeroConcentratedDP
from audit.outcomes.encoding import OUTPUT, encode
from audit.outcomes.features import Part
from audit.outcomes.paired import PairedOutcomes
from tests.audit.betting.test_learning import portfolio_from

ORDERS = (1.0, 1.5, 2.0, 3.0, 8.0)
LAWS = st.lists(st.floats(0.02, 1.0), min_size=4, max_size=4).map(np.array)
VALUES = st.lists(st.floats(0.0, 6.0), min_size=4, max_size=4).map(np.array)


def divergence(order: float, left: Floats, right: Floats) -> float:
    """The Rényi divergence of one law from another."""
    if order == 1.0:
        return float((left * np.log(left / right)).sum())
    return math.log(float((left**order * right ** (1.0 - order)).sum())) / (order - 1.0)


def best(order: float, left: Floats, right: Floats) -> Floats:
    """The function that no bet on this divergence does better than."""
    ratio = left / right
    if order == 1.0:
        return np.log(ratio)
    power = ratio ** (order - 1.0)
    dual = order / (order - 1.0)
    return np.asarray(power / float((right * power**dual).sum()) ** (1.0 / dual))


@pytest.mark.parametrize("order", [1.0000001, 1.001])
def test_what_costs_more_than_floats_hold_is_not_staked_on(order: float) -> None:
    """Warnings are errors here."""
    near = fastest_growth(np.array([[order, 1.0]]))
    assert 0.0 <= near < fastest_growth(np.array([[1.01, 1.0]]))


def bet_on(values: Floats, order: float, forward: bool = True) -> Functions:
    level = np.array([[order, 1.0]])
    return Functions.of(np.array([0]), np.array([forward]), values[None], level)


def mean_payoff(bet: Functions, joint: Floats, order: float, bound: float) -> float:
    cells = np.indices(joint.shape).reshape(2, -1)
    paid = bet.payoffs((cells[0], cells[1]), np.array([[order, bound]]))
    return float(paid[0] @ joint.ravel())


def coupled(left: Floats, right: Floats) -> Floats:
    """As much as possible on the same bin, the rest apart."""
    both = np.minimum(left, right)
    rest = 1.0 - both.sum()
    joint = np.diag(both)
    return joint if rest < 1e-12 else joint + np.outer(left - both, right - both) / rest


@pytest.mark.parametrize("together", [True, False])
@pytest.mark.parametrize("forward", [True, False])
@pytest.mark.parametrize("order", ORDERS)
@given(left=LAWS, right=LAWS, values=VALUES)
def test_no_function_gains_on_average_while_the_divergence_keeps_its_bound(
    order: float, forward: bool, together: bool, left: Floats, right: Floats, values: Floats
) -> None:
    left, right = left / left.sum(), right / right.sum()
    bound = divergence(order, *((left, right) if forward else (right, left)))
    joint = coupled(left, right) if together else np.outer(left, right)
    if order == 1.0:
        values = values - 3.0
    assert mean_payoff(bet_on(values, order, forward), joint, order, bound) <= 1e-9


@pytest.mark.parametrize("forward", [True, False])
@pytest.mark.parametrize("order", ORDERS)
def test_the_best_function_is_exactly_fair_and_gains_against_less(
    order: float, forward: bool
) -> None:
    left, right = np.array([0.5, 0.3, 0.15, 0.05]), np.array([0.2, 0.3, 0.3, 0.2])
    own, other = (left, right) if forward else (right, left)
    bound, values = divergence(order, own, other), best(order, own, other)
    bet, joint = bet_on(values, order, forward), coupled(left, right)
    assert -3.0 / UNIT <= mean_payoff(bet, joint, order, bound) <= 0.0
    assert mean_payoff(bet, joint, order, 0.8 * bound) > 0.01
    # The other direction has another divergence, whose bound this function does not reach.
    turned = bet_on(values, order, not forward)
    assert mean_payoff(turned, joint, order, divergence(order, other, own)) < 0.0


@given(values=VALUES, order=st.sampled_from(ORDERS), level=st.floats(0.01, 5.0))
def test_no_pair_of_bins_ruins_whoever_bets_the_largest_stake(
    values: Floats, order: float, level: float
) -> None:
    bet, divergences = bet_on(values - 3.0 * (order == 1.0), order), np.array([[order, level]])
    everything = np.ones((4, 4), np.int64)
    stakes = bet.largest_stakes(divergences)[:, None] * 0.999
    assert np.isfinite(bet.experts(everything, divergences, stakes)).all()
    cells = np.indices((4, 4)).reshape(2, -1)
    factors = 1.0 + stakes * bet.payoffs((cells[0], cells[1]), divergences)
    assert factors.min() > 0.0
    assert np.isneginf(bet.experts(everything, divergences, stakes * 1.01)).all()


@given(values=VALUES, order=st.sampled_from(ORDERS), joint=st.integers(0, 1 << 30))
def test_wealth_falls_as_the_level_grows(values: Floats, order: float, joint: int) -> None:
    bet = bet_on(values - 3.0 * (order == 1.0), order)
    counts = np.random.default_rng(joint).integers(0, 20, (4, 4))
    stakes = 0.3 * bet.largest_stakes(np.array([[order, 5.0]]))[:, None]
    levels = [0.01, 0.1, 0.5, 1.0, 2.0, 5.0]
    earned = [float(bet.experts(counts, np.array([[order, e]]), stakes)[0, 0]) for e in levels]
    assert all(more >= less - 1e-9 for more, less in pairwise(earned))


@pytest.mark.parametrize(
    ("claim", "there"),
    [(ZeroConcentratedDP(0.5), True), (RenyiDP(2.0, 1.0), True), (PureDP(1.0), False)],
)
def test_functions_are_bet_on_where_a_claim_bounds_divergences(claim: Claim, there: bool) -> None:
    portfolio = portfolio_from(gaussian(1, 400), claim)
    assert bool(portfolio.functions) is there
    if there:
        weights = np.concatenate([table.log_prior.ravel() for table in portfolio.functions])
        assert np.exp(weights).sum() == pytest.approx(1.0)
        position = Position.of(0, 1.0, portfolio)
        assert position.log_wealth(Inequalities.at(claim, claim.level)) <= 1e-9
        lowest = Inequalities.at(claim, 1e-6 * claim.level)
        assert position.log_wealth(lowest) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("claim", [ZeroConcentratedDP(0.5), RenyiDP(2.0, 0.5)])
def test_functions_are_capped_where_the_sides_have_nothing_in_common(claim: Claim) -> None:
    """An infinite value would leave no stake above 0."""
    bounds = claim.divergences(claim.level)
    counted = Counted.of(sketched(Part(OUTPUT), gaussian(1, 4000, shift=30.0), 16))
    functions = Candidates.of(counted, bounds).functions
    first = bounds[functions.places, 0] == 1.0
    most = np.where(first, 2.0 * math.log(CAPS[-1]), CAPS[-1])
    assert (functions.gain.max(axis=1) / UNIT <= most + 1.0 / UNIT).all()
    assert (functions.largest_stakes(bounds) > 1.0 / CAPS[-1] ** 3).all()


def test_functions_come_from_the_past_alone() -> None:
    claim = ZeroConcentratedDP(0.5)
    portfolio = portfolio_from(gaussian(2, 400), claim)
    before = [(t.functions.gain.copy(), t.functions.cost.copy()) for t in portfolio.functions]
    position, later = Position.of(0, 1.0, portfolio), gaussian(3, 5000, shift=4.0)
    position.add(portfolio.count(later.left, later.right))
    position.log_wealth(Inequalities.at(claim, claim.level))
    for table, (gain, cost) in zip(portfolio.functions, before, strict=True):
        np.testing.assert_array_equal(table.functions.gain, gain)
        np.testing.assert_array_equal(table.functions.cost, cost)


@pytest.mark.parametrize("order", ORDERS)
def test_nothing_grows_faster_than_what_sides_with_nothing_in_common_allow(order: float) -> None:
    divergences = np.array([[order, 1.0]])
    fastest = fastest_growth(divergences)
    assert fastest > 0.0
    apart = np.array([[0, 1], [0, 0]])
    rng = np.random.default_rng(0)
    for _ in range(200):
        values = rng.uniform(0.025, 40.0, 2)
        bet = bet_on(np.log(values) if order == 1.0 else values, order)
        earned = bet.experts(apart, divergences, bet.stakes(divergences))
        assert earned.max() <= fastest * 1.01 + 1e-3


def gaussian(seed: int, size: int, shift: float = 1.0) -> PairedOutcomes:
    noise = np.random.default_rng(seed).normal(size=size)
    return PairedOutcomes(encode(noise + shift, size), encode(noise, size))
