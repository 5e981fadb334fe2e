"""Choosing the largest of several scores with noise, and what may be said about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from audit.claims import Claim, PureDP
from mechanisms.parts.noise import SAMPLERS, Floats, NoiseName
from mechanisms.parts.parameters import require_positive


@dataclass(frozen=True, slots=True)
class NoisyMax:
    """Noise on every query answer, then the largest.

    Attributes:
        epsilon: claimed epsilon.
        noise: Laplace, exponential (then it is permute-and-flip) or Gumbel
            (then it is the exponential mechanism).
        factor: the scale of the noise in units of sensitivity/epsilon; 2 is right
            for general queries, 1 for monotone ones.
        sensitivity: how far one record moves each answer.
        output: the index, its noisy value, or the index with its gap to the runner-up.
    """

    epsilon: float = 1.0
    noise: NoiseName = "laplace"
    factor: float = 2.0
    sensitivity: float = 1.0
    output: Literal["index", "value", "gap"] = "index"

    def __post_init__(self) -> None:
        require_positive("factor", self.factor)
        require_positive("sensitivity", self.sensitivity)

    @property
    def claim(self) -> Claim:
        return PureDP(self.epsilon)

    def release(self, data: ArrayLike, rng: Generator, size: int) -> NDArray[Any]:
        """Indices or values, shape (size,); with gaps rows (index, gap), shape (size, 2)."""
        answers = np.asarray(data, dtype=np.float64)
        scale = self.factor * self.sensitivity / self.epsilon
        noisy = answers + SAMPLERS[self.noise](rng, scale, (size, answers.size))
        match self.output:
            case "value":
                return np.asarray(noisy.max(axis=1))
            case "gap":
                return _with_gap(noisy)
        return np.asarray(noisy.argmax(axis=1))


def _with_gap(noisy: Floats) -> Floats:
    best = np.partition(noisy, -2, axis=1)[:, -2:]
    return np.column_stack([noisy.argmax(axis=1), best[:, 1] - best[:, 0]])
