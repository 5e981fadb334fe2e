"""One person's number in [-1, 1], randomized so that averages stay unbiased."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from audit.claims import Claim, PureDP
from mechanisms.parts.noise import Floats


@dataclass(frozen=True, slots=True)
class OneBitMean:
    """One of two opposite numbers (Duchi, Jordan, Wainwright 2018, in one dimension).

    Attributes:
        epsilon: claimed epsilon.
    """

    epsilon: float = 1.0

    @property
    def claim(self) -> Claim:
        return PureDP(self.epsilon)

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Floats:
        """Plus or minus (e^ε + 1)/(e^ε - 1), shape (size,)."""
        slope = math.tanh(self.epsilon / 2.0)
        positive = rng.random(size) < 0.5 + 0.5 * slope * _first(data)
        return np.where(positive, 1.0, -1.0) / slope


@dataclass(frozen=True, slots=True)
class PiecewiseMean:
    """A number from a piecewise constant density around the truth (arXiv 1907.00782).

    Attributes:
        epsilon: claimed epsilon.
    """

    epsilon: float = 1.0

    @property
    def claim(self) -> Claim:
        return PureDP(self.epsilon)

    @property
    def reach(self) -> float:
        """Largest output."""
        return 1.0 / math.tanh(self.epsilon / 4.0)

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Floats:
        """Numbers between -reach and reach, shape (size,)."""
        width = self.reach - 1.0
        left = (self.reach + 1.0) / 2.0 * _first(data) - width / 2.0
        near = rng.random(size) < 1.0 / (1.0 + math.exp(-self.epsilon / 2.0))
        place = rng.random(size)
        outside = -self.reach + place * (2.0 * self.reach - width)
        outside = np.where(outside < left, outside, outside + width)
        return np.where(near, left + place * width, outside)


def _first(data: ArrayLike) -> float:
    return float(np.clip(np.asarray(data, dtype=np.float64).reshape(-1)[0], -1.0, 1.0))
