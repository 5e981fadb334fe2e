"""Laws with atoms, or with a part that only delta allows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.random import Generator
from scipy.stats import binom, poisson

from tests.calibration.kind import Kind, always, pure
from tests.calibration.truth import hockey_stick, largest_loss

_SUPPORT = np.arange(-5, 6)
_TRUNCATED = np.exp(-np.abs(_SUPPORT) * 1.0) / np.exp(-np.abs(_SUPPORT) * 1.0).sum()
_SOFTMAX = np.exp([1.0, 0.0, 0.0]) / np.exp([1.0, 0.0, 0.0]).sum()


def clamped(data: Any, rng: Generator, size: int) -> Any:
    return np.clip(data[0] + rng.laplace(0.0, 1.0, size), 0.0, 1.0)


def on_a_grid(data: Any, rng: Generator, size: int) -> Any:
    return np.round(2.0 * (data[0] + rng.laplace(0.0, 1.0, size))) / 2.0


def mostly_zero(data: Any, rng: Generator, size: int) -> Any:
    shown = rng.random(size) < 0.1
    return np.where(shown, data[0] + rng.laplace(0.0, 1.0, size), 0.0)


def four_values(data: Any, rng: Generator, size: int) -> Any:
    stop = 1.0 - math.exp(-1.0)
    return np.clip(int(data[0]) + rng.geometric(stop, size) - rng.geometric(stop, size), 0, 3)


def uniform(width: float) -> Any:
    def release(data: Any, rng: Generator, size: int) -> Any:
        return data[0] + rng.uniform(0.0, width, size)

    return release


def exponential(data: Any, rng: Generator, size: int) -> Any:
    return data[0] + rng.exponential(50.0, size)


def binomial(data: Any, rng: Generator, size: int) -> Any:
    return int(data[0]) + rng.binomial(100, 0.5, size)


def poissonian(data: Any, rng: Generator, size: int) -> Any:
    return int(data[0]) + rng.poisson(20.0, size)


def truncated(data: Any, rng: Generator, size: int) -> Any:
    return int(data[0]) + rng.choice(_SUPPORT, size, p=_TRUNCATED)


def name_and_shame(data: Any, rng: Generator, size: int) -> Any:
    """Randomized response, and the record itself with chance 0.05."""
    honest = rng.random(size) < math.e / (1.0 + math.e)
    said = np.where(honest, data[0], 1.0 - data[0])
    return np.where(rng.random(size) < 0.05, 10.0 + data[0], said)


def softmax(data: Any, rng: Generator, size: int) -> Any:
    chances = _SOFTMAX if data[0] else np.full(3, 1.0 / 3.0)
    return rng.choice(3, size, p=chances)


def noisy_max(data: Any, rng: Generator, size: int) -> Any:
    return np.argmax(np.array([data[0], 0.0]) + rng.laplace(0.0, 1.0, (size, 2)), axis=1)


def rare(data: Any, rng: Generator, size: int) -> Any:
    """An event of probability 0.01 against 0.01 e."""
    return rng.random(size) < (0.01 * math.e if data[0] else 0.01)


def constant(data: Any, rng: Generator, size: int) -> Any:
    return np.full(size, 7.0)


def allowed(name: str, release: Any, epsilon: float, delta: float, truth: float) -> Kind:
    claim = {"epsilon": epsilon, "delta": delta}
    return Kind(name=name, make=always(release), claim=claim, truth={"epsilon_lower": truth})


def _shifted(chances: Any, epsilon: float) -> float:
    """Delta of a law on integers against the same law one further."""
    law = np.asarray(chances)
    return hockey_stick(np.append(law, 0.0), np.insert(law, 0, 0.0), epsilon)


_MAX = 1.0 - 0.5 * 1.5 * math.exp(-1.0)
"""Chance that 1 + X > Y for two Laplace variables of scale 1."""

ATOMS: tuple[Kind, ...] = (
    pure("Laplace, clamped", clamped),
    pure("Laplace on a grid", on_a_grid),
    pure("Laplace or zero", mostly_zero),
    pure("geometric, four values", four_values),
    pure("softmax of three", softmax, largest_loss(_SOFTMAX, np.full(3, 1.0 / 3.0))),
    pure("noisy max of two", noisy_max, largest_loss([_MAX, 1.0 - _MAX], [0.5, 0.5])),
    pure("rare event", rare, samples=20_000),
    Kind(name="constant", make=always(constant), truth={"epsilon_lower": 0.0}),
    allowed("uniform, delta 0.1", uniform(10.0), 1.0, 0.1, 0.0),
    allowed("uniform, delta 0.001", uniform(1000.0), 0.1, 0.001, 0.0),
    allowed("one-sided exponential", exponential, 0.02, -math.expm1(-0.02), 0.0),
    allowed("binomial", binomial, 0.3, _shifted(binom.pmf(np.arange(101), 100, 0.5), 0.3), 0.3),
    allowed("Poisson", poissonian, 0.3, _shifted(poisson.pmf(np.arange(200), 20.0), 0.3), 0.3),
    allowed("truncated geometric", truncated, 1.0, _shifted(_TRUNCATED, 1.0), 1.0),
    allowed("name and shame", name_and_shame, 1.0, 0.05, 1.0),
)
