"""Claims so large that bets go on at odds, and budgets that let them: events that are rare on one
side, with one output a call and with many, of shared randomness and of sides drawn apart."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.random import Generator

from tests.calibration.independent.gaussians import approximate
from tests.calibration.independent.numbers import scaled
from tests.calibration.kind import Kind, pure


def answer(often: float, epsilon: float) -> Callable[[Any, Generator], int]:
    """An event, rarer by the whole loss on one side, one output a call."""
    rarely = often * math.exp(-epsilon)
    return lambda data, rng: int(rng.random() < (often if data[0] else rarely))


def answers(often: float, epsilon: float) -> Callable[[Any, Generator, int], Any]:
    """The same, many outputs a call."""
    rarely = often * math.exp(-epsilon)
    return lambda data, rng, size: (rng.random(size) < (often if data[0] else rarely)).astype(int)


def apart(often: float, epsilon: float) -> Callable[[Any, int], Any]:
    """The same with noise of the system, which no two runs share."""
    release = answers(often, epsilon)
    return lambda data, size: release(data, np.random.default_rng(), size)


LARGE: tuple[Kind, ...] = (
    pure("rare answer, epsilon 5", answer(0.5, 5.0), 5.0, 60_000, 0.5),
    pure("rare answers, epsilon 5", answers(0.5, 5.0), 5.0, 60_000),
    pure("rare answers, epsilon 5, apart", apart(0.3, 5.0), 5.0, 60_000),
    pure("Laplace, epsilon 5, long", scaled(0.2), 5.0, 100_000),
    approximate(5.0, 1e-5, 200_000),
)
