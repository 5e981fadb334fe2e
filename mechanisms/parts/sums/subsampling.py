"""Privacy amplified by sampling, when there is sampling."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from audit.claims import Claim, PureDP
from mechanisms.parts.noise import Floats, child, laplace
from mechanisms.parts.parameters import require_probability


@dataclass(frozen=True, slots=True)
class SampledSum:
    """A noisy sum of part of the records, claiming amplification by sampling.

    Attributes:
        base_epsilon: epsilon of the noisy sum without sampling.
        rate: share of the records that is used.
        sampling: "poisson" draws every record by itself; "head" takes the first
            rows, which is no sampling at all.
    """

    base_epsilon: float = 1.0
    rate: float = 0.1
    sampling: Literal["poisson", "head"] = "poisson"

    def __post_init__(self) -> None:
        require_probability("rate", self.rate)

    @property
    def claim(self) -> Claim:
        """Amplification by Poisson sampling (Balle, Barthe, Gaboardi 2018, Theorem 8)."""
        return PureDP(math.log1p(self.rate * math.expm1(self.base_epsilon)))

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Floats:
        """Noisy sums, shape (size,)."""
        records = np.clip(np.asarray(data, dtype=np.float64), 0.0, 1.0)
        noise = laplace(rng, 1.0 / self.base_epsilon, size)
        return self._part(records, child(rng), size) + noise

    def _part(self, records: Floats, rng: Generator, size: int) -> Floats:
        if self.sampling == "head":
            return np.full(size, records[: math.ceil(self.rate * records.size)].sum())
        chosen = rng.random((records.size, size)) < self.rate
        return np.asarray(records @ chosen)
