"""Coroutines are awaited and generators are listed, in the time of the run they belong to."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Iterator
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator, default_rng

import audit
from audit.blackbox import output as settled_output
from audit.blackbox.interface import RunTimeout
from audit.blackbox.python import PythonBlackBox
from audit.errors import BlackBoxError, OutcomeError
from audit.sampling.sampler import Sampler
from audit.sampling.source import Address, Source, Stage
from tests.sources import pairs

DATA = np.array([1.0, 2.0])


async def awaited(data: Any, rng: Generator) -> float:
    await asyncio.sleep(0)
    return float(data.sum() + rng.random())


async def waits(data: Any) -> str:
    await asyncio.sleep(0.001)
    return "waited"


async def awaits_another(data: Any) -> Any:
    return await asyncio.gather(waits(data), waits(data))


def returns_a_coroutine(data: Any) -> Any:
    return waits(data)


async def returns_a_generator(data: Any) -> Any:
    return (x for x in data.tolist())


def yields(data: Any) -> Iterator[float]:
    yield from data.tolist()


async def yields_later(data: Any) -> AsyncIterator[float]:
    for entry in data.tolist():
        await asyncio.sleep(0)
        yield entry


class Waiting:
    async def release(self, data: Any, rng: Generator, size: int) -> Any:
        return rng.random(size)


@pytest.mark.parametrize(
    ("function", "output"),
    [
        (waits, "waited"),
        (awaits_another, ["waited", "waited"]),
        (returns_a_coroutine, "waited"),
        (returns_a_generator, [1.0, 2.0]),
        (yields, [1.0, 2.0]),
        (yields_later, [1.0, 2.0]),
        (lambda data: (x + 1 for x in (1, 2)), [2, 3]),
        (lambda data: map(str, (1, 2)), ["1", "2"]),
        (lambda data: filter(None, (0, 2)), [2]),
        (lambda data: zip("ab", (1, 2)), [("a", 1), ("b", 2)]),  # noqa: B905
        (lambda data: iter_nothing(), []),
    ],
)
def test_what_has_yet_to_come(function: Any, output: Any) -> None:
    assert PythonBlackBox(function).bind(DATA).draw(default_rng(0), 1) == output


def iter_nothing() -> Iterator[int]:
    return
    yield


def test_shapes_are_told_apart_as_ever() -> None:
    one, many = PythonBlackBox(awaited), PythonBlackBox(Waiting)
    assert (one.seeded, one.many, many.seeded, many.many) == (True, False, True, True)
    assert one.bind(DATA).draw(default_rng(3), 1) == one.bind(DATA).draw(default_rng(3), 1) > 3.0
    assert len(many.bind(DATA).draw(default_rng(0), 5)) == 5


def test_a_generator_of_many_outputs() -> None:
    def outputs(data: Any, rng: Generator, size: int) -> Iterator[Any]:
        entry = np.zeros(1)
        for _ in range(size):
            entry[0] = rng.random()  # one and the same array
            yield entry

    sampler = Sampler.of(PythonBlackBox(outputs), 0)
    left, right = pairs(sampler, Address(Stage.BET, 0, 0), DATA, DATA, 30)
    assert len(set(left.column("output[0]").values)) == 30
    assert left.column("output[0]").values.tolist() == right.column("output[0]").values.tolist()


@pytest.mark.parametrize("size", [1, 4])
def test_a_generator_of_too_many_outputs_is_refused(size: int) -> None:
    def endless(data: Any, rng: Generator, size: int) -> Iterator[float]:
        while True:
            yield rng.random()

    sampler = Sampler.of(PythonBlackBox(endless), 0)
    with pytest.raises(BlackBoxError, match=f"returned {size + 1} outputs where {size} were asked"):
        sampler.side(Address(Stage.BET, 0, 0), Source(sampler.box, DATA), size, 0)


def test_an_endless_generator_is_an_output_that_is_too_large() -> None:
    bound = PythonBlackBox(lambda data: (x for x in itertools.count())).bind(DATA)
    with pytest.raises(OutcomeError, match="more than 4096 parts"):
        bound.draw(default_rng(0), 1)


def test_what_is_raised_later_is_raised() -> None:
    async def fails(data: Any) -> Any:
        await asyncio.sleep(0)
        raise ZeroDivisionError

    def fails_on_the_way(data: Any) -> Iterator[float]:
        yield 1.0
        raise ZeroDivisionError

    for function in (fails, fails_on_the_way):
        with pytest.raises(ZeroDivisionError):
            PythonBlackBox(function).bind(DATA).draw(default_rng(0), 1)


async def sleeps(data: Any) -> None:
    await asyncio.sleep(60)


async def spins(data: Any) -> None:
    while True:
        await asyncio.sleep(0)


async def is_stubborn(data: Any) -> None:
    while True:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            continue


def spins_while_listed(data: Any) -> Iterator[float]:
    yield 1.0
    while True:
        pass


@pytest.mark.slow
@pytest.mark.parametrize("function", [sleeps, spins, is_stubborn, spins_while_listed])
def test_the_time_of_a_run_is_that_of_what_comes_later(function: Any) -> None:
    box = PythonBlackBox(function, timeout=0.05)
    for _ in range(2):
        with pytest.raises(RunTimeout):
            box.bind(DATA).draw(default_rng(0), 1)
    assert PythonBlackBox(waits).bind(DATA).draw(default_rng(0), 1) == "waited"


def test_what_a_run_leaves_behind_is_cancelled() -> None:
    told: list[str] = []

    async def later() -> None:
        try:
            await asyncio.sleep(0.002)
            told.append("late")
        except asyncio.CancelledError:
            told.append("cancelled")
            raise

    async def leaves(data: Any) -> int:
        task = asyncio.get_running_loop().create_task(later())
        await asyncio.sleep(0)
        return int(task.done())

    box = PythonBlackBox(leaves)
    assert [box.bind(DATA).draw(default_rng(0), 1) for _ in range(2)] == [0, 0]
    assert told == ["cancelled", "cancelled"]


def test_runs_share_a_loop_until_somebody_closes_it() -> None:
    async def loop(data: Any) -> int:
        return id(asyncio.get_running_loop())

    box = PythonBlackBox(loop)
    assert box.bind(DATA).draw(default_rng(0), 1) == box.bind(DATA).draw(default_rng(0), 1)
    settled_output._here.loop.close()
    assert box.bind(DATA).draw(default_rng(0), 1)


def test_where_a_loop_is_running_another_thread_awaits() -> None:
    async def notebook() -> Any:
        return PythonBlackBox(awaits_another).bind(DATA).draw(default_rng(0), 1)

    assert asyncio.run(notebook()) == ["waited", "waited"]


@pytest.mark.slow
def test_an_audit_of_a_coroutine() -> None:
    async def right(data: Any, rng: Generator) -> float:
        return float(data.sum() + rng.laplace())

    pair: dict[str, Any] = {"relation": "declared", "data": [1.0], "neighbors": [[0.0]]}
    assert audit.run(right, epsilon=1.0, max_samples=400, **pair).verdict == "not-refuted"
    assert audit.run(right, epsilon=0.1, max_samples=4000, **pair).verdict == "violation"
