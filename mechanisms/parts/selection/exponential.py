"""The exponential mechanism over scores."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from audit.claims import Claim, PureDP
from mechanisms.parts.noise import Floats, Integers
from mechanisms.parts.parameters import require_positive


@dataclass(frozen=True, slots=True)
class ExponentialMechanism:
    """P(k) proportional to exp(epsilon·score_k / (factor·sensitivity)).

    Attributes:
        epsilon: claimed epsilon.
        sensitivity: what one record is believed to change in each score.
        factor: 2 is right for general scores; 1 where all scores move in the same
            direction, or where there are only two.
    """

    epsilon: float = 1.0
    sensitivity: float = 1.0
    factor: float = 2.0

    def __post_init__(self) -> None:
        require_positive("factor", self.factor)
        require_positive("sensitivity", self.sensitivity)

    @property
    def claim(self) -> Claim:
        return PureDP(self.epsilon)

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Integers:
        """Indices of the chosen scores, shape (size,), one uniform each."""
        scores = np.asarray(data, dtype=np.float64)
        weights = softmax(self.epsilon * scores / (self.factor * self.sensitivity))
        cumulative = np.cumsum(weights)
        cumulative[-1] = 1.0
        return np.searchsorted(cumulative, rng.random(size), side="right")


def softmax(exponents: Floats) -> Floats:
    """Probabilities proportional to exp(exponents), without underflow of the largest."""
    weights = np.exp(exponents - exponents.max())
    return np.asarray(weights / weights.sum())
