"""A comparison of three places to add noise: parameters and generated records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
from numpy.random import Generator
from numpy.typing import NDArray

from audit.errors import InputError
from mechanisms.parts.parameters import require_count, require_positive
from mechanisms.systems.dp_sum.daily_sums import Approach, DailySums, records_of

_FARTHEST_OUTLIER = 10.0
"""Outliers reach up to this many times max_steps."""
_MOST_STEPS = 1000
"""More epsilons than this are nobody's table."""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """One comparison of the three placements on generated data.

    Attributes:
        num_clients: clients.
        max_steps: steps of a record at most, X; outliers exceed it and are cut.
        max_records_per_day: records of a client on a day at most, Y.
        num_days: days, Z.
        mechanism: distribution of the noise.
        delta: claimed delta; Gaussian noise only.
        outliers: share of records above max_steps.
        fairness: whether to add the epsilon of one release of every placement.
        epsilon_min: smallest epsilon.
        epsilon_max: largest epsilon.
        epsilon_step: distance between two.
        seeds: datasets to average over.
        seed: the first dataset; everything random follows from it.
    """

    num_clients: int = 3
    max_steps: float = 1000.0
    max_records_per_day: int = 5
    num_days: int = 7
    mechanism: Literal["laplace", "gaussian"] = "laplace"
    delta: float = 1e-6
    outliers: float = 0.0
    fairness: bool = False
    epsilon_min: float = 0.5
    epsilon_max: float = 2.0
    epsilon_step: float = 0.5
    seeds: int = 3
    seed: int = 42

    def __post_init__(self) -> None:
        require_positive("epsilon_min", self.epsilon_min)
        require_positive("epsilon_step", self.epsilon_step)
        require_count("seeds", self.seeds)
        require_count("seed", self.seed, 0)
        if not 0 <= self.outliers <= 1:
            raise InputError(f"outliers {self.outliers!r} is no share; use 0 to 1", self.outliers)
        if not self.epsilon_min <= self.epsilon_max < np.inf:
            raise InputError(
                f"epsilon_max {self.epsilon_max!r} is below epsilon_min; exchange the two",
                self.epsilon_max,
            )
        if self._steps >= _MOST_STEPS:
            raise InputError(
                f"epsilon_step {self.epsilon_step!r} makes more than {_MOST_STEPS} steps from "
                f"{self.epsilon_min!r} to {self.epsilon_max!r}; give a larger one",
                self.epsilon_step,
            )
        self.placed("global", self.epsilon_min)

    @property
    def epsilons(self) -> list[float]:
        """From the smallest in equal steps up to the largest, which is included when met."""
        steps = range(int(self._steps) + 1)
        return [self.epsilon_min + step * self.epsilon_step for step in steps]

    @property
    def _steps(self) -> float:
        with np.errstate(over="ignore"):
            return float(np.float64(self.epsilon_max - self.epsilon_min) / self.epsilon_step + 1e-9)

    def placed(self, approach: Approach, epsilon: float) -> DailySums:
        """The mechanism that adds its noise in one of the places."""
        return DailySums(
            approach,
            epsilon,
            self.mechanism,
            self.delta,
            self.num_clients,
            self.num_days,
            self.max_records_per_day,
            self.max_steps,
        )


def generate(benchmark: Benchmark, rng: Generator) -> pd.DataFrame:
    """Records with columns client, day and steps.

    Each client makes 1 to max_records_per_day records a day, each of 0 to max_steps
    steps, all uniform; a share of outliers has up to ten times max_steps.
    """
    clients, days = np.divmod(
        np.arange(benchmark.num_clients * benchmark.num_days), benchmark.num_days
    )
    records = rng.integers(1, benchmark.max_records_per_day, clients.size, endpoint=True)
    steps = rng.uniform(0.0, benchmark.max_steps, records.sum())
    factor = rng.uniform(1.0, _FARTHEST_OUTLIER, steps.size)
    outlier = rng.random(steps.size) < benchmark.outliers
    return pd.DataFrame(
        {
            "client": np.repeat(clients, records),
            "day": np.repeat(days, records),
            "steps": np.floor(np.where(outlier, benchmark.max_steps * factor, steps)),
        }
    )


def exact_totals(records: pd.DataFrame, num_days: int) -> NDArray[np.float64]:
    """True total of every day, outliers at their full size, shape (num_days,)."""
    days, steps = records_of(records, num_days)
    return np.bincount(days, weights=steps, minlength=num_days).astype(np.float64)
