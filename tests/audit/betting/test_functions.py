"""Bets on functions: fair while the divergence keeps its bound, and no longer."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from audit.betting.event_families import Reading
from audit.betting.functions import CAPS, UNIT, Candidates, Functions, fastest_growth
from audit.claims import ZCDP, Claim, PureDP, RenyiDP
from audit.outcomes.encoding import OUTPUT, Outcomes, encode
from audit.outcomes.features import Part
from tests.audit.betting.stakes import largest_stakes

Floats = NDArray[np.float64]
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
def test_costs_beyond_floats_are_not_staked_on(order: float) -> None:
    """Warnings are errors here."""
    near = fastest_growth(np.array([[order, 1.0]]))
    assert 0.0 <= near < fastest_growth(np.array([[1.01, 1.0]]))


def bet_on(values: Floats, order: float, forward: bool = True) -> Functions:
    level = np.array([[order, 1.0]])
    return Functions.of(np.array([0]), np.array([forward]), values[None], level)


def payoffs(bet: Functions, order: float, bound: float) -> Floats:
    """Bracket of one output on each dataset, shape (bins on D, bins on D′)."""
    scale, offset = bet.terms(np.array([[order, bound]]))
    gain, cost = bet.gain[0] / UNIT, bet.cost[0] / UNIT
    table = scale[0] * gain[:, None] - cost[None, :] - offset[0]
    return np.asarray(table if bet.forward[0] else table.T)


def mean_payoff(bet: Functions, joint: Floats, order: float, bound: float) -> float:
    return float((payoffs(bet, order, bound) * joint).sum())


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


@pytest.mark.slow
@given(values=VALUES, order=st.sampled_from(ORDERS), level=st.floats(0.01, 5.0))
def test_no_outputs_make_the_wealth_negative_at_the_largest_stake(
    values: Floats, order: float, level: float
) -> None:
    bet = bet_on(values - 3.0 * (order == 1.0), order)
    stake = float(largest_stakes(bet, np.array([[order, level]]))[0])
    lowest = float((1.0 + stake * payoffs(bet, order, level)).min())
    assert lowest >= -1e-9
    # The stake is the largest one if some outputs cost most and gain nothing.
    worst = 1.0 - stake * (
        float(bet.cost.max()) / UNIT + float(bet.terms(np.array([[order, level]]))[1][0])
    )
    assert worst == pytest.approx(0.0, abs=1e-9)


@given(values=VALUES, order=st.sampled_from(ORDERS))
def test_payoffs_fall_as_the_level_grows(values: Floats, order: float) -> None:
    bet = bet_on(values - 3.0 * (order == 1.0), order)
    tables = [payoffs(bet, order, level) for level in (0.01, 0.1, 0.5, 1.0, 2.0, 5.0)]
    assert all((more >= less - 1e-12).all() for more, less in pairwise(tables))


@pytest.mark.parametrize(
    ("claim", "there"),
    [(ZCDP(0.5), True), (RenyiDP(2.0, 1.0), True), (PureDP(1.0), False)],
)
def test_functions_are_bet_on_if_a_claim_bounds_divergences(claim: Claim, there: bool) -> None:
    reading = reading_of(gaussian(1, 400))
    reading.study(claim.divergences(claim.level))
    assert (reading.functions is not None) is there


@pytest.mark.parametrize("claim", [ZCDP(0.5), RenyiDP(2.0, 0.5)])
def test_functions_are_capped_if_the_datasets_have_nothing_in_common(claim: Claim) -> None:
    """An infinite value would leave no stake above 0."""
    bounds = claim.divergences(claim.level)
    functions = Candidates.of(reading_of(gaussian(1, 4000, shift=30.0)), bounds).functions
    first = bounds[functions.places, 0] == 1.0
    most = np.where(first, 2.0 * math.log(CAPS[-1]), CAPS[-1])
    assert (functions.gain.max(axis=1) / UNIT <= most + 1.0 / UNIT).all()
    assert (largest_stakes(functions, bounds) > 1.0 / CAPS[-1] ** 3).all()


def test_functions_are_fitted_to_the_first_half_and_judged_on_the_second() -> None:
    """The halves differ in direction: a function that gains on the first loses on the second."""
    reading = reading_of(gaussian(2, 400))
    one, other = (
        reading.codes(gaussian(seed, 2000, shift)) for seed, shift in ((3, 1.0), (4, -1.0))
    )
    for counts in (reading.joint, reading.single):
        counts[:] = 0.0
    reading.count(one, True, 0)
    reading.count(other, True, 1)
    bounds = ZCDP(0.1).divergences(0.1)
    held = Candidates.of(reading, bounds)
    scale, offset = held.functions.terms(bounds)
    assert (scale * held.gain - held.cost - offset < 0.0).all()
    assert held.pairs == 2000
    reading.count(one, True, 1)
    reading.count(one, True, 1)
    again = Candidates.of(reading, bounds)
    assert (scale * again.gain - again.cost - offset > 0.0).any()
    np.testing.assert_array_equal(again.functions.gain, held.functions.gain)


@pytest.mark.parametrize("order", ORDERS)
def test_nothing_grows_faster_than_datasets_with_nothing_in_common_allow(order: float) -> None:
    divergences = np.array([[order, 1.0]])
    fastest = fastest_growth(divergences)
    assert fastest > 0.0
    rng, found = np.random.default_rng(0), []
    for _ in range(200):
        values = rng.uniform(0.025, 40.0, 2)
        bet = bet_on(np.log(values) if order == 1.0 else values, order)
        stake = 0.98 * float(largest_stakes(bet, divergences)[0])
        found.append(math.log1p(stake * float(payoffs(bet, order, 1.0)[0, 1])))
    assert max(found) <= fastest * 1.01 + 1e-3


def gaussian(seed: int, size: int, shift: float = 1.0) -> tuple[Outcomes, Outcomes]:
    noise = np.random.default_rng(seed).normal(size=size)
    return encode(noise + shift, size), encode(noise, size)


def reading_of(sides: tuple[Outcomes, Outcomes]) -> Reading:
    reading = Reading.of(Part(OUTPUT), *sides, 16)
    codes = reading.codes(sides)
    for half in (0, 1):
        reading.count((codes[0][half::2], codes[1][half::2]), True, half)
    return reading
