"""Noisy sums and the moments made of them, against scipy and by hand; 1e-9 per sampled test."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.random import default_rng
from numpy.typing import NDArray
from scipy import stats

from audit.errors import InputError
from mechanisms.systems.primer.sums import ClampedSum, Count, Moment, Sampler

BUDGET = 1e-9
STATISTICS = ("mean", "second-moment", "variance", "standard-deviation")
ODD = [np.array([]), np.array([math.nan, math.inf, -math.inf]), np.array([1e300, -1e300])]


def hole_cdf(value: NDArray[np.float64]) -> NDArray[np.float64]:
    """A fair sign times 1 plus an exponential: nothing between -1 and 1."""
    tail = 0.5 * np.exp(-np.maximum(np.abs(value) - 1, 0))
    return np.asarray(np.where(value < 0, tail, 1 - tail))


@pytest.mark.parametrize("factor", [1.0, 0.7, 1.3])
@pytest.mark.parametrize("sampler", ["right", "printed"])
def test_noise_of_a_sum_has_its_distribution(sampler: Sampler, factor: float) -> None:
    values = ClampedSum(0.5, sampler).release([0.25, 3.0, -2.0, 0.5], default_rng(1), 30_000)
    unit = (values - 0.75) / 2.0 * factor
    cdf = stats.laplace.cdf if sampler == "right" else hole_cdf
    assert (stats.kstest(unit, cdf).pvalue > BUDGET) == (factor == 1.0)


def test_the_printed_noise_is_never_small() -> None:
    values = Count(0.5, "printed").release([0.0, 0.0], default_rng(2), 10_000)
    assert np.abs(values - 2).min() >= 2.0
    assert np.abs(Count(0.5).release([0.0, 0.0], default_rng(2), 10_000) - 2).min() < 0.1


def test_the_printed_hole_moves_with_a_record() -> None:
    """P[1 <= y < 2] is (1 - 1/e)/2 without the record and 0 with it."""
    without, with_it = (
        Count(1.0, "printed").release(data, default_rng(3), 100_000) for data in ([], [1.0])
    )
    hits = int(np.sum((without >= 1) & (without < 2)))
    assert stats.binomtest(hits, 100_000, (1 - math.exp(-1)) / 2).pvalue > BUDGET
    assert not np.any((with_it >= 1) & (with_it < 2))


def test_a_nan_record_counts_as_zero_unless_it_is_let_through() -> None:
    data = [0.5, math.nan]
    assert np.array_equal(
        ClampedSum().release(data, default_rng(4), 9),
        ClampedSum().release([0.5], default_rng(4), 9),
    )
    assert np.isnan(ClampedSum(missing="nan").release(data, default_rng(4), 9)).all()
    assert np.isfinite(ClampedSum(missing="nan").release([0.5], default_rng(4), 9)).all()


@pytest.mark.parametrize("statistic", STATISTICS)
@pytest.mark.parametrize("data", ODD, ids=["empty", "not finite", "huge"])
def test_moments_are_always_numbers(statistic: str, data: NDArray[np.float64]) -> None:
    values = Moment(0.1, statistic).release(data, default_rng(5), 3000)  # type: ignore[arg-type]
    assert np.isfinite(values).all()
    if statistic in ("variance", "standard-deviation"):
        assert values.min() == 0.0


def test_moments_are_made_of_their_parts() -> None:
    """The same uniforms by hand: count, then sum, then squares, a third of epsilon each."""
    data, rng = np.array([0.5, -0.5, 1.0, 7.0]), default_rng(6)
    count, total, squares = (t + rng.laplace(0, 3 / 0.9, 500) for t in (4, 2, 2.5))
    count = np.maximum(count, 1)
    variance = np.maximum(squares / count - (total / count) ** 2, 0)
    by_hand = {"variance": variance, "standard-deviation": np.sqrt(variance)}
    for statistic, expected in by_hand.items():
        drawn = Moment(0.9, statistic).release(data, default_rng(6), 500)  # type: ignore[arg-type]
        assert drawn == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("statistic", "total"), [("mean", 2.0), ("second-moment", 2.5)])
def test_a_quotient_has_two_parts(statistic: str, total: float) -> None:
    rng = default_rng(7)
    count, top = (t + rng.laplace(0, 2 / 0.9, 500) for t in (4, total))
    mechanism = Moment(0.9, statistic)  # type: ignore[arg-type]
    drawn = mechanism.release([0.5, -0.5, 1.0, 7.0], default_rng(7), 500)
    assert drawn == pytest.approx(top / np.maximum(count, 1), rel=1e-12)


def test_a_quotient_does_not_fill_the_hole() -> None:
    """P[2 <= mean < 3] at epsilon/2 = 1/2 per part: by integrals over the noise of the count."""
    without = (1 - math.exp(-0.5)) / 4 + (math.exp(-1) / 1.5 - math.exp(-2) / 2) / 8
    with_it = (math.exp(-1.5) / 1.5 - math.exp(-3) / 2) / 8
    assert without > math.e * with_it
    for data, probability in (([], without), ([1.0], with_it)):
        drawn = Moment(1.0, "mean", "printed").release(data, default_rng(10), 100_000)
        hits = int(np.sum((drawn >= 2) & (drawn < 3)))
        assert stats.binomtest(hits, 100_000, probability).pvalue > BUDGET


def test_moments_approach_the_truth_with_a_large_budget() -> None:
    data = default_rng(8).uniform(-1, 1, 1000)
    exact = (data.mean(), np.mean(data**2), data.var(), data.std())
    for statistic, expected in zip(STATISTICS, exact, strict=True):
        drawn = Moment(1e6, statistic).release(data, default_rng(9), 3)  # type: ignore[arg-type]
        assert drawn == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("mechanism", [Count, ClampedSum, Moment])
def test_bad_epsilons_are_refused(mechanism: type[Count]) -> None:
    for epsilon in (0.0, -1.0, math.inf, math.nan):
        with pytest.raises(InputError, match="epsilon"):
            mechanism(epsilon)
