"""Randomized response: every person lies about one answer with a known probability."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from audit.claims import Claim, PureDP
from mechanisms.parts.noise import Integers
from mechanisms.parts.parameters import require_count


@dataclass(frozen=True, slots=True)
class RandomizedResponse:
    """Each person reports the truth with probability e^ε/(e^ε + k - 1), else lies.

    Attributes:
        epsilon: claimed epsilon.
        choices: number of answers k; answers are 0 ... k - 1.
        lie: a lie is one of the other answers, or (wrongly) any of all answers.
    """

    epsilon: float = 1.0
    choices: int = 2
    lie: Literal["other", "any"] = "other"

    def __post_init__(self) -> None:
        require_count("choices", self.choices, least=2)

    @property
    def claim(self) -> Claim:
        return PureDP(self.epsilon)

    @property
    def truth_probability(self) -> float:
        """Probability of telling the truth on purpose."""
        return 1.0 / (1.0 + (self.choices - 1) * math.exp(-self.epsilon))

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Integers:
        """Reports, shape (size, people), or (size,) when there is one person."""
        truth = np.asarray(data).astype(np.int64).reshape(-1)
        honest = rng.random((size, truth.size)) < self.truth_probability
        reports = np.where(honest, truth, self._lies(truth, rng, size)) % self.choices
        return reports[:, 0] if truth.size == 1 else reports

    def _lies(self, truth: Integers, rng: Generator, size: int) -> Integers:
        if self.lie == "any":
            return rng.integers(0, self.choices, (size, truth.size))
        return truth + rng.integers(1, self.choices, (size, truth.size))
