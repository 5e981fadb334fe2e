"""Counts: noisy answers, histograms, and what is made of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from audit.claims import Claim
from audit.errors import InputError
from mechanisms.parts.calibration import Calibration, Pure, claim_of, scale_of
from mechanisms.parts.noise import SAMPLERS, Floats, Integers, NoiseName, child, choice, laplace
from mechanisms.parts.parameters import require_count, require_positive

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class NoisyAnswers:
    """Every answer plus noise of its own.

    Attributes:
        epsilon: claimed epsilon.
        delta: claimed delta, 0 for a pure claim.
        noise: distribution of the noise.
        calibration: rule that turns epsilon, delta and sensitivity into the noise's scale.
        sensitivity: what one record is believed to change, all answers together.
        repeats: how often the answers are released; the code believes nothing of it.
        cumulative: whether running totals of the noisy answers are released.
    """

    epsilon: float = 1.0
    delta: float = 0.0
    noise: NoiseName = "laplace"
    calibration: Calibration = "pure"
    sensitivity: float = 1.0
    repeats: int = 1
    cumulative: bool = False

    def __post_init__(self) -> None:
        require_count("repeats", self.repeats)

    @property
    def claim(self) -> Claim:
        return claim_of(self.epsilon, self.delta)

    @property
    def scale(self) -> float:
        """Scale of the noise on each answer."""
        return scale_of(self.calibration, self.epsilon, self.delta, self.sensitivity)

    def release(self, data: ArrayLike, rng: Generator, size: int) -> NDArray[Any]:
        """Noisy answers, shape (size, answers·repeats), or (size,) when there is one."""
        answers = np.tile(np.asarray(data, dtype=np.float64).reshape(-1), self.repeats)
        noisy = answers + SAMPLERS[self.noise](rng, self.scale, (size, answers.size))
        released = noisy.cumsum(axis=1) if self.cumulative else noisy
        return np.asarray(released[:, 0] if answers.size == 1 else released)


@dataclass(frozen=True, slots=True)
class NoisyHistogram(Pure):
    """Counts of the records in each bin plus Laplace noise.

    Attributes:
        epsilon: claimed epsilon.
        bins: number of bins; records are 0 ... bins - 1.
        sensitivity: what one record is believed to change: 1 when it comes or
            goes, 2 when it moves to another bin.
        cumulative: whether prefix sums of the noisy counts are released.
    """

    bins: int = 2
    sensitivity: float = 1.0
    cumulative: bool = False

    def __post_init__(self) -> None:
        require_count("bins", self.bins)
        require_positive("sensitivity", self.sensitivity)

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Floats:
        """Noisy counts, shape (size, bins)."""
        noise = laplace(rng, self.sensitivity / self.epsilon, (size, self.bins))
        noisy = counts_of(data, self.bins) + noise
        return noisy.cumsum(axis=1) if self.cumulative else noisy


@dataclass(frozen=True, slots=True)
class TreeCounts(Pure):
    """Noisy counts at all nodes of a complete binary tree over the leaves.

    Attributes:
        epsilon: claimed epsilon.
        leaves: number of leaves, a power of two; records are 0 ... leaves - 1.
        levels: levels among which the budget is split; right is log2(leaves) + 1.
    """

    leaves: int = 8
    levels: int = 4

    def __post_init__(self) -> None:
        require_count("leaves", self.leaves)
        require_count("levels", self.levels)
        if self.leaves & (self.leaves - 1):
            raise InputError(
                f"leaves {self.leaves!r} is not a power of two; use for example 8", self.leaves
            )

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Floats:
        """Noisy counts, shape (size, 2·leaves - 1), from the root down to the leaves."""
        noise = laplace(rng, self.levels / self.epsilon, (size, 2 * self.leaves - 1))
        return tree_of(counts_of(data, self.leaves)) + noise


def counts_of(records: ArrayLike, bins: int) -> Integers:
    """Numbers of records equal to 0, 1, ... bins - 1; records outside count as the nearest."""
    kept = np.clip(np.asarray(records).astype(np.int64), 0, bins - 1)
    return np.bincount(kept, minlength=bins)


def tree_of(counts: Integers) -> Integers:
    """All nodes of the tree over the counts, level by level from the root."""
    levels = [counts]
    while levels[0].size > 1:
        levels.insert(0, levels[0].reshape(-1, 2).sum(axis=1))
    return np.concatenate(levels)


@dataclass(frozen=True, slots=True)
class HistogramOfTotal(Pure):
    """Noisy counts of bins, all moved by the same step so that they add up to a total.

    Half of the budget is for the bins and half for the total, whose noise is Laplace noise, too.

    Attributes:
        epsilon: claimed epsilon.
        bins: number of bins; records are 0 ... bins - 1.
        noisy_total: whether the total has its noise; without, the noise of the bins is
            taken back where it matters: they add up to the number of records.
    """

    bins: int = 4
    noisy_total: bool = True

    def __post_init__(self) -> None:
        require_count("bins", self.bins)

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Floats:
        """Noisy counts, shape (size, bins)."""
        counts, scale = counts_of(data, self.bins), 2.0 / self.epsilon
        of_total = laplace(child(rng), scale, (size, 1))
        total = counts.sum() + (of_total if self.noisy_total else 0.0)
        noisy = counts + laplace(rng, scale, (size, self.bins))
        surplus = noisy.sum(axis=1, keepdims=True) - total
        moved: Floats = noisy - surplus / self.bins
        return moved


@dataclass(frozen=True, slots=True)
class SyntheticRows(Pure):
    """Rows drawn from a noisy histogram, one for each real row.

    Attributes:
        epsilon: claimed epsilon.
        bins: number of values; records are 0 ... bins - 1.
    """

    bins: int = 2

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Integers:
        """Synthetic datasets, shape (size, records)."""
        counts = NoisyHistogram(self.epsilon, self.bins).release(data, rng, size)
        weights = np.maximum(counts, 0.0) + 1e-9
        cumulative = np.cumsum(weights, axis=1) / weights.sum(axis=1, keepdims=True)
        uniform = child(rng).random((np.asarray(data).size, size)).T
        return np.asarray((uniform[:, :, None] > cumulative[:, None, :-1]).sum(axis=2))


@dataclass(frozen=True, slots=True)
class SharedTeachers(Pure):
    """Number of teachers that vote 1, plus noise that hides a single vote.

    Every teacher votes for the label of the majority of the records it saw, and
    all of them saw all records.

    Attributes:
        epsilon: claimed epsilon.
        teachers: number of teachers.
    """

    teachers: int = 10

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Floats:
        """Noisy votes for label 1, shape (size,)."""
        labels = np.asarray(data)
        vote = 2 * np.count_nonzero(labels > 0) > labels.size
        return self.teachers * vote + laplace(rng, 1.0 / self.epsilon, size)


@dataclass(frozen=True, slots=True)
class NameAndShame(Pure):
    """A noisy count, with a small probability together with the first record.

    Attributes:
        epsilon: claimed epsilon.
        probability: how often the record is published.
    """

    probability: float = 1e-6

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Floats:
        """Rows (noisy count, published record or NaN), shape (size, 2)."""
        records = np.asarray(data, dtype=np.float64).reshape(-1)
        noisy = records.size + laplace(rng, 1.0 / self.epsilon, size)
        shamed = rng.random(size) < self.probability
        first = records[0] if records.size else np.nan
        return np.column_stack([noisy, np.where(shamed, first, np.nan)])


@dataclass(frozen=True, slots=True)
class RowCount(Pure):
    """Number of rows plus Laplace noise.

    Attributes:
        epsilon: claimed epsilon for a whole user.
        rows_per_user: how many rows of one user the noise hides.
        bound: whether further rows of a user are dropped.
    """

    rows_per_user: int = 1
    bound: bool = True

    def __post_init__(self) -> None:
        require_count("rows_per_user", self.rows_per_user)

    def release(self, data: pd.DataFrame, rng: Generator, size: int) -> Floats:
        """Noisy counts, shape (size,); the column "user" says whose a row is."""
        owned = data["user"].value_counts()
        counted = owned.clip(upper=self.rows_per_user) if self.bound else owned
        return int(counted.sum()) + laplace(rng, self.rows_per_user / self.epsilon, size)


@dataclass(frozen=True, slots=True)
class RenormalizedGeometric(Pure):
    """P(y) proportional to exp(-epsilon·|y - count|) on 0 ... largest.

    The normaliser depends on the count, so that this is private only on {0, 1}.

    Attributes:
        epsilon: claimed epsilon.
        largest: largest output; the count of records above zero is cut to it too.
    """

    largest: int = 10

    def __post_init__(self) -> None:
        require_count("largest", self.largest)

    def probabilities(self, count: int) -> Floats:
        """Shape (largest + 1,): probability of each output."""
        mass = np.exp(-self.epsilon * np.abs(np.arange(self.largest + 1) - count))
        return np.asarray(mass / mass.sum())

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Integers:
        """Outputs, shape (size,), one uniform each."""
        count = min(int(np.count_nonzero(np.asarray(data) > 0)), self.largest)
        return choice(self.probabilities(count), rng.random(size))
