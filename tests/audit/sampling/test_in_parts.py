"""Calls of slow functions are made by several processes, and give what they give in one."""

from __future__ import annotations

import asyncio
import functools
import os
import random
import time
from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.random import Generator

import audit
from audit.blackbox.python import PythonBlackBox
from audit.errors import BlackBoxError
from audit.sampling import runs as sampling_runs
from audit.sampling.grouped_calls import SLOW
from audit.sampling.runs import InParts
from audit.sampling.sampler import Sampler
from audit.sampling.source import Address, Source, Stage
from audit.sampling.workers import forget_executors
from tests.audit.blackbox.gate import PASS, gate

WORKERS = 3


class Color(Enum):
    RED = 1
    BLUE = 2


def of_its_own(data: Any) -> float:
    return len(data) + float(np.random.laplace()) + random.gauss(0.0, 1.0)  # noqa: NPY002


def seeded(data: Any, rng: Generator) -> float:
    return len(data) + rng.laplace()


def spawning(data: Any, rng: Generator) -> float:
    return len(data) + sum(child.laplace() for child in rng.spawn(int(rng.integers(3))))


def several(data: Any, size: int) -> Any:
    return len(data) + np.random.laplace(size=size)  # noqa: NPY002


def several_seeded(data: Any, rng: Generator, size: int) -> Any:
    return len(data) + rng.laplace(size=size)


async def awaited(data: Any, rng: Generator) -> float:
    await asyncio.sleep(0.0)
    return len(data) + rng.laplace()


def listed(data: Any, rng: Generator) -> Iterator[float]:
    yield len(data) + rng.laplace()
    yield rng.random()


def raising(data: Any, rng: Generator) -> float:
    found = len(data) + rng.laplace()
    if found < 0.3:
        raise ValueError(f"{found:.3f}")
    return found


def leaving(data: Any, rng: Generator) -> float:
    if rng.random() < 0.2 * len(data):
        os._exit(3)
    return rng.random()


def printing(data: Any, rng: Generator) -> str:
    print("drawn")
    return "ab"[int(rng.random() < 0.4 + 0.1 * len(data))]


def of_a_table(data: pd.DataFrame, rng: Generator) -> dict[str, Any]:
    data["age"] += 1
    noisy = data.groupby("sex")["age"].count() + rng.laplace()
    return {str(name): value for name, value in noisy.items()}


def of_classes(data: Any, rng: Generator) -> Color:
    return Color.RED if rng.random() < 0.5 / len(data) else Color.BLUE


def closure() -> Callable[..., Any]:
    weights = np.linspace(0.5, 1.0, 7)
    return lambda data, rng: float(weights[len(data)] + rng.laplace())


class Released:
    def __init__(self) -> None:
        self.scale = 1.0

    def release(self, data: Any, rng: Generator) -> float:
        return len(data) + rng.laplace(0, self.scale)


def of_no_kind(data: Any, rng: Generator) -> Any:
    """An output that cannot travel."""

    class Odd(float):
        def __reduce__(self) -> Any:
            raise TypeError("never")

    return Odd(len(data) + rng.laplace())


FEW: dict[str, Callable[[], Any]] = {
    "its own randomness": lambda: of_its_own,
    "exceptions": lambda: raising,
    "gives what cannot be sent": lambda: of_no_kind,
}
MORE: dict[str, Callable[[], Any]] = {
    "a table": lambda: of_a_table,
    "a generator": lambda: seeded,
    "children of a generator": lambda: spawning,
    "a size": lambda: several,
    "a generator and a size": lambda: several_seeded,
    "a coroutine": lambda: awaited,
    "a Python generator": lambda: listed,
    "ends its process": lambda: leaving,
    "prints": lambda: printing,
    "members of an enumeration": lambda: of_classes,
    "a lambda with a closure": closure,
    "a partial": lambda: functools.partial(seeded),
    "a class": lambda: Released,
}
TIMES = ("seconds", "finished")


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Calls that take any time are slow ones; what is made elsewhere is counted."""
    made: list[int] = []
    elsewhere = InParts._elsewhere

    def counted(self: InParts, calls: Any) -> Any:
        found = elsewhere(self, calls)
        made.append(-1 if found is None else calls.length)
        return found

    monkeypatch.setattr(sampling_runs, "SLOW", 0.0)
    monkeypatch.setattr(InParts, "_elsewhere", counted)
    return made


def told(function: Any, workers: int, **more: Any) -> dict[str, Any]:
    random.random(), np.random.random_sample()  # noqa: NPY002
    given: dict[str, Any] = {"data": [1, 0], "neighbors": [[1]], "max_samples": 700, "epsilon": 0.5}
    found = audit.run(function, timeout=2.0, workers=workers, **given | more).to_json()
    return {key: value for key, value in found.items() if key not in TIMES}


def check(kind: str, slow: list[int]) -> None:
    made = (FEW | MORE)[kind]
    more: dict[str, Any] = {}
    if kind == "a table":
        rows = pd.DataFrame({"age": [30, 40, 50], "sex": ["f", "m", "f"]})
        more = {"data": rows, "neighbors": [rows[:2]]}
    alone = told(made(), 1, **more)
    assert not slow
    assert told(made(), WORKERS, **more) == alone
    if kind == "gives what cannot be sent":
        assert slow == [-1]
    else:
        assert sum(slow) > 100


@pytest.mark.slow
@pytest.mark.parametrize("kind", FEW)
def test_one_process_and_several_say_the_same(kind: str, slow: list[int]) -> None:
    check(kind, slow)


@pytest.mark.slow
@pytest.mark.parametrize("kind", MORE)
def test_so_they_do_of_functions_of_every_kind(kind: str, slow: list[int]) -> None:
    check(kind, slow)


def drawn(function: Any, calls: int, workers: int, timeout: float = 60.0) -> tuple[Any, Sampler]:
    """Calls on both sides, in several processes as soon as some were made here."""
    sampler = Sampler.of(PythonBlackBox(function, timeout=timeout), 3)
    sampler.runs.in_parts.most = workers
    pair = Source(sampler.box, [1, 0]), Source(sampler.box, [1])
    sampler.pairs(Address(Stage.BET, 0, 0), *pair, 4)
    sides = sampler.pairs(Address(Stage.BET, 0, 1), *pair, calls // 2)
    return [
        (side.kinds, {name: column.values.tolist() for name, column in side.columns.items()})
        for side in sides
    ], sampler


@pytest.mark.slow
def test_they_wait_at_the_same_time(slow: list[int]) -> None:
    """What is counted are calls that wait together, and no seconds (see `test_at_once`)."""
    with gate() as place:
        names: dict[str, Any] = {}
        exec(PASS, names)
        wait_at, port = names["wait_at"], place.port

        def waits(data: Any, rng: Generator) -> float:
            wait_at(port)
            return len(data) + rng.laplace()

        box = PythonBlackBox(waits, timeout=None)
        sampler = Sampler.of(box, 3)
        sampler.runs.in_parts.most = WORKERS
        pair = Source(box, [1, 0]), Source(box, [1])
        sampler.pairs(Address(Stage.BET, 0, 0), *pair, 4)
        assert set(place.passed) == {1}
        place.passed.clear()
        place.together = WORKERS
        sampler.pairs(Address(Stage.BET, 0, 1), *pair, 6)
        assert place.passed == [WORKERS] * 4
    assert slow == [12]


@pytest.mark.slow
def test_time_outs_and_failures_are_told_as_of_one_process(slow: list[int]) -> None:
    def fails(data: Any, rng: Generator) -> float:
        found = rng.random()
        if found < 0.2:
            raise KeyError(round(found, 3))
        if found > 0.8:
            time.sleep(60.0)
        return len(data) + found

    alone, one = drawn(fails, 32, 1, timeout=0.2)
    assert not slow
    parts, several = drawn(fails, 32, WORKERS, timeout=0.2)
    assert slow == [32]
    assert parts == alone
    assert several.runs.lost == one.runs.lost > (3, 3)
    assert several.first == one.first
    assert several.samples == one.samples == 40


@pytest.mark.slow
def test_what_ends_an_audit_ends_it_from_any_process(slow: list[int]) -> None:
    def unreadable(data: Any, rng: Generator) -> Any:
        return [0.0] * 2_000_000 if rng.random() < 0.02 else 1.0

    errors = []
    for workers in (1, WORKERS):
        with pytest.raises(BlackBoxError) as error:
            drawn(unreadable, 400, workers)
        errors.append(str(error.value))
    assert slow == [400]
    assert errors[0] == errors[1]


def test_noise_of_a_generator_of_its_own_never_comes_twice(slow: list[int]) -> None:
    """In every other process it would begin as it did here."""

    def noisy() -> Any:
        own = np.random.default_rng(3)
        return lambda data: len(data) + own.laplace()

    (alone, _), (several, _) = (drawn(noisy(), 64, workers) for workers in (1, WORKERS))
    assert several == alone
    assert not slow
    numbers = [value % 1.0 for _, columns in several for value in columns["output"]]
    assert len(set(numbers)) == 64
    drawn(seeded, 64, WORKERS)
    assert slow == [64]


def test_a_function_that_kills_its_process_is_told_so(slow: list[int]) -> None:
    here = os.getpid()

    def kills(data: Any, rng: Generator) -> float:
        if os.getpid() != here:
            os.kill(os.getpid(), 9)
        return rng.random()

    with pytest.raises(BlackBoxError, match="a worker process ended in the middle of its work"):
        drawn(kills, 32, WORKERS)
    forget_executors()


@pytest.mark.slow
def test_time_outs_are_counted_here_before_anything_came_in_time(slow: list[int]) -> None:
    def never(data: Any, rng: Generator) -> None:
        time.sleep(60.0)

    _, sampler = drawn(never, 8, WORKERS, timeout=0.05)
    assert sampler.runs.lost == (8, 8)
    assert not slow


def test_quick_calls_stay_here() -> None:
    at_once = InParts(WORKERS)
    box = PythonBlackBox(seeded)
    at_once.note(100, 0.5 * SLOW)
    box._patience.hopeful = True
    assert not at_once.can(box)
    slowly = InParts(WORKERS)
    slowly.note(100, SLOW)
    assert slowly.can(box)
