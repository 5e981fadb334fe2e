"""What mechanisms do beyond the default parameters of the catalogue's entries."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.random import default_rng
from scipy import stats

from audit.claim import ApproxDP, GaussianDP, PureDP, RenyiDP, ZeroConcentratedDP
from audit.errors import InputError
from mechanisms.families.broken.wishart import WishartMoments
from mechanisms.parts.calibration import scale_of
from mechanisms.parts.counts.answers import NoisyAnswers
from mechanisms.parts.counts.histogram import NoisyHistogram, TreeCounts, counts_of, tree_of
from mechanisms.parts.local.mean import OneBitMean, PiecewiseMean
from mechanisms.parts.local.rappor import Rappor
from mechanisms.parts.local.response import RandomizedResponse
from mechanisms.parts.local.unary import UnaryEncoding
from mechanisms.parts.selection.exponential import ExponentialMechanism
from mechanisms.parts.selection.noisy_max import NoisyMax
from mechanisms.parts.selection.quantile import ExponentialQuantile
from mechanisms.parts.sums.additive import NoisySum
from mechanisms.parts.sums.composition import NoisyGradientSteps, RepeatedSum
from mechanisms.parts.sums.gaussian import GaussianReleases
from mechanisms.parts.sums.mean import NoisyMean
from mechanisms.parts.sums.subsampling import SampledSum
from mechanisms.parts.sums.truncated_geometric import RenormalizedGeometric
from mechanisms.parts.sums.users import RowCount

BUDGET = 1e-9


@pytest.mark.parametrize(
    ("calibration", "scale"),
    [
        ("pure", 4.0),
        ("inverted", 1.0),
        ("classic", 4 * math.sqrt(2 * math.log(125))),
        ("classic-variance", math.sqrt(4 * math.sqrt(2 * math.log(125)))),
    ],
)
def test_scales_by_their_formulas(calibration: Any, scale: float) -> None:
    assert scale_of(calibration, 0.5, 0.01, 2.0) == pytest.approx(scale)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 10.0, 100.0])
@pytest.mark.parametrize("delta", [1e-12, 1e-5, 0.1, 0.6])
def test_analytic_gaussian_meets_its_delta_exactly(epsilon: float, delta: float) -> None:
    sigma = scale_of("analytic", epsilon, delta, 3.0)
    assert GaussianDP(3.0 / sigma).delta(epsilon) == pytest.approx(delta, rel=1e-6)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: scale_of("classic", 1.0, 0.0, 1.0), "delta 0.0"),
        (lambda: scale_of("pure", 1.0, 0.0, -1.0), "sensitivity -1.0"),
        (lambda: NoisyAnswers(repeats=0), "repeats 0"),
        (lambda: NoisyHistogram(bins=0), "bins 0"),
        (lambda: TreeCounts(leaves=6), "leaves 6 is not a power of two"),
        (lambda: TreeCounts(levels=0), "levels 0"),
        (lambda: RandomizedResponse(choices=1), "choices 1"),
        (lambda: UnaryEncoding(choices=1), "choices 1"),
        (lambda: Rappor(lie=1.5), "lie 1.5"),
        (lambda: SampledSum(rate=1.0), "rate 1.0"),
        (lambda: GaussianReleases(sigma=0.0), "sigma 0.0"),
        (lambda: RepeatedSum(repeats=0), "repeats 0"),
        (lambda: NoisyGradientSteps(steps=0), "steps 0"),
        (lambda: RenormalizedGeometric(largest=0), "largest 0"),
        (lambda: RowCount(rows_per_user=0), "rows_per_user 0"),
        (lambda: NoisyMax(factor=-1.0), "factor -1.0"),
        (lambda: ExponentialMechanism(sensitivity=0.0), "sensitivity 0.0"),
    ],
)
def test_impossible_parameters_are_refused_in_one_line(
    make: Callable[[], object], words: str
) -> None:
    with pytest.raises(InputError, match=words) as caught:
        make()
    assert "\n" not in str(caught.value)


def test_claims_follow_from_the_parameters() -> None:
    assert NoisySum(epsilon=2.0).claim == PureDP(2.0)
    assert NoisySum(2.0, 0.1).claim == ApproxDP(2.0, 0.1)
    four = GaussianReleases(sigma=2.0, repeats=4)
    assert four.claim == GaussianDP(1.0)
    assert GaussianReleases(2.0, 4, notion="zcdp").claim == ZeroConcentratedDP(0.5)
    assert GaussianReleases(2.0, 4, notion="renyi", order=3.0).claim == RenyiDP(3.0, 1.5)


def test_split_budgets_buy_less_than_unsplit_ones() -> None:
    assert RepeatedSum(1.0).scale == pytest.approx(10.0)
    assert RepeatedSum(1.0, split=False).scale == pytest.approx(1.0)
    assert RepeatedSum(1.0, 1e-3, "gaussian", "classic").scale == pytest.approx(
        scale_of("classic", 0.1, 1e-4, 1.0)
    )


def test_sums_are_clamped_record_by_record() -> None:
    exact = NoisySum(epsilon=400.0, lower=-1.0).release([5.0, 0.25, -7.0], default_rng(1), 10)
    assert exact == pytest.approx(0.25, abs=0.1)


@pytest.mark.parametrize(
    ("finish", "event"),
    [
        ("round", lambda y: (y == np.rint(y)).all()),
        ("not-negative", lambda y: y.min() == 0),
        ("clamp", lambda y: (y.min(), y.max()) == (0, 1)),
    ],
)
def test_finish_is_applied_to_the_noisy_sum(finish: Any, event: Callable[[Any], bool]) -> None:
    assert event(NoisySum(finish=finish).release([1.0], default_rng(1), 1000))


def test_tree_holds_the_counts_of_all_dyadic_intervals() -> None:
    counts = counts_of([0, 0, 3, 99, -5], 4)
    assert counts.tolist() == [3, 0, 0, 2]
    assert tree_of(counts).tolist() == [5, 3, 2, 3, 0, 0, 2]


def test_poisson_sampling_draws_each_record_by_itself() -> None:
    sampled = SampledSum(base_epsilon=400.0, rate=0.3).release(np.ones(5), default_rng(1), 50_000)
    observed = np.bincount(np.rint(sampled).astype(int), minlength=6)
    expected = stats.binom(5, 0.3).pmf(np.arange(6)) * 50_000
    assert stats.chisquare(observed, expected).pvalue > BUDGET


def test_mean_as_ratio_is_near_the_mean_of_many_records() -> None:
    records = np.concatenate([np.ones(3000), np.zeros(1000)])
    assert NoisyMean().release(records, default_rng(1), 100) == pytest.approx(0.75, abs=0.03)


@pytest.mark.parametrize("arithmetic", ["log", "naive"])
def test_quantile_is_drawn_by_rank_and_length(arithmetic: Any) -> None:
    """Records 0.2 and 0.6 and their median: three intervals of known weight."""
    mechanism = ExponentialQuantile(epsilon=2.0, arithmetic=arithmetic)
    drawn = mechanism.release([0.6, 0.2], default_rng(1), 50_000)
    weights = np.array([0.2, 0.4, 0.4]) * np.exp([-1.0, 0.0, -1.0])
    observed = np.histogram(drawn, [0.0, 0.2, 0.6, 1.0])[0]
    assert stats.chisquare(observed, weights / weights.sum() * 50_000).pvalue > BUDGET


def test_users_are_bounded_only_where_the_code_says_so() -> None:
    rows = pd.DataFrame({"user": [1, 1, 1, 2], "value": [0, 0, 0, 0]})
    bounded = RowCount(400.0, rows_per_user=2).release(rows, default_rng(1), 5)
    unbounded = RowCount(400.0, rows_per_user=2, bound=False).release(rows, default_rng(1), 5)
    assert bounded == pytest.approx(3.0, abs=0.2)
    assert unbounded == pytest.approx(4.0, abs=0.2)


def test_local_means_are_unbiased() -> None:
    for mechanism in (OneBitMean(), PiecewiseMean()):
        drawn = mechanism.release([0.3], default_rng(1), 200_000)
        assert drawn.mean() == pytest.approx(0.3, abs=6.2 * drawn.std() / math.sqrt(200_000))


def test_piecewise_density_has_two_levels() -> None:
    mechanism = PiecewiseMean()
    reach, width = mechanism.reach, mechanism.reach - 1
    left = (reach + 1) / 2 * 0.3 - width / 2
    edges = np.array([-reach, left, left + width, reach])
    level = (math.exp(1.0) - math.exp(0.5)) / (2 * math.exp(0.5) + 2)
    mass = np.diff(edges) * level * np.array([math.exp(-1.0), 1.0, math.exp(-1.0)])
    observed = np.histogram(mechanism.release([0.3], default_rng(1), 100_000), edges)[0]
    assert stats.chisquare(observed, mass * 100_000).pvalue > BUDGET


def test_wishart_noise_is_positive_semidefinite_in_every_dimension() -> None:
    outputs = WishartMoments(dimension=3).release(np.zeros((0, 3)), default_rng(1), 200)
    assert outputs.shape == (200, 3, 3)
    assert np.linalg.eigvalsh(outputs).min() >= 0


def test_responses_of_several_people_are_reported_apart() -> None:
    reports = RandomizedResponse(epsilon=40.0, choices=3).release([0, 1, 2], default_rng(1), 50)
    assert (reports == [0, 1, 2]).all()


def test_repeated_and_cumulative_answers() -> None:
    answers = NoisyAnswers(epsilon=400.0, repeats=2).release([1.0, 2.0], default_rng(1), 5)
    assert answers == pytest.approx(np.tile([1.0, 2.0, 1.0, 2.0], (5, 1)), abs=0.1)
    totals = NoisyAnswers(epsilon=400.0, cumulative=True).release([1.0, 2.0], default_rng(1), 5)
    assert totals == pytest.approx(np.tile([1.0, 3.0], (5, 1)), abs=0.1)
