"""Several releases about the same records, with the budget split or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from audit.claims import Claim
from mechanisms.parts.calibration import Calibration, Pure, claim_of
from mechanisms.parts.noise import SAMPLERS, Floats, NoiseName, laplace
from mechanisms.parts.parameters import require_count
from mechanisms.parts.sums import NoisySum


@dataclass(frozen=True, slots=True)
class RepeatedSum:
    """The same sum of records in [0, 1], released several times with fresh noise.

    Attributes:
        epsilon: claimed epsilon for all releases together.
        delta: claimed delta for all releases together, 0 for a pure claim.
        noise: distribution of the noise.
        calibration: rule that turns epsilon, delta and sensitivity into the noise's scale.
        repeats: number of releases.
        split: whether epsilon and delta are split among the releases.
    """

    epsilon: float = 1.0
    delta: float = 0.0
    noise: NoiseName = "laplace"
    calibration: Calibration = "pure"
    repeats: int = 10
    split: bool = True

    def __post_init__(self) -> None:
        require_count("repeats", self.repeats)

    @property
    def claim(self) -> Claim:
        return claim_of(self.epsilon, self.delta)

    @property
    def scale(self) -> float:
        """Scale of the noise of each release."""
        share = self.repeats if self.split else 1
        part = NoisySum(self.epsilon / share, self.delta / share, self.noise, self.calibration)
        return part.scale

    def release(self, data: ArrayLike, rng: Generator, size: int) -> NDArray[Any]:
        """Noisy sums, shape (size, repeats)."""
        noise = SAMPLERS[self.noise](rng, self.scale, (size, self.repeats))
        return np.asarray(_sum_of(data) + noise)


@dataclass(frozen=True, slots=True)
class CountAndSum(Pure):
    """Number of records and their sum, as for an average.

    Attributes:
        epsilon: claimed epsilon for both.
        split: whether epsilon is split between the two.
    """

    split: bool = True

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Floats:
        """Rows (noisy count, noisy sum), shape (size, 2)."""
        share = 2.0 if self.split else 1.0
        exact = np.array([np.asarray(data).size, _sum_of(data)])
        return exact + laplace(rng, share / self.epsilon, (size, 2))


@dataclass(frozen=True, slots=True)
class NoisyGradientSteps(Pure):
    """Gradient steps with momentum, whose gradients are noisy sums.

    Attributes:
        epsilon: claimed epsilon for all steps together, split evenly.
        steps: number of steps.
        momentum: how much of the last direction is kept.
    """

    steps: int = 4
    momentum: float = 0.9

    def __post_init__(self) -> None:
        require_count("steps", self.steps)

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Floats:
        """Positions after each step, shape (size, steps)."""
        gradients = RepeatedSum(self.epsilon, repeats=self.steps).release(data, rng, size)
        directions = np.zeros((size, self.steps))
        for step in range(self.steps):
            last = directions[:, step - 1] if step else 0.0
            directions[:, step] = self.momentum * last + gradients[:, step]
        return directions.cumsum(axis=1)


def _sum_of(data: ArrayLike) -> float:
    return float(np.clip(np.asarray(data, dtype=np.float64), 0.0, 1.0).sum())
