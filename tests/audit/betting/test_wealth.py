"""Bets are fair: no expert gains on average while the claim holds, however draws are coupled."""

from __future__ import annotations

import math
from functools import cache
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from numpy.typing import NDArray
from scipy import stats

from audit.betting.e_process import STAKES, experts, log_sum, stakes_for, tallies, total
from audit.betting.event_families import bets_for
from audit.betting.events import Bets
from audit.claim import ApproxDP, Claim, GaussianDP, Lines, PureDP, RenyiDP, ZeroConcentratedDP
from audit.outcomes.binning import Binning
from tests import masks

Floats = NDArray[np.float64]
exactly = settings(derandomize=True, database=None, deadline=None, max_examples=60)

CLAIMS: tuple[Claim, ...] = (
    PureDP(0.05),
    PureDP(2.0),
    ApproxDP(0.5, 0.1),
    ApproxDP(1.0, 1e-5),
    ZeroConcentratedDP(0.1),
    RenyiDP(3.0, 0.4),
    GaussianDP(0.8),
)


def worst_pair(claim: Claim) -> tuple[Floats, Floats]:
    """A finite pair that keeps the claim, and attains it where that is possible."""
    if isinstance(claim, PureDP | ApproxDP):
        delta = claim.delta(claim.epsilon)
        truth = 1.0 / (1.0 + math.exp(-claim.epsilon))
        p = np.array([delta, (1 - delta) * truth, (1 - delta) * (1 - truth), 0.0])
        return p, p[::-1].copy()
    mu = {
        "zcdp": lambda: math.sqrt(2 * claim.level),
        "renyi": lambda: math.sqrt(2 * claim.level / getattr(claim, "order", 1.0)),
        "gaussian": lambda: claim.level,
    }[claim.kind]()
    ends = np.array([-np.inf, *np.linspace(-2.0, 2.0 + mu, 6), np.inf])
    return np.diff(stats.norm.cdf(ends, mu)), np.diff(stats.norm.cdf(ends))


def monotone_coupling(p: Floats, q: Floats, rows: list[int], columns: list[int]) -> Floats:
    """Joint table with these marginals that fills cells in the given orders."""
    joint = np.zeros((len(p), len(q)))
    left, right = p.copy(), q.copy()
    for i, j in product(rows, columns):
        joint[i, j] = min(left[i], right[j])
        left[i], right[j] = left[i] - joint[i, j], right[j] - joint[i, j]
    return joint


@st.composite
def joints(draw: st.DrawFn, claim: Claim, bins: int = 3) -> Floats:
    """Any dependence between the two sides of a pair that keeps the claim."""
    p, q = worst_pair(claim)
    weights = st.lists(st.floats(0.0, 1.0), min_size=bins, max_size=bins)
    kernel = np.array([draw(weights) for _ in p]) + 1e-9
    kernel /= kernel.sum(axis=1, keepdims=True)
    if draw(st.booleans()):
        places = st.lists(st.integers(0, bins - 1), min_size=len(p), max_size=len(p))
        kernel = np.eye(bins)[draw(places)]
    sides = p @ kernel, q @ kernel
    if draw(st.booleans()):
        sides = sides[::-1]
    orders = st.permutations(range(bins))
    extremes = [monotone_coupling(*sides, draw(orders), draw(orders)) for _ in range(2)]
    mix = draw(st.sampled_from([0.0, 0.3, 1.0]))
    lone = draw(st.sampled_from([0.0, 0.5, 1.0]))
    return (1 - lone) * (mix * extremes[0] + (1 - mix) * extremes[1]) + lone * np.outer(*sides)


def every_bet(bins: int) -> Bets:
    """All events, and all pairs of disjoint ones."""
    events = [set(chosen) for k in range(bins + 1) for chosen in combinations(range(bins), k)]
    pairs = [(a, b) for a in events for b in events if a and b and not a & b]
    orders: list[list[int]] = []
    spans, joined = [], []
    for event in events:
        spans.append((len(orders), 0, len(event)))
        orders.append([*event, *(set(range(bins)) - event)])
    for plus, minus in pairs:
        joined.append((len(orders), 0, len(plus), len(plus), len(plus) + len(minus)))
        orders.append([*plus, *minus, *(set(range(bins)) - plus - minus)])
    count = len(events) + len(pairs)
    return Bets.of(
        np.array(orders),
        np.array(spans),
        np.array(joined),
        np.full(count, 1 / count),
        np.zeros(count, bool),
    )


def factors(bets: Bets, lines: Lines, stakes: Floats) -> tuple[Floats, Floats]:
    """Every expert's one-step factor for each pair of bins, those on the first axes."""
    bins = masks.single(bets).shape[1]
    single, double = [], []
    for i, j in product(range(bins), repeat=2):
        joint = np.zeros((bins, bins), np.int64)
        joint[i, j] = 1
        grown = np.exp(experts(tallies(joint, bets), lines, stakes))
        single.append(grown[:, : len(bets.spans)])
        double.append(grown[:, len(bets.spans) :])
    shape = bins, bins
    return (
        np.reshape(single, shape + single[0].shape),
        np.reshape(double, shape + double[0].shape),
    )


BETS = every_bet(3)


@cache
def factors_of(place: int) -> tuple[Floats, Floats]:
    lines = CLAIMS[place].lines(CLAIMS[place].level)
    return factors(BETS, lines, stakes_for(lines))


def fair_factors(claim: Claim) -> tuple[Floats, Floats]:
    """Of all bets on three bins against the claim itself."""
    return factors_of(CLAIMS.index(claim))


@settings(exactly, max_examples=150)
@given(st.data(), st.sampled_from(CLAIMS))
def test_no_expert_gains_on_average_under_the_claim(data: st.DataObject, claim: Claim) -> None:
    joint = data.draw(joints(claim))
    for part in fair_factors(claim):
        mean = np.tensordot(joint, part, axes=([0, 1], [0, 1]))
        assert mean.max() <= 1.0 + 1e-12


@exactly
@given(st.data(), st.sampled_from(CLAIMS))
def test_average_factor_follows_the_formula(data: st.DataObject, claim: Claim) -> None:
    joint = data.draw(joints(claim))
    slope, offset = claim.lines(claim.level).T[:, :, None]
    for forward in (0, 1):
        p, q = joint.sum(axis=1 - forward), joint.sum(axis=forward)

        def gain(events: NDArray[np.bool_], left: Floats, right: Floats) -> Floats:
            held, other = events @ left, events @ right
            return np.asarray(held[:, None, None] - slope * other[:, None, None])

        wins = (
            gain(masks.single(BETS), p, q) - offset,
            (gain(masks.plus(BETS), p, q) + gain(masks.minus(BETS), q, p) - 2 * offset) / 2,
        )
        for won, part in zip(wins, fair_factors(claim), strict=True):
            mean = np.tensordot(joint, part[:, :, forward], axes=([0, 1], [0, 1]))
            assert_allclose(mean, 1 + won * STAKES / (slope + offset), atol=1e-12)


def test_the_worst_event_of_a_tight_mechanism_is_exactly_fair() -> None:
    """Any bet that paid more would gain here."""
    for claim in (PureDP(1.0), ApproxDP(1.0, 0.2)):
        p, q = worst_pair(claim)
        lines = claim.lines(claim.level)
        single, double = factors(every_bet(4), lines, stakes_for(lines))
        for joint in (np.outer(p, q), monotone_coupling(p, q, [0, 1, 2, 3], [0, 1, 2, 3])):
            for part in (single, double):
                mean = np.tensordot(joint, part, axes=([0, 1], [0, 1]))
                assert mean.max() == pytest.approx(1.0, abs=1e-12)


def test_no_single_pair_of_draws_can_ruin_an_expert() -> None:
    for part in (part for claim in CLAIMS for part in fair_factors(claim)):
        assert part.min() >= 1.0 - STAKES.max() - 1e-12
    assert 0.0 < STAKES.min() <= STAKES.max() < 1.0


@exactly
@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=40),
    st.sampled_from(CLAIMS),
    st.lists(st.integers(0, 9), min_size=10, max_size=10),
)
def test_wealth_from_counts_is_the_product_of_all_steps(
    draws: list[tuple[int, int]], claim: Claim, past: list[int]
) -> None:
    bets = bets_for(Binning.of([0.0, 1.0], ["'a'"]), np.array(past[:5]), np.array(past[5:]))
    lines = claim.lines(claim.level)
    stakes = stakes_for(lines)
    joint = np.zeros((5, 5), np.int64)
    for i, j in draws:
        joint[i, j] += 1
    grown = np.exp(experts(tallies(joint, bets), lines, stakes))
    single, double = grown[:, : len(bets.spans)], grown[:, len(bets.spans) :]
    slope, offset = lines.T[:, :, None]
    for forward in (0, 1):
        singly, doubly = np.ones_like(single[0]), np.ones_like(double[0])
        for left, right in (pair[:: 1 - 2 * forward] for pair in draws):

            def gain(events: NDArray[np.bool_], x: int, y: int) -> Floats:
                held = events.astype(float)[:, :, None, None]
                return np.asarray(held[:, x] - slope * held[:, y] - offset)

            singly *= 1 + stakes * gain(masks.single(bets), left, right)
            won = gain(masks.plus(bets), left, right) + gain(masks.minus(bets), right, left)
            doubly *= 1 + stakes / 2 * won
        assert_allclose(single[forward], singly, rtol=1e-9)
        assert_allclose(double[forward], doubly, rtol=1e-9)


@exactly
@given(
    st.sampled_from(CLAIMS),
    st.lists(st.integers(0, 50), min_size=9, max_size=9),
    st.floats(0.05, 20.0),
    st.floats(1.0, 5.0),
)
def test_wealth_falls_as_the_level_grows(
    claim: Claim, counts: list[int], factor: float, more: float
) -> None:
    tally = tallies(np.array(counts).reshape(3, 3), BETS)
    stakes = stakes_for(claim.lines(claim.level))
    low, high = (claim.lines(claim.level * f) for f in (factor, factor * more))
    assert (experts(tally, high, stakes) <= experts(tally, low, stakes) + 1e-9).all()


def test_an_expert_that_could_be_ruined_is_worth_nothing() -> None:
    tally = np.array([[[0.0, 5.0, 0.0, 0.0]], [[0.0, 0.0, 5.0, 0.0]]]), np.empty((2, 0, 9))
    lines = PureDP(1.0).lines(1.0)
    fair, too_high = 0.9 / math.e, 1.1 / math.e
    wealth = experts(tally, lines, np.array([[fair, too_high]]))
    assert wealth.shape == (2, 1, 1, 2)
    assert wealth[0, 0, 0] == pytest.approx([5 * math.log1p(fair), -np.inf])
    assert wealth[1, 0, 0] == pytest.approx([5 * math.log1p(-0.9), -np.inf])


def test_totals_are_weighted_sums() -> None:
    prior = np.log(np.array([0.25, 0.25, 0.5]))
    wealth = np.array([math.log(2.0), math.log(4.0), -np.inf])
    assert total(prior, wealth) == pytest.approx(math.log(1.5))
    assert log_sum(np.array([-np.inf]), np.empty(0)) == -np.inf
    assert log_sum(np.array([-800.0, -800.0])) == pytest.approx(-800.0 + math.log(2.0))
    assert log_sum(np.array([2e4]), np.array([2e4])) == pytest.approx(2e4 + math.log(2.0))
