"""Errors of noisy daily totals for the three places to add noise."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np
import pandas as pd
from numpy.random import SeedSequence, default_rng
from numpy.typing import NDArray

from mechanisms.systems.dp_sum.benchmark import Benchmark, exact_totals, generate
from mechanisms.systems.dp_sum.daily_sums import APPROACHES

_SMALLEST_TOTAL = 1e-12
"""True totals below this are read as this when an error is divided by them."""


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Errors of noisy totals over the days.

    Attributes:
        mae: mean absolute error, in steps.
        mre: mean relative error; a true total below 1e-12 is read as 1e-12.
        rmse: root of the mean squared error, in steps.
        max_error: largest absolute error, in steps.
    """

    mae: float
    mre: float
    rmse: float
    max_error: float


def accuracy(noisy: NDArray[np.float64], exact: NDArray[np.float64]) -> Accuracy:
    """Compare totals of the same days, shape (days,) each."""
    error = np.abs(noisy - exact)
    return Accuracy(
        mae=float(error.mean()),
        mre=float(np.mean(error / np.maximum(np.abs(exact), _SMALLEST_TOTAL))),
        rmse=float(np.sqrt(np.mean(error**2))),
        max_error=float(error.max()),
    )


def sweep(benchmark: Benchmark) -> pd.DataFrame:
    """Errors of all placements for every epsilon and seed.

    All placements and epsilons see the same records of a seed. What clamping
    outliers costs is part of the error: totals are compared with the uncut ones.

    Returns:
        One row per epsilon, seed and approach: those three, mechanism, scale, mae,
        mre, rmse, max_error; with `fairness` also raw_per_record, local_per_day and
        global, the epsilons of one release.
    """
    seeds = range(benchmark.seed, benchmark.seed + benchmark.seeds)
    return pd.DataFrame(
        [
            _row(benchmark, seed, step, place)
            for step in range(len(benchmark.epsilons))
            for seed in seeds
            for place in range(len(APPROACHES))
        ]
    )


def fairness(benchmark: Benchmark, epsilon: float) -> dict[str, float]:
    """Epsilon of one release of every placement: what one record truly pays there."""
    names = ("raw_per_record", "local_per_day", "global")
    placed = (benchmark.placed(approach, epsilon) for approach in APPROACHES)
    return {name: one.release_epsilon for name, one in zip(names, placed, strict=True)}


def _row(benchmark: Benchmark, seed: int, step: int, place: int) -> dict[str, object]:
    """Errors of one placement at one epsilon; the noise follows from all three numbers."""
    epsilon = benchmark.epsilons[step]
    placed = benchmark.placed(APPROACHES[place], epsilon)
    records = generate(benchmark, default_rng(SeedSequence(seed, spawn_key=(0,))))
    rng = default_rng(SeedSequence(seed, spawn_key=(1, step, place)))
    noisy = placed.release(records, rng, 1)[0]
    return {
        "epsilon": epsilon,
        "seed": seed,
        "approach": placed.approach,
        "mechanism": benchmark.mechanism,
        "scale": placed.scale,
        **asdict(accuracy(noisy, exact_totals(records, benchmark.num_days))),
        **(fairness(benchmark, epsilon) if benchmark.fairness else {}),
    }
