"""Accuracy of the three placements: metrics by hand, errors as large as the noise."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from mechanisms.systems.dp_sum.accuracy import accuracy, fairness, sweep
from mechanisms.systems.dp_sum.benchmark import Benchmark


def test_metrics_by_hand() -> None:
    found = accuracy(np.array([11.0, 16.0, -1.0]), np.array([10.0, 20.0, 0.0]))
    assert found.mae == pytest.approx(2.0)
    assert found.rmse == pytest.approx(math.sqrt(6.0))
    assert found.max_error == 4.0
    assert found.mre == pytest.approx((0.1 + 0.2 + 1e12) / 3)


def test_exact_answers_have_no_error() -> None:
    found = accuracy(np.zeros(3), np.zeros(3))
    assert (found.mae, found.mre, found.rmse, found.max_error) == (0, 0, 0, 0)


def test_a_sweep_has_a_row_for_everything_and_repeats_itself() -> None:
    table = sweep(Benchmark())
    assert len(table) == 4 * 3 * 3
    assert not table.duplicated(["epsilon", "seed", "approach"]).any()
    pd.testing.assert_frame_equal(table, sweep(Benchmark()))
    assert not table["mae"].equals(sweep(Benchmark(seed=7))["mae"])


def test_rows_do_not_depend_on_what_else_is_swept() -> None:
    columns = ["approach", "mae", "rmse"]
    wide = sweep(Benchmark(seeds=3)).query("epsilon == 0.5 and seed == 43")[columns]
    narrow = sweep(Benchmark(epsilon_max=0.5, seeds=1, seed=43))[columns]
    assert wide.to_numpy().tolist() == narrow.to_numpy().tolist()


def test_fairness_adds_the_epsilons_of_one_release() -> None:
    expected = {"raw_per_record": 0.5 / 35, "local_per_day": 0.5 / 7, "global": 0.5}
    assert fairness(Benchmark(), 0.5) == pytest.approx(expected)
    table = sweep(Benchmark(fairness=True))
    assert table.loc[0, list(expected)].to_dict() == pytest.approx(expected)
    assert set(expected).isdisjoint(sweep(Benchmark()).columns)


@pytest.mark.parametrize("factor", [1.0, 0.7, 1.3])
@pytest.mark.parametrize(("approach", "draws"), [("global", 1), ("local", 3)])
def test_errors_are_as_large_as_the_noise_says(approach: str, draws: int, factor: float) -> None:
    """Gaussian errors of 7 days and 60 seeds: their squares are chi-square with 420 degrees."""
    benchmark = Benchmark(mechanism="gaussian", epsilon_max=0.5, seeds=60)
    rows = sweep(benchmark).query("approach == @approach")
    variance = draws * (factor * rows["scale"].iloc[0]) ** 2
    statistic = 7 * np.sum(rows["rmse"] ** 2) / variance
    inside = stats.chi2.ppf([0.5e-9, 1 - 0.5e-9], 420)
    assert (inside[0] < statistic < inside[1]) == (factor == 1.0)
