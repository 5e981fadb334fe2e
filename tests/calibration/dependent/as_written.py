"""Right mechanisms as people write them: noise kept by a module, a class, a file, a hash seed."""

from __future__ import annotations

import ctypes
import functools
import math
import random
import secrets
import sqlite3
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tests.calibration.kind import Kind

_EPSILON = 3.0
_SYSTEM = secrets.SystemRandom().random


def response(bit: float, epsilon: float, uniform: Callable[[], float] = _SYSTEM) -> float:
    """Randomized response."""
    return bit if uniform() < math.exp(epsilon) / (1.0 + math.exp(epsilon)) else 1.0 - bit


_kept: dict[float, float] = {}
_drawn = [response(bit, _EPSILON) for bit in (0.0, 1.0)]


def in_module(data: Any) -> float:
    """A permanent response that the module keeps."""
    return _kept.setdefault(data[0], response(data[0], _EPSILON))


def at_import(data: Any) -> float:
    """Responses drawn when the module is read."""
    return _drawn[int(data[0])]


class InClass:
    """A permanent response that the class keeps, not the instance."""

    kept: dict[float, float] = {}  # noqa: RUF012

    def __call__(self, data: Any) -> float:
        return self.kept.setdefault(data[0], response(data[0], _EPSILON, random.random))


class Constructed:
    """Noise drawn by the constructor."""

    def __init__(self) -> None:
        self.noise = np.random.default_rng().laplace()

    def __call__(self, data: Any) -> float:
        return float(data[0] + self.noise)


def behind_cache() -> Callable[[Any], float]:
    """A permanent response behind `functools.cache`."""
    permanent = functools.cache(lambda bit: response(bit, _EPSILON))
    return lambda data: permanent(data[0])


def beside_permanent() -> Callable[[Any], float]:
    """RAPPOR's two steps: a response that is kept, and another of it in every call."""
    kept: dict[float, float] = {}

    def release(data: Any) -> float:
        return response(kept.setdefault(data[0], response(data[0], _EPSILON)), 1.0)

    return release


class Budget:
    """Four answers, then refusals."""

    left = 4

    def __call__(self, data: Any) -> float:
        if self.left == 0:
            raise RuntimeError("no budget left")
        self.left -= 1
        return float(data[0] + np.random.laplace())  # noqa: NPY002


class Warm:
    """The first answer is a placeholder."""

    ready = False

    def __call__(self, data: Any) -> float:
        if not self.ready:
            self.ready = True
            return -99.0
        return float(data[0] + np.random.laplace())  # noqa: NPY002


class Stream:
    """A running sum with noise."""

    total = 0.0

    def __call__(self, data: Any) -> float:
        self.total += data[0]
        return float(self.total + np.random.laplace())  # noqa: NPY002


class Logs:
    """What is exact is kept, and calls are written down."""

    def __init__(self) -> None:
        self.log: list[Any] = []
        self.exact: dict[float, float] = {}

    def __call__(self, data: Any) -> float:
        self.log.append(data)
        exact = self.exact.setdefault(data[0], data[0])
        return float(exact + np.random.laplace())  # noqa: NPY002


def in_database(data: Any) -> float:
    """A permanent response that a database keeps, for all instances."""
    with sqlite3.connect(Path(tempfile.gettempdir(), "kept.db")) as database:
        database.execute("create table if not exists kept (bit primary key, answer)")
        drawn = data[0], response(data[0], _EPSILON)
        database.execute("insert or ignore into kept values (?, ?)", drawn)
        found = database.execute("select answer from kept where bit = ?", (data[0],))
        return float(found.fetchone()[0])


def by_hash(data: Any) -> float:
    """Noise that follows from the hash of a text."""
    return response(data[0], _EPSILON, random.Random(hash(f"user {data[0]}")).random)


def by_second(data: Any) -> float:
    """Noise that follows from the time and the record."""
    return response(data[0], _EPSILON, random.Random(f"{int(time.time())} {data[0]}").random)


def of_c() -> Callable[[Any], float]:
    """C's generator, seeded by the clock when the black box is made."""
    library = ctypes.CDLL(None)
    library.srand(int(time.time()))
    return lambda data: response(data[0], _EPSILON, lambda: library.rand() / 2**31)


def _kind(name: str, make: Callable[[], Any], epsilon: float) -> Kind:
    claim, truth = {"epsilon": epsilon}, {"epsilon_lower": epsilon}
    return Kind(name=name, make=lambda number: make(), claim=claim, truth=truth, samples=1_500)


_KEPT: dict[str, Callable[[], Any]] = {
    "response kept in a module": lambda: in_module,
    "response drawn at import": lambda: at_import,
    "response kept in a class": InClass,
    "response behind a cache": behind_cache,
    "response kept in a database": lambda: in_database,
    "response by a hash seed": lambda: by_hash,
    "response by the second": lambda: by_second,
    "response by C's generator, seeded by the clock": of_c,
}
_LAPLACE: dict[str, Callable[[], Any]] = {
    "noise drawn by a constructor": Constructed,
    "response of a kept response": beside_permanent,
    "budget of four calls": Budget,
    "a placeholder first": Warm,
    "running sum": Stream,
    "logs and a memo of what is exact": Logs,
}

KINDS = (
    *(_kind(name, make, _EPSILON) for name, make in _KEPT.items()),
    *(_kind(name, make, 1.0) for name, make in _LAPLACE.items()),
)
