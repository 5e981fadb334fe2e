"""A mechanism that once in a while publishes a record as it is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from audit.claims import Claim, PureDP
from mechanisms.parts.noise import Floats, laplace


@dataclass(frozen=True, slots=True)
class NameAndShame:
    """A noisy count, with a small probability together with the first record.

    Attributes:
        epsilon: claimed epsilon.
        probability: how often the record is published.
    """

    epsilon: float = 1.0
    probability: float = 1e-6

    @property
    def claim(self) -> Claim:
        return PureDP(self.epsilon)

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Floats:
        """Rows (noisy count, published record or NaN), shape (size, 2)."""
        records = np.asarray(data, dtype=np.float64).reshape(-1)
        noisy = records.size + laplace(rng, 1.0 / self.epsilon, size)
        shamed = rng.random(size) < self.probability
        first = records[0] if records.size else np.nan
        return np.column_stack([noisy, np.where(shamed, first, np.nan)])
