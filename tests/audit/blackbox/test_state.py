"""A black box that changes with a call is seen to, one that does not is left in peace."""

from __future__ import annotations

import functools
import itertools
import pickle
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator
from scipy.stats import laplace

from audit.blackbox.carried import state_of
from audit.blackbox.python import PythonBlackBox
from audit.blackbox.state import Watch

DATA = np.ones(3)
GLOBAL = np.random.default_rng(1)
CACHE: dict[int, float] = {}
SCALE = 2.0


class Own:
    def __init__(self) -> None:
        self.rng = np.random.default_rng(5)

    def release(self, data: Any) -> float:
        return float(self.rng.laplace())


class Counting:
    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, data: Any) -> float:
        self.calls += 1
        return 0.0


class Settled:
    """Prepares itself at the first call, once and for all."""

    def __init__(self) -> None:
        self.ready: list[float] | None = None

    def __call__(self, data: Any, rng: Generator) -> float:
        self.ready = self.ready or [1.0, 2.0]
        return float(rng.random())


def module_generator(data: Any) -> float:
    return float(GLOBAL.random())


def module_cache(data: Any, rng: Generator, size: int) -> Any:
    CACHE[len(CACHE)] = 1.0
    return rng.random(size)


def through_another(data: Any) -> float:
    return module_generator(data)


def default_list(data: Any, held: list[float] = []) -> float:  # noqa: B006
    held.append(1.0)
    return len(held) * 1.0


def closure() -> Callable[..., Any]:
    rng = random.Random(4)
    return lambda data: rng.random()


def iterator() -> Callable[..., Any]:
    numbers = itertools.count()
    return lambda data: float(next(numbers))


def cached() -> Callable[..., Any]:
    @functools.lru_cache
    def noise(key: int) -> float:
        return 1.0

    calls = itertools.count()
    return lambda data: noise(next(calls))


def attribute(data: Any) -> float:
    attribute.calls = getattr(attribute, "calls", 0) + 1  # type: ignore[attr-defined]
    return 1.0


def plain(data: Any, rng: Generator, size: int) -> Any:
    return SCALE * rng.laplace(size=size) + len(data)


def shared_globals(data: Any) -> float:
    return float(np.random.laplace())  # noqa: NPY002


def of_a_distribution(data: Any, rng: Generator) -> float:
    """It holds the generator that all of the process share."""
    return float(laplace.rvs(random_state=rng))


STATEFUL = [
    Own,
    lambda: Own().release,
    Counting,
    lambda: module_generator,
    lambda: module_cache,
    lambda: through_another,
    lambda: functools.partial(module_generator),
    lambda: default_list,
    closure,
    iterator,
    cached,
    lambda: attribute,
]
STATELESS = [
    lambda: plain,
    lambda: functools.partial(plain),
    Settled,
    lambda: shared_globals,
    lambda: of_a_distribution,
    lambda: lambda data, rng: float(rng.random()),
]


def changes(function: Any, calls: int = 6) -> bool:
    """Whether a watch sees it change in so many batches of one call."""
    box, watch = PythonBlackBox(function, timeout=None), Watch()
    seen = []
    for call in range(calls):
        box.bind(DATA).draw(np.random.default_rng(call), 2)
        seen.append(watch.changed(box))
    return any(seen)


@pytest.mark.parametrize("make", STATEFUL)
def test_what_changes_with_a_call_is_seen(make: Callable[[], Any]) -> None:
    assert changes(make())


@pytest.mark.parametrize("make", STATELESS)
def test_what_does_not_is_not(make: Callable[[], Any]) -> None:
    assert not changes(make())


def test_a_cache_that_grows_late_is_seen_late() -> None:
    box, watch = PythonBlackBox(Counting(), timeout=None), Watch()
    for _ in range(100):
        watch.changed(box)
    box.bind(DATA).draw(np.random.default_rng(0), 1)
    assert any(watch.changed(box) for _ in range(100))


def test_what_cannot_be_serialized_is_not_said_to_change() -> None:
    numbers = (n for n in range(10))
    assert state_of(lambda data: next(numbers)) is None


def test_elsewhere_a_watch_starts_anew() -> None:
    watch = Watch()
    for _ in range(5):
        watch.changed(PythonBlackBox(plain, timeout=None))
    assert watch.settled
    assert not pickle.loads(pickle.dumps(watch)).settled


def test_elsewhere_a_watch_compares_nothing() -> None:
    """What is done there is compared as a whole (see `Passage`)."""
    box, watch = PythonBlackBox(Counting(), timeout=None), Watch()
    there = pickle.loads(pickle.dumps(watch))
    seen = []
    for call in range(3):
        box.bind(DATA).draw(np.random.default_rng(call), 1)
        seen.append((watch.changed(box), there.changed(box)))
    assert seen == [(False, False), (True, False), (True, False)]
    assert there.before is None
