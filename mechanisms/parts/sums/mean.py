"""The mean of clamped records, where the number of records is private too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from audit.claims import Claim, PureDP
from mechanisms.parts.noise import Floats, laplace


@dataclass(frozen=True, slots=True)
class NoisyMean:
    """Mean of records clamped to [lower, upper].

    Attributes:
        epsilon: claimed epsilon.
        lower: records are raised to this.
        upper: records are lowered to this.
        method: "ratio" divides a noisy sum by a noisy count, at half the budget
            each; "range-over-size" takes the noise's scale from the number of
            records, which is right only where that number is public.
    """

    epsilon: float = 1.0
    lower: float = 0.0
    upper: float = 1.0
    method: Literal["ratio", "range-over-size"] = "ratio"

    @property
    def claim(self) -> Claim:
        return PureDP(self.epsilon)

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Floats:
        """Noisy means, shape (size,)."""
        kept = np.clip(np.asarray(data, dtype=np.float64), self.lower, self.upper)
        if self.method == "ratio":
            return self._ratio(kept, rng, size)
        records = max(1, kept.size)
        scale = (self.upper - self.lower) / (records * self.epsilon)
        return float(kept.sum()) / records + laplace(rng, scale, size)

    def _ratio(self, kept: Floats, rng: Generator, size: int) -> Floats:
        largest = max(abs(self.lower), abs(self.upper))
        total = float(kept.sum()) + laplace(rng, 2.0 * largest / self.epsilon, size)
        count = kept.size + laplace(rng, 2.0 / self.epsilon, size)
        return np.clip(total / np.maximum(count, 1.0), self.lower, self.upper)
