"""Noise that is never negative: a Wishart matrix added to a second-moment matrix."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from audit.claims import Claim, PureDP
from mechanisms.parts.noise import Floats, gaussian


@dataclass(frozen=True, slots=True)
class WishartMoments:
    """X'X + GG', where G is dimension × (dimension + 1) of normals.

    Attributes:
        epsilon: claimed epsilon.
        dimension: length of a record.
        norm: records are shortened to this Euclidean norm.
    """

    epsilon: float = 1.0
    dimension: int = 1
    norm: float = 1.0

    @property
    def claim(self) -> Claim:
        return PureDP(self.epsilon)

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Floats:
        """Noisy second moments, shape (size, dimension, dimension)."""
        records = np.asarray(data, dtype=np.float64).reshape(-1, self.dimension)
        norms = np.linalg.norm(records, axis=1, keepdims=True)
        kept = records * np.minimum(1.0, self.norm / np.maximum(norms, 1e-300))
        shape = (size, self.dimension, self.dimension + 1)
        noise = gaussian(rng, self.norm / (2.0 * self.epsilon), shape)
        return np.asarray(kept.T @ kept + noise @ noise.transpose(0, 2, 1))
