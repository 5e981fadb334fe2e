"""Whether what a function holds since its first call may be noise."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import pytest

from audit.blackbox.carried import held_by
from audit.blackbox.python import PythonBlackBox
from audit.sampling.held_noise import may_hold_noise
from audit.sampling.workers.uncalled import uncalled


class Counts:
    """Holds how often it was called."""

    calls = 0

    def __call__(self, data: Any) -> float:
        self.calls = self.calls + 1
        return len(data) + random.random()


class Remembers:
    """Holds a number for each dataset."""

    def __init__(self, noise: Callable[[], float]) -> None:
        self.noise, self.kept = noise, dict[int, float]()

    def __call__(self, data: Any) -> float:
        return self.kept.setdefault(len(data), len(data) + self.noise()) + random.random()


class KeepsOne:
    """Holds the same noise for all datasets."""

    noise: float | None = None

    def __call__(self, data: Any) -> float:
        self.noise = random.random() if self.noise is None else self.noise
        return len(data) + self.noise + random.random()


class Locked(Counts):
    """Cannot be sent, and nobody can look into all of it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()


def behind_a_cache() -> Callable[..., float]:
    kept = lru_cache(lambda count: random.random())
    return lambda data: len(data) + kept(len(data)) + random.random()


NONE = {"nothing is held": lambda: lambda data: random.random(), "calls are counted": Counts}
MAYBE: dict[str, Callable[[], Any]] = {
    "sums": lambda: Remembers(lambda: 0.0),
    "noise by dataset": lambda: Remembers(random.random),
    "one noise": KeepsOne,
    "a cache": behind_a_cache,
    "a lock": Locked,
}


def found(release: Any, left: int = 1_000) -> tuple[bool, int]:
    box = PythonBlackBox(release)
    fresh, held = uncalled(box), held_by(box)
    for data in ([1], [1, 2]):
        release(data)
    return may_hold_noise(box, fresh, held, 3, ([1], [1, 2]), left)


@pytest.mark.parametrize("make", NONE.values(), ids=NONE)
def test_what_is_the_same_whatever_the_noise_is_none(make: Callable[[], Any]) -> None:
    noisy, runs = found(make())
    assert not noisy
    assert runs <= 16


@pytest.mark.parametrize("make", MAYBE.values(), ids=MAYBE)
def test_all_else_may_be_noise(make: Callable[[], Any]) -> None:
    noisy, runs = found(make())
    assert noisy
    assert runs <= 16


def test_so_may_what_there_are_too_few_runs_to_ask_about() -> None:
    assert found(Counts(), 10) == (True, 0)
