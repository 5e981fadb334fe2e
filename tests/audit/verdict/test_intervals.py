"""Intervals of the tables: exact coverage by enumeration, and values known by hand."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from audit.claims import ApproxDP, Claim, GaussianDP, PureDP
from audit.verdict.intervals import Comparison, Estimate, compare, proportion, proportions

pytestmark = pytest.mark.lowest

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

SIDES = (
    *product([(0.5, 0.5), (0.02, 0.98), (0.3, 0.7)], repeat=2),
    ((0.2, 0.3, 0.5), (0.5, 0.3, 0.2)),
    ((0.01, 0.09, 0.9), (0.2, 0.3, 0.5)),
    ((1 / 3, 1 / 3, 1 / 3), (0.01, 0.09, 0.9)),
)


def tables(draws: int, chances: Floats) -> Iterator[tuple[Counts, float]]:
    """Every table of counts with its exact chance."""
    for counts in product(range(draws + 1), repeat=len(chances)):
        if sum(counts) == draws:
            yield np.array(counts), float(stats.multinomial.pmf(counts, draws, chances))


def holds(estimate: Estimate, true: float) -> bool:
    return estimate.low <= true <= estimate.high


@pytest.mark.parametrize(
    ("count", "draws", "alpha", "low", "high"),
    [
        (0, 10, 0.05, 0.0, 1 - 0.025**0.1),
        (10, 10, 0.05, 0.025**0.1, 1.0),
        (5, 10, 0.05, 0.18709, 0.81291),
        (1, 1, 0.1, 0.05, 1.0),
        (1, 100, 0.05, 0.000253, 0.054459),
        (0, 1, 1e-12, 0.0, 1 - 5e-13),
        (5, 10, 1e-300, 0.0, 1.0),
        (5, 104, 1e-300, 0.0, 1.0),
    ],
)
def test_clopper_pearson_intervals(
    count: int, draws: int, alpha: float, low: float, high: float
) -> None:
    estimate = proportion(count, draws, alpha)
    assert estimate.estimate == count / draws
    assert (estimate.low, estimate.high) == pytest.approx((low, high), abs=5e-6)


def test_each_end_misses_with_at_most_half_of_alpha() -> None:
    draws, alpha = 12, 0.1
    ends = [proportion(k, draws, alpha) for k in range(draws + 1)]
    for true in np.linspace(0.0, 1.0, 201):
        chances = stats.binom.pmf(np.arange(draws + 1), draws, true)
        too_low = sum(c for c, e in zip(chances, ends, strict=True) if e.high < true)
        too_high = sum(c for c, e in zip(chances, ends, strict=True) if e.low > true)
        assert max(too_low, too_high) <= alpha / 2 + 1e-12


@pytest.mark.parametrize(("p", "q"), SIDES)
@pytest.mark.parametrize("families", [1, 3])
def test_all_bounds_of_a_table_hold_together(
    p: tuple[float, ...], q: tuple[float, ...], families: int
) -> None:
    alpha, draws = 0.3, 4
    missed = wrong_ratio = 0.0
    for (left, chance), (right, other) in product(
        tables(draws, np.array(p)), tables(draws, np.array(q))
    ):
        found = compare(left, right, alpha, families)
        both = zip(found, p, q, strict=True)
        missed += chance * other * any(not (holds(c.p, a) and holds(c.q, b)) for c, a, b in both)
        both = zip(found, p, q, strict=True)
        wrong_ratio += (
            chance
            * other
            * any(not (holds(c.ratio, a / b) and holds(c.reverse, b / a)) for c, a, b in both)
        )
    assert missed <= alpha / families + 1e-12
    assert wrong_ratio <= missed + 1e-12


@pytest.mark.parametrize("families", [1, 8])
@pytest.mark.parametrize("factor", [1, 4, 8])
def test_many_rare_bins_share_alpha_with_each_other_and_with_other_tables(
    families: int, factor: int
) -> None:
    """Bins so rare that one output in any of them is a miss for a bound that is not shared."""
    alpha, draws, bins = 0.3, 2, 8
    each = alpha / (4 * bins * families)
    rare = 0.99 * (1.0 - (1.0 - factor * each) ** (1 / draws))
    chances = np.array([rare] * (bins - 1) + [1.0 - rare * (bins - 1)])
    missed = sum(
        chance
        for counts, chance in tables(draws, chances)
        if not all(
            holds(c.p, true)
            for c, true in zip(compare(counts, counts, alpha, families), chances, strict=True)
        )
    )
    assert missed <= alpha / families
    assert factor > 1 or missed >= 0.2 * alpha / families


@pytest.mark.parametrize(
    ("claim", "p", "q"),
    [
        (PureDP(math.log(2.0)), (2 / 3, 1 / 3), (1 / 3, 2 / 3)),
        (PureDP(math.log(2.0)), (0.02, 0.98), (0.01, 0.99)),
        (ApproxDP(0.1, 0.2), (0.2, 0.8), (0.0, 1.0)),
        (GaussianDP(0.5), tuple(stats.norm.cdf([0.3, -0.3])), tuple(stats.norm.cdf([-0.2, 0.2]))),
    ],
)
def test_tight_mechanisms_are_flagged_with_at_most_alpha(
    claim: Claim, p: tuple[float, float], q: tuple[float, float]
) -> None:
    alpha, lines = 0.4, claim.lines(claim.level)
    flagged = sum(
        chance * other
        for (left, chance), (right, other) in product(
            tables(16, np.array(p)), tables(16, np.array(q))
        )
        if any(c.breaks(lines) for c in compare(left, right, alpha))
    )
    assert flagged <= alpha


def test_clear_differences_are_flagged_in_both_directions() -> None:
    lines = PureDP(1.0).lines(1.0)
    often, seldom = np.array([900, 100]), np.array([100, 900])
    assert [c.breaks(lines) for c in compare(often, seldom, 0.01)] == [True, True]
    assert [c.breaks(lines) for c in compare(seldom, often, 0.01)] == [True, True]
    assert not any(c.breaks(PureDP(2.5).lines(2.5)) for c in compare(often, seldom, 0.01))


def test_offsets_of_a_claim_count_once() -> None:
    sure, never = Estimate(0.5, 0.4, 0.6), Estimate(0.0, 0.0, 0.1)
    held = Comparison(sure, never)
    assert held.breaks(np.array([[2.0, 0.19]]))
    assert not held.breaks(np.array([[2.0, 0.21]]))
    assert held.breaks(np.array([[2.0, 0.21], [1.0, 0.29]]))


def test_ratios_of_empty_bins_are_open() -> None:
    empty, full = compare(np.array([0, 10]), np.array([0, 10]), 0.05)
    assert (empty.ratio.estimate, empty.ratio.low, empty.ratio.high) == (1.0, 0.0, math.inf)
    assert full.ratio.low < 1.0 < full.ratio.high
    only_left, _ = compare(np.array([5, 5]), np.array([0, 10]), 0.05)
    assert only_left.ratio.estimate == math.inf
    assert only_left.reverse.estimate == 0.0


@pytest.mark.parametrize("draws", [1, 100, 2_000, 400_000])
@pytest.mark.parametrize("alpha", [0.05, 1e-5, 1e-30])
def test_intervals_are_those_that_statisticians_know(draws: int, alpha: float) -> None:
    counts = np.unique(np.linspace(0, draws, 13).astype(np.int64))
    low, high = proportion_confint(counts, draws, alpha=alpha, method="beta")
    found = proportions(counts, draws, alpha)
    assert [one.low for one in found] == pytest.approx(np.nan_to_num(low, nan=0.0), rel=1e-12)
    assert [one.high for one in found] == pytest.approx(np.nan_to_num(high, nan=1.0), rel=1e-12)
