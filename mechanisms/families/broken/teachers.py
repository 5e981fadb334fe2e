"""PATE whose teachers were all trained on the same records."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from audit.claim import Claim, PureDP
from audit.declaration import Entry, Truth
from mechanisms.parts.noise import Floats, laplace

GROUP = "Wrong: composition"


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


ENTRIES: tuple[Entry, ...] = (
    Entry(
        name="pate-shared-teachers",
        group=GROUP,
        summary="all ten teachers see every record; the vote's noise hides one of them",
        mechanism=SharedTeachers(),
        data=np.array([1]),
        neighbors=(np.array([], dtype=np.int64),),
        domain="int:0:1",
        truth=Truth(
            keeps=False,
            epsilon=10.0,
            source="F05; vanderschaarlab/mlforhealthlabpub #29, synthcity #275",
            pairs=9.7,
        ),
    ),
)
