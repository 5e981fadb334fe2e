"""The three places to add noise, compared: how accurate each is, and what an audit sees of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Literal, Self

import numpy as np
import pandas as pd
from numpy.random import Generator, SeedSequence, default_rng
from numpy.typing import NDArray

from audit.declaration import Compared, Entry, Truth
from audit.errors import InputError
from audit.relation import Relation
from mechanisms.parts.parameters import require_count, require_positive
from mechanisms.systems.dp_sum.daily_sums import APPROACHES, Approach, DailySums, records_of

_FARTHEST_OUTLIER = 10.0
"""Outliers reach up to this many times max_steps."""
_MOST_STEPS = 1000
"""More epsilons than this are nobody's table."""
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


_ERRORS = tuple(field.name for field in fields(Accuracy))


@dataclass(frozen=True, slots=True)
class Comparison:
    """Daily totals with noise on every record, on every client's day, or on the total.

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

    def over(self, low: float, high: float, step: float) -> Self:
        """The same comparison for epsilon from low to high in equal steps."""
        return replace(self, epsilon_min=low, epsilon_max=high, epsilon_step=step)

    def compared(self) -> Sequence[Compared]:
        """Errors of every approach, averaged over the seeds, with the mechanism itself."""
        means = sweep(self).groupby(["epsilon", "approach"])[["scale", *_ERRORS]].mean()
        return [
            Compared(
                approach=approach,
                epsilon=epsilon,
                figures=means.loc[(epsilon, approach)].to_dict() | self._fairness(epsilon),
                entry=self._entry(approach, epsilon),
            )
            for epsilon in self.epsilons
            for approach in APPROACHES
        ]

    def _fairness(self, epsilon: float) -> dict[str, float]:
        return fairness(self, epsilon) if self.fairness else {}

    def _entry(self, approach: Approach, epsilon: float) -> Entry:
        """The approach where one record changes its steps from none to the most."""
        mechanism = self.placed(approach, epsilon)
        return Entry(
            name=f"dp-sum-{approach}",
            group="DP sum",
            summary=f"daily totals, {approach} noise",
            mechanism=mechanism,
            independent_calls=True,
            relation=Relation.SUBSTITUTE,
            data=self._first_changed(0.0),
            neighbors=(self._first_changed(self.max_steps),),
            truth=Truth(
                keeps=True,
                epsilon=mechanism.release_epsilon if self.mechanism == "laplace" else None,
                source="calculation: one release moves by at most max_steps",
            ),
        )

    def _first_changed(self, steps: float) -> NDArray[np.float64]:
        """One record of half the most steps per client and day, of which the first has others."""
        return np.array([steps, *[self.max_steps / 2] * (self.num_clients * self.num_days - 1)])


def generate(comparison: Comparison, rng: Generator) -> pd.DataFrame:
    """Records with columns client, day and steps.

    Each client makes 1 to max_records_per_day records a day, each of 0 to max_steps
    steps, all uniform; a share of outliers has up to ten times max_steps.
    """
    clients, days = np.divmod(
        np.arange(comparison.num_clients * comparison.num_days), comparison.num_days
    )
    records = rng.integers(1, comparison.max_records_per_day, clients.size, endpoint=True)
    steps = rng.uniform(0.0, comparison.max_steps, records.sum())
    factor = rng.uniform(1.0, _FARTHEST_OUTLIER, steps.size)
    outlier = rng.random(steps.size) < comparison.outliers
    return pd.DataFrame(
        {
            "client": np.repeat(clients, records),
            "day": np.repeat(days, records),
            "steps": np.floor(np.where(outlier, comparison.max_steps * factor, steps)),
        }
    )


def exact_totals(records: pd.DataFrame, num_days: int) -> NDArray[np.float64]:
    """True total of every day, outliers at their full size, shape (num_days,)."""
    days, steps = records_of(records, num_days)
    return np.bincount(days, weights=steps, minlength=num_days).astype(np.float64)


def sweep(comparison: Comparison) -> pd.DataFrame:
    """Errors of all placements for every epsilon and seed.

    All placements and epsilons see the same records of a seed. What clamping
    outliers costs is part of the error: totals are compared with the uncut ones.

    Returns:
        One row per epsilon, seed and approach: those three, mechanism, scale, mae,
        mre, rmse, max_error; with `fairness` also raw_per_record, local_per_day and
        global, the epsilons of one release.
    """
    seeds = range(comparison.seed, comparison.seed + comparison.seeds)
    return pd.DataFrame(
        [
            _row(comparison, seed, step, place)
            for step in range(len(comparison.epsilons))
            for seed in seeds
            for place in range(len(APPROACHES))
        ]
    )


def fairness(comparison: Comparison, epsilon: float) -> dict[str, float]:
    """Epsilon of one release of every placement: what one record truly pays there."""
    names = ("raw_per_record", "local_per_day", "global")
    placed = (comparison.placed(approach, epsilon) for approach in APPROACHES)
    return {name: one.release_epsilon for name, one in zip(names, placed, strict=True)}


def _row(comparison: Comparison, seed: int, step: int, place: int) -> dict[str, object]:
    """Errors of one placement at one epsilon; the noise follows from all three numbers."""
    epsilon = comparison.epsilons[step]
    placed = comparison.placed(APPROACHES[place], epsilon)
    records = generate(comparison, default_rng(SeedSequence(seed, spawn_key=(0,))))
    rng = default_rng(SeedSequence(seed, spawn_key=(1, step, place)))
    noisy = placed.release(records, rng, 1)[0]
    return {
        "epsilon": epsilon,
        "seed": seed,
        "approach": placed.approach,
        "mechanism": comparison.mechanism,
        "scale": placed.scale,
        **asdict(accuracy(noisy, exact_totals(records, comparison.num_days))),
        **(fairness(comparison, epsilon) if comparison.fairness else {}),
    }


COMPARISON = Comparison()
"""What `audit benchmark dp-sum` loads: an entry point of `pyproject.toml` names it."""
