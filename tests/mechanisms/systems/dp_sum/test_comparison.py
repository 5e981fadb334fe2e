"""The comparison of placements: its parameters and records, and errors as large as the noise."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from numpy.random import default_rng
from scipy import stats

from audit.errors import InputError
from mechanisms.systems.dp_sum.comparison import (
    Comparison,
    accuracy,
    exact_totals,
    fairness,
    generate,
    sweep,
)


def test_generated_records_stay_in_their_limits() -> None:
    comparison = Comparison(num_clients=40, num_days=5, max_records_per_day=4)
    records = generate(comparison, default_rng(1))
    sizes = records.groupby(["client", "day"]).size()
    assert len(sizes) == 200
    assert (sizes.min(), sizes.max()) == (1, 4)
    assert records["steps"].between(0, 1000).all()


def test_outliers_exceed_the_limit_and_are_cut_by_the_mechanism() -> None:
    comparison = Comparison(num_clients=1, num_days=2, outliers=1.0)
    records = generate(comparison, default_rng(2))
    assert records["steps"].between(1000, 10_000).all()
    drawn = comparison.placed("global", 1e9).release(records, default_rng(3), 1)[0]
    assert drawn == pytest.approx(1000 * records.groupby("day").size(), abs=1e-3)
    assert np.all(exact_totals(records, 2) > drawn)


def test_epsilons_include_both_ends() -> None:
    assert Comparison().epsilons == [0.5, 1.0, 1.5, 2.0]
    assert Comparison(epsilon_min=0.1, epsilon_max=0.3, epsilon_step=0.1).epsilons == pytest.approx(
        [0.1, 0.2, 0.3]
    )
    assert Comparison(epsilon_min=1.0, epsilon_max=1.0).epsilons == [1.0]
    assert Comparison(epsilon_min=1.0, epsilon_max=1.9, epsilon_step=0.5).epsilons == [1.0, 1.5]


@pytest.mark.parametrize(
    "parameters",
    [
        {"epsilon_min": 0.0},
        {"epsilon_step": -1.0},
        {"epsilon_step": 1e-300},
        {"epsilon_max": 0.1},
        {"seeds": 0},
        {"outliers": 1.5},
        {"num_clients": 0},
        {"delta": 0.0},
        {"seed": -1},
    ],
)
def test_bad_parameters_are_refused(parameters: dict[str, float]) -> None:
    with pytest.raises(InputError, match=next(iter(parameters))):
        Comparison(**parameters)  # type: ignore[arg-type]


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
    table = sweep(Comparison())
    assert len(table) == 4 * 3 * 3
    assert not table.duplicated(["epsilon", "seed", "approach"]).any()
    pd.testing.assert_frame_equal(table, sweep(Comparison()))
    assert not table["mae"].equals(sweep(Comparison(seed=7))["mae"])


def test_rows_do_not_depend_on_what_else_is_swept() -> None:
    columns = ["approach", "mae", "rmse"]
    wide = sweep(Comparison(seeds=3)).query("epsilon == 0.5 and seed == 43")[columns]
    narrow = sweep(Comparison(epsilon_max=0.5, seeds=1, seed=43))[columns]
    assert wide.to_numpy().tolist() == narrow.to_numpy().tolist()


def test_fairness_adds_the_epsilons_of_one_release() -> None:
    expected = {"raw_per_record": 0.5 / 35, "local_per_day": 0.5 / 7, "global": 0.5}
    assert fairness(Comparison(), 0.5) == pytest.approx(expected)
    table = sweep(Comparison(fairness=True))
    assert table.loc[0, list(expected)].to_dict() == pytest.approx(expected)
    assert set(expected).isdisjoint(sweep(Comparison()).columns)


@pytest.mark.parametrize("factor", [1.0, 0.7, 1.3])
@pytest.mark.parametrize(("approach", "draws"), [("global", 1), ("local", 3)])
def test_errors_are_as_large_as_the_noise_says(approach: str, draws: int, factor: float) -> None:
    """Gaussian errors of 7 days and 60 seeds: their squares are chi-square with 420 degrees."""
    comparison = Comparison(mechanism="gaussian", epsilon_max=0.5, seeds=60)
    rows = sweep(comparison).query("approach == @approach")
    variance = draws * (factor * rows["scale"].iloc[0]) ** 2
    statistic = 7 * np.sum(rows["rmse"] ** 2) / variance
    inside = stats.chi2.ppf([0.5e-9, 1 - 0.5e-9], 420)
    assert (inside[0] < statistic < inside[1]) == (factor == 1.0)
