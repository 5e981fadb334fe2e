"""Noise on each of several query answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from audit.claims import Claim
from mechanisms.parts.calibration import Calibration, claim_of, scale_of
from mechanisms.parts.noise import SAMPLERS, NoiseName
from mechanisms.parts.parameters import require_count


@dataclass(frozen=True, slots=True)
class NoisyAnswers:
    """Every answer plus noise of its own.

    Attributes:
        epsilon: claimed epsilon.
        delta: claimed delta, 0 for a pure claim.
        noise: distribution of the noise.
        calibration: rule that turns epsilon, delta and sensitivity into the noise's scale.
        sensitivity: what one record is believed to change, all answers together.
        repeats: how often the answers are released; the code believes nothing of it.
        cumulative: whether running totals of the noisy answers are released.
    """

    epsilon: float = 1.0
    delta: float = 0.0
    noise: NoiseName = "laplace"
    calibration: Calibration = "pure"
    sensitivity: float = 1.0
    repeats: int = 1
    cumulative: bool = False

    def __post_init__(self) -> None:
        require_count("repeats", self.repeats)

    @property
    def claim(self) -> Claim:
        return claim_of(self.epsilon, self.delta)

    @property
    def scale(self) -> float:
        """Scale of the noise on each answer."""
        return scale_of(self.calibration, self.epsilon, self.delta, self.sensitivity)

    def release(self, data: ArrayLike, rng: Generator, size: int) -> NDArray[Any]:
        """Noisy answers, shape (size, answers·repeats), or (size,) when there is one."""
        answers = np.tile(np.asarray(data, dtype=np.float64).reshape(-1), self.repeats)
        noisy = answers + SAMPLERS[self.noise](rng, self.scale, (size, answers.size))
        released = noisy.cumsum(axis=1) if self.cumulative else noisy
        return np.asarray(released[:, 0] if answers.size == 1 else released)
