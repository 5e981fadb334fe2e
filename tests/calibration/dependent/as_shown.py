"""Right mechanisms that show the conditions of an instance: time, process, the order of a set."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from datetime import datetime
from typing import Any

from numpy.random import Generator

from tests.calibration.kind import Kind, always

WORDS = {"alpha", "beta", "gamma", "delta", "epsilon"}
"""In an order that follows from the hash seed of an interpreter."""


def beside(shown: Callable[[], Any]) -> Callable[..., list[list[Any]]]:
    """Laplace noise, and something that says nothing of the data."""

    def release(data: Any, rng: Generator, size: int) -> list[list[Any]]:
        return [[data[0] + rng.laplace(), shown()] for _ in range(size)]

    return release


def by_word(data: Any, rng: Generator, size: int) -> list[list[list[Any]]]:
    """A noisy number for each of five words, in the order of a set."""
    return [[[word, data[0] + 5.0 * rng.laplace()] for word in WORDS] for _ in range(size)]


KINDS: tuple[Kind, ...] = (
    Kind(name="shows the second", make=always(beside(lambda: int(time.time())))),
    Kind(name="shows the date", make=always(beside(lambda: datetime.now().isoformat()[:19]))),
    Kind(name="shows the process", make=always(beside(lambda: os.getpid() % 2))),
    Kind(name="shows the order of a set", make=always(by_word)),
)
