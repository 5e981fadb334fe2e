"""Mechanisms that the tests audit: at module level, so that each has an address."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from audit.claims import Claim, PureDP

Released = NDArray[np.float64]


def noisy_sum(data: Any, scale: float, rng: Generator, size: int) -> Released:
    """A sum with Laplace noise."""
    return np.asarray(np.sum(data) + rng.laplace(0.0, scale, size))


def right(data: Any, rng: Generator, size: int) -> Released:
    """A noisy sum of records in [0, 1] that is 1-differentially private and no better."""
    return noisy_sum(data, 1.0, rng, size)


def wrong(data: Any, rng: Generator, size: int) -> Released:
    """The same with half the noise."""
    return noisy_sum(data, 0.5, rng, size)


def failing(data: Any) -> float:
    """No output at all."""
    raise ValueError("never works")


@dataclass(frozen=True, slots=True)
class Scaled:
    """A noisy sum with a parameter, which no address can give.

    Attributes:
        scale: of the noise.
    """

    scale: float = 1.0

    @property
    def claim(self) -> Claim:
        return PureDP(1.0)

    def release(self, data: Any, rng: Generator, size: int) -> Released:
        return noisy_sum(data, self.scale, rng, size)


def adults(data: Any, rng: Generator) -> Any:
    """A count of records that arrive as dicts."""
    return sum(record["age"] >= 18 for record in data) + rng.laplace()


def slow(data: Any, rng: Any) -> float:
    """A count that takes its time."""
    time.sleep(0.005)
    return float(len(data) + rng.laplace())
