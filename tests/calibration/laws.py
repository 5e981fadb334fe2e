"""Laws on one number that both studies of bets on whole claims draw from."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.random import Generator

KEEP = math.e / (1.0 + math.e)
"""How often randomized response tells the truth, at epsilon 1."""
SKEWED = np.array([[0.5, 0.25, 0.15, 0.07, 0.03], [0.3, 0.3, 0.2, 0.12, 0.08]])
"""Two laws of five values whose divergences differ by direction."""

Law = Callable[[float, Generator, int], Any]
"""Many outputs on the dataset whose only number this is: 1 or 0."""


def laplace(data: float, rng: Generator, size: int) -> Any:
    """The number and noise of scale 1."""
    return data + rng.laplace(size=size)


def response(data: float, rng: Generator, size: int) -> Any:
    """Randomized response at epsilon 1."""
    return (rng.random(size) < KEEP) == bool(data)


def skewed(data: float, rng: Generator, size: int) -> Any:
    """A value of one of the two skewed laws."""
    return np.searchsorted(np.cumsum(SKEWED[int(data)])[:-1], rng.random(size))
