"""Generated records stay in their limits, and the parameters of a comparison in theirs."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.random import default_rng

from audit.errors import InputError
from mechanisms.systems.dp_sum.benchmark import Benchmark, exact_totals, generate


def test_generated_records_stay_in_their_limits() -> None:
    benchmark = Benchmark(num_clients=40, num_days=5, max_records_per_day=4)
    records = generate(benchmark, default_rng(1))
    sizes = records.groupby(["client", "day"]).size()
    assert len(sizes) == 200
    assert (sizes.min(), sizes.max()) == (1, 4)
    assert records["steps"].between(0, 1000).all()


def test_outliers_exceed_the_limit_and_are_cut_by_the_mechanism() -> None:
    benchmark = Benchmark(num_clients=1, num_days=2, outliers=1.0)
    records = generate(benchmark, default_rng(2))
    assert records["steps"].between(1000, 10_000).all()
    drawn = benchmark.placed("global", 1e9).release(records, default_rng(3), 1)[0]
    assert drawn == pytest.approx(1000 * records.groupby("day").size(), abs=1e-3)
    assert np.all(exact_totals(records, 2) > drawn)


def test_epsilons_include_both_ends() -> None:
    assert Benchmark().epsilons == [0.5, 1.0, 1.5, 2.0]
    assert Benchmark(epsilon_min=0.1, epsilon_max=0.3, epsilon_step=0.1).epsilons == pytest.approx(
        [0.1, 0.2, 0.3]
    )
    assert Benchmark(epsilon_min=1.0, epsilon_max=1.0).epsilons == [1.0]
    assert Benchmark(epsilon_min=1.0, epsilon_max=1.9, epsilon_step=0.5).epsilons == [1.0, 1.5]


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
        Benchmark(**parameters)  # type: ignore[arg-type]
