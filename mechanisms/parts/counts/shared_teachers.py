"""PATE whose teachers were all trained on the same records."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from audit.claims import Claim, PureDP
from mechanisms.parts.noise import Floats, laplace


@dataclass(frozen=True, slots=True)
class SharedTeachers:
    """Number of teachers that vote 1, plus noise that hides a single vote.

    Every teacher votes for the label of the majority of the records it saw, and
    all of them saw all records.

    Attributes:
        epsilon: claimed epsilon.
        teachers: number of teachers.
    """

    epsilon: float = 1.0
    teachers: int = 10

    @property
    def claim(self) -> Claim:
        return PureDP(self.epsilon)

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Floats:
        """Noisy votes for label 1, shape (size,)."""
        labels = np.asarray(data)
        vote = 2 * np.count_nonzero(labels > 0) > labels.size
        return self.teachers * vote + laplace(rng, 1.0 / self.epsilon, size)
