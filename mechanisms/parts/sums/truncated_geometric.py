"""A geometric distribution cut to a range by renormalising instead of clamping."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from audit.claims import Claim, PureDP
from mechanisms.parts.noise import Floats, Integers
from mechanisms.parts.parameters import require_count


@dataclass(frozen=True, slots=True)
class RenormalizedGeometric:
    """P(y) proportional to exp(-epsilon·|y - count|) on 0 ... largest.

    The normaliser depends on the count, so that this is private only on {0, 1}.

    Attributes:
        epsilon: claimed epsilon.
        largest: largest output; the count of records above zero is cut to it too.
    """

    epsilon: float = 1.0
    largest: int = 10

    def __post_init__(self) -> None:
        require_count("largest", self.largest)

    @property
    def claim(self) -> Claim:
        return PureDP(self.epsilon)

    def probabilities(self, count: int) -> Floats:
        """Shape (largest + 1,): probability of each output."""
        mass = np.exp(-self.epsilon * np.abs(np.arange(self.largest + 1) - count))
        return np.asarray(mass / mass.sum())

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Integers:
        """Outputs, shape (size,), one uniform each."""
        count = min(int(np.count_nonzero(np.asarray(data) > 0)), self.largest)
        cumulative = np.cumsum(self.probabilities(count))
        cumulative[-1] = 1.0
        return np.searchsorted(cumulative, rng.random(size), side="right")
