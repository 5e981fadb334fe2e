"""Counts, sums and moments of numbers in [-1, 1] from noisy sums.

A record moves a clamped sum by at most 1, so Laplace noise of scale 1/epsilon
hides it. The statistics made of several such sums share epsilon equally among
them, and dividing, squaring or clamping the noisy sums is post-processing.

A first implementation drew the noise as scale·(1 - ln U) with a fair sign, which
is never smaller than the scale: around the true sum there is a hole that moves with
every record. It also clamped with two comparisons, and a record that is no number
passes both and makes the sum no number either.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from mechanisms.parts.calibration import Pure
from mechanisms.parts.noise import Floats, laplace, laplace_with_hole
from mechanisms.parts.parameters import require_positive

Sampler = Literal["right", "printed"]
_NOISE = {"right": laplace, "printed": laplace_with_hole}


def noisy_sum(
    terms: NDArray[np.float64], epsilon: float, rng: Generator, size: int, sampler: Sampler
) -> Floats:
    """Sum of the terms held to [-1, 1], plus noise of scale 1/epsilon.

    Args:
        terms: shape (records,); NaN, which no comparison clamps, counts as 0.
        epsilon: budget of this sum.
        rng: source of the noise.
        size: draws.
        sampler: "right" for Laplace noise, "printed" for the one with a hole.

    Returns:
        Shape (size,).
    """
    total = float(np.nan_to_num(np.clip(terms, -1.0, 1.0), nan=0.0).sum())
    return total + _NOISE[sampler](rng, 1.0 / epsilon, size)


def at_least_one(count: Floats) -> Floats:
    """A noisy count fit to divide by: below 1 it is read as 1."""
    return np.maximum(count, 1.0)


@dataclass(frozen=True, slots=True)
class Count(Pure):
    """Number of records plus noise of scale 1/epsilon.

    Attributes:
        epsilon: claimed epsilon.
        sampler: "right" for Laplace noise, "printed" for the one with a hole.
    """

    sampler: Sampler = "right"

    def __post_init__(self) -> None:
        require_positive("epsilon", self.epsilon)

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Floats:
        """Noisy counts of the records, shape (size,)."""
        ones = np.ones(len(np.asarray(data)))
        return noisy_sum(ones, self.epsilon, rng, size, self.sampler)


@dataclass(frozen=True, slots=True)
class ClampedSum(Pure):
    """Sum of numbers held to [-1, 1] plus noise of scale 1/epsilon.

    Attributes:
        epsilon: claimed epsilon.
        sampler: "right" for Laplace noise, "printed" for the one with a hole.
        missing: what a NaN record adds: "zero", or "nan" as a clamp made of two
            comparisons lets it through.
    """

    sampler: Sampler = "right"
    missing: Literal["zero", "nan"] = "zero"

    def __post_init__(self) -> None:
        require_positive("epsilon", self.epsilon)

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Floats:
        """Noisy sums of the clamped records, shape (size,); NaN only with `missing="nan"`."""
        records = np.asarray(data, dtype=np.float64)
        noisy = noisy_sum(records, self.epsilon, rng, size, self.sampler)
        if self.missing == "nan" and np.isnan(records).any():
            return np.full(size, np.nan)
        return noisy


@dataclass(frozen=True, slots=True)
class Moment(Pure):
    """Mean, second moment, variance or standard deviation from noisy sums.

    A mean or second moment spends epsilon/2 on its sum and on the count, the other
    two epsilon/3 on the count and both sums. A noisy count below 1 is read as 1. A
    variance that noise made negative is released as 0, and so is its root.

    Attributes:
        epsilon: claimed epsilon.
        statistic: which of the four.
        sampler: "right" for Laplace noise, "printed" for the one with a hole.
    """

    statistic: Literal["mean", "second-moment", "variance", "standard-deviation"] = "mean"
    sampler: Sampler = "right"

    def __post_init__(self) -> None:
        require_positive("epsilon", self.epsilon)

    @property
    def parts(self) -> int:
        """Noisy sums among which epsilon is shared."""
        return 2 if self.statistic in ("mean", "second-moment") else 3

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Floats:
        """Noisy statistics of the clamped records, finite, shape (size,)."""
        records = np.clip(np.asarray(data, dtype=np.float64), -1.0, 1.0)
        count = at_least_one(self._sum(np.ones_like(records), rng, size))
        match self.statistic:
            case "mean":
                return self._sum(records, rng, size) / count
            case "second-moment":
                return self._sum(records**2, rng, size) / count
        mean = self._sum(records, rng, size) / count
        variance = np.maximum(self._sum(records**2, rng, size) / count - mean**2, 0.0)
        return variance if self.statistic == "variance" else np.sqrt(variance)

    def _sum(self, terms: NDArray[np.float64], rng: Generator, size: int) -> Floats:
        return noisy_sum(terms, self.epsilon / self.parts, rng, size, self.sampler)
