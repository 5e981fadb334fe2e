"""Synthetic data with as many rows as the real data have."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from audit.claims import Claim, PureDP
from mechanisms.parts.counts.histogram import NoisyHistogram
from mechanisms.parts.noise import Integers, child


@dataclass(frozen=True, slots=True)
class SyntheticRows:
    """Rows drawn from a noisy histogram, one for each real row.

    Attributes:
        epsilon: claimed epsilon.
        bins: number of values; records are 0 ... bins - 1.
    """

    epsilon: float = 1.0
    bins: int = 2

    @property
    def claim(self) -> Claim:
        return PureDP(self.epsilon)

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Integers:
        """Synthetic datasets, shape (size, records)."""
        counts = NoisyHistogram(self.epsilon, self.bins).release(data, rng, size)
        weights = np.maximum(counts, 0.0) + 1e-9
        cumulative = np.cumsum(weights, axis=1) / weights.sum(axis=1, keepdims=True)
        uniform = child(rng).random((np.asarray(data).size, size)).T
        return np.asarray((uniform[:, :, None] > cumulative[:, None, :-1]).sum(axis=2))
