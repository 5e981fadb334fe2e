"""Mechanisms that remember something: each with noise for a loss of 1, and with a quarter of it."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.random import Generator

Mechanism = Callable[..., Any]


class OwnGenerator:
    """A count with Laplace noise from a generator of the object."""

    def __init__(self, scale: float) -> None:
        self.scale, self.rng = scale, np.random.default_rng(3)

    def __call__(self, data: Any) -> float:
        return float(len(data) + self.rng.laplace(0.0, self.scale))


class Memoized:
    """A count whose noise is drawn once for every dataset, with a little noise in every answer."""

    def __init__(self, scale: float) -> None:
        self.scale, self.known = scale, dict[int, float]()

    def __call__(self, data: Any, rng: Generator) -> float:
        noise = self.known.setdefault(len(data), float(rng.laplace(0.0, self.scale)))
        return len(data) + noise + float(rng.normal(0.0, 0.01))


class Walking:
    """A count with Laplace noise that follows that of the answer before."""

    def __init__(self, scale: float) -> None:
        self.scale, self.state = scale, math.nan

    def __call__(self, data: Any, rng: Generator) -> float:
        step = float(rng.standard_normal())
        first = math.isnan(self.state)
        self.state = step if first else 0.5 * self.state + math.sqrt(0.75) * step
        away = 0.5 * math.erf(self.state / math.sqrt(2.0))
        noise = -math.copysign(math.log1p(-2.0 * abs(away)), away)
        return len(data) + self.scale * noise


class Table:
    """A count with noise from a table that is drawn once and read again and again."""

    def __init__(self, scale: float) -> None:
        self.scale, self.noise, self.calls = scale, list[float](), 0

    def __call__(self, data: Any, rng: Generator) -> float:
        if not self.noise:
            self.noise = rng.laplace(0.0, self.scale, 20).tolist()
        self.calls += 1
        return len(data) + self.noise[self.calls % 20]


def cached(scale: float) -> Mechanism:
    """A count behind a cache of its noise."""

    @lru_cache
    def noise(count: int) -> float:
        return scale * random.expovariate(1.0) * random.choice((-1.0, 1.0))

    return lambda data: len(data) + noise(len(data))


def iterated(scale: float) -> Mechanism:
    """A count with noise from an iterator, which cannot be copied, used for two answers each."""
    source = random.SystemRandom()
    drawn = (
        scale * source.expovariate(1.0) * source.choice((-1.0, 1.0)) for _ in itertools.count()
    )
    noise = itertools.chain.from_iterable((one, one) for one in drawn)
    return lambda data: len(data) + next(noise)


def shared(scale: float) -> Mechanism:
    """Many counts of which all of one call share most of their noise."""

    def release(data: Any, rng: Generator, size: int) -> Any:
        return len(data) + np.full(size, rng.laplace(0.0, scale)) + rng.normal(0.0, 0.01, size)

    return release


def budgeted(scale: float) -> Mechanism:
    """A count that refuses to answer from the fourth question on."""
    answers = itertools.count()

    def release(data: Any, rng: Generator) -> float:
        if next(answers) >= 3:
            raise PermissionError("the privacy budget is spent")
        return len(data) + float(rng.laplace(0.0, scale))

    return release


def permanent(flip: float) -> Mechanism:
    """A bit that is randomized once for each value, and reported again and again."""
    known: dict[float, int] = {}

    def report(data: Any, rng: Generator) -> int:
        value = float(data[0])
        if value not in known:
            known[value] = int(value) ^ int(rng.random() < flip)
        return known[value]

    return report


LESS = 0.25
generator, generator_less = OwnGenerator(1.0), OwnGenerator(LESS)
memoized, memoized_less = Memoized(1.0), Memoized(LESS)
walking, walking_less = Walking(1.0), Walking(LESS)
table, table_less = Table(1.0), Table(LESS)
cache, cache_less = cached(1.0), cached(LESS)
iterator, iterator_less = iterated(1.0), iterated(LESS)
call, call_less = shared(1.0), shared(LESS)
budget, budget_less = budgeted(1.0), budgeted(LESS)
response = permanent(0.25)
