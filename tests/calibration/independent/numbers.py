"""One number per output: additive noise of many shapes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.random import Generator

from tests.calibration.kind import Kind, always, pure


def laplace(data: Any, rng: Generator, size: int) -> Any:
    return data[0] + rng.laplace(0.0, 1.0, size)


def scaled(scale: float) -> Any:
    def laplace_scaled(data: Any, rng: Generator, size: int) -> Any:
        return data[0] + rng.laplace(0.0, scale, size)

    return laplace_scaled


class Independent:
    """A black box whose two sides never share randomness, as if it drew its own."""

    name, seeded, many = "independent", False, False

    def bind(self, data: Any) -> IndependentOn:
        return IndependentOn(data[0])


class IndependentOn:
    """It, on a dataset."""

    def __init__(self, count: Any) -> None:
        self.count = count

    def draw(self, rng: Generator, size: int) -> Any:
        return self.count + rng.laplace()


def uneven(data: Any, rng: Generator, size: int) -> Any:
    rng.random(int(data[0]))
    return data[0] + rng.laplace(0.0, 1.0, size)


def geometric(data: Any, rng: Generator, size: int) -> Any:
    stop = 1.0 - math.exp(-1.0)
    return int(data[0]) + rng.geometric(stop, size) - rng.geometric(stop, size)


def counted(data: Any, rng: Generator) -> int:
    """Two-sided geometric noise one step at a time: how much is consumed depends on the noise."""
    noise = 0
    for sign in (1, -1):
        while rng.random() < math.exp(-1.0):
            noise += sign
    return int(data[0]) + noise


def cauchy(data: Any, rng: Generator, size: int) -> Any:
    return data[0] + rng.standard_cauchy(size)


def student(data: Any, rng: Generator, size: int) -> Any:
    return data[0] + rng.standard_t(3, size)


def logistic(data: Any, rng: Generator, size: int) -> Any:
    return data[0] + rng.logistic(0.0, 1.0, size)


def log_laplace(data: Any, rng: Generator, size: int) -> Any:
    """Tails so heavy that there is no mean."""
    return np.exp(data[0] + rng.laplace(0.0, 1.0, size))


def staircase(data: Any, rng: Generator, size: int) -> Any:
    """Geng and Viswanath, arXiv 1212.1186, algorithm 1, with gamma 1/2."""
    b, gamma = math.exp(-1.0), 0.5
    steps = rng.geometric(1.0 - b, size) - 1
    outer = rng.random(size) >= gamma / (gamma + (1.0 - gamma) * b)
    inside = np.where(outer, gamma, 0.0) + np.where(outer, 1.0 - gamma, gamma) * rng.random(size)
    return data[0] + rng.choice([-1.0, 1.0], size) * (steps + inside)


def half_ignored(data: Any, rng: Generator, size: int) -> Any:
    """The record is sampled with chance 1/2."""
    return data[0] * (rng.random(size) < 0.5) + rng.laplace(0.0, 1.0, size)


def single(data: Any, rng: Generator, size: int) -> Any:
    return laplace(data, rng, size).astype(np.float32)


def half_precision(data: Any, rng: Generator, size: int) -> Any:
    return laplace(data, rng, size).astype(np.float16)


def squared(data: Any, rng: Generator, size: int) -> Any:
    """Computed from a release, by a function that is not monotone in it."""
    return (data[0] + rng.laplace(0.0, 1.0, size) - 0.5) ** 3


NUMBERS: tuple[Kind, ...] = (
    pure("Laplace", laplace, samples=20_000),
    pure("Laplace, epsilon 0.05", scaled(20.0), 0.05, 20_000),
    pure("Laplace, epsilon 0.01", scaled(100.0), 0.01),
    pure("Laplace, epsilon 3", scaled(1.0 / 3.0), 3.0),
    pure("Laplace, epsilon 5", scaled(0.2), 5.0, 8_000),
    pure("Laplace, independent sides", Independent(), samples=1500),
    pure("Laplace, unequal consumption", uneven),
    pure("Laplace, float32", single),
    pure("Laplace, float16", half_precision),
    pure("Laplace, cubed", squared),
    pure("geometric", geometric, samples=20_000),
    pure("geometric, step by step", counted, samples=1500),
    pure("Cauchy", cauchy, 2.0 * math.asinh(0.5)),
    pure("Student, 3 degrees of freedom", student, 4.0 * math.asinh(0.5 / math.sqrt(3.0))),
    pure("logistic", logistic),
    pure("log-Laplace", log_laplace),
    pure("staircase", staircase),
    pure("Laplace, half the records", half_ignored, math.log(0.5 * math.e + 0.5)),
    Kind(
        name="no difference, epsilon 0.001",
        make=always(lambda data, rng, size: rng.normal(0.0, 1.0, size)),
        claim={"epsilon": 0.001},
        truth={"epsilon_lower": 0.0},
    ),
)
