"""Sums and means of clamped records, and how they compose, beyond the catalogue's parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.random import default_rng
from scipy import stats

from audit.claims import ZCDP, ApproxDP, GaussianDP, PureDP, RenyiDP
from mechanisms.parts.calibration import scale_of
from mechanisms.parts.composition import RepeatedSum
from mechanisms.parts.counts import RowCount
from mechanisms.parts.sums import GaussianReleases, NoisyMean, NoisySum, SampledSum, WishartMoments

BUDGET = 1e-9


def test_claims_follow_from_the_parameters() -> None:
    assert NoisySum(epsilon=2.0).claim == PureDP(2.0)
    assert NoisySum(2.0, 0.1).claim == ApproxDP(2.0, 0.1)
    four = GaussianReleases(sigma=2.0, repeats=4)
    assert four.claim == GaussianDP(1.0)
    assert GaussianReleases(2.0, 4, notion="zcdp").claim == ZCDP(0.5)
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


def test_poisson_sampling_draws_each_record_by_itself() -> None:
    sampled = SampledSum(base_epsilon=400.0, rate=0.3).release(np.ones(5), default_rng(1), 50_000)
    observed = np.bincount(np.rint(sampled).astype(int), minlength=6)
    expected = stats.binom(5, 0.3).pmf(np.arange(6)) * 50_000
    assert stats.chisquare(observed, expected).pvalue > BUDGET


def test_mean_as_ratio_is_near_the_mean_of_many_records() -> None:
    records = np.concatenate([np.ones(3000), np.zeros(1000)])
    assert NoisyMean().release(records, default_rng(1), 100) == pytest.approx(0.75, abs=0.03)


def test_users_are_bounded_only_where_the_code_says_so() -> None:
    rows = pd.DataFrame({"user": [1, 1, 1, 2], "value": [0, 0, 0, 0]})
    bounded = RowCount(400.0, rows_per_user=2).release(rows, default_rng(1), 5)
    unbounded = RowCount(400.0, rows_per_user=2, bound=False).release(rows, default_rng(1), 5)
    assert bounded == pytest.approx(3.0, abs=0.2)
    assert unbounded == pytest.approx(4.0, abs=0.2)


def test_wishart_noise_is_positive_semidefinite_in_every_dimension() -> None:
    outputs = WishartMoments(dimension=3).release(np.zeros((0, 3)), default_rng(1), 200)
    assert outputs.shape == (200, 3, 3)
    assert np.linalg.eigvalsh(outputs).min() >= 0
