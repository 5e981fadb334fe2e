"""Whether the time of day is asked for: seen where it is, and only there."""

from __future__ import annotations

import asyncio
import cProfile
import datetime
import gc
import logging
import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

from audit.blackbox.clock_reading import ClockReading, watched_clock
from audit.blackbox.python import PythonBlackBox
from audit.sampling.sampler import Sampler
from audit.sampling.source import Source
from audit.sampling.stream import Address, Check, Stage

rng = np.random.default_rng()


def waits_for_another(data: Any) -> float:
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(len, data).result(timeout=60.0)


async def waits_in_a_loop(data: Any) -> float:
    return float(await asyncio.wait_for(asyncio.sleep(0.0, len(data)), 60.0))


@pytest.mark.parametrize(
    "asked",
    [
        lambda data: time.time(),
        lambda data: time.time_ns(),
        lambda data: time.localtime().tm_sec,
        lambda data: datetime.datetime.now().second,
        lambda data: datetime.date.today().day,
        lambda data: time.monotonic(),
        lambda data: time.perf_counter_ns(),
        lambda data, size: np.random.default_rng(int(time.time())).laplace(size=size),
        lambda data: logging.makeLogRecord({}).created,
    ],
)
def test_the_time_is_asked_for(asked: Callable[..., Any]) -> None:
    with watched_clock() as clock:
        PythonBlackBox(asked).bind(np.ones(2)).draw(rng, 1)
    assert clock.seen


@pytest.mark.parametrize(
    "asked",
    [
        lambda data: float(len(data)),
        lambda data, rng: rng.laplace(),
        lambda data, size: np.random.default_rng().laplace(size=size),
        lambda data: sorted(data)[0],
        lambda data: find_spec("this") is None,
        lambda data: os.path.exists("config.toml"),
        waits_for_another,
        waits_in_a_loop,
    ],
)
def test_the_time_is_not_asked_for(asked: Callable[..., Any]) -> None:
    with watched_clock() as clock:
        PythonBlackBox(asked).bind(np.ones(2)).draw(rng, 1)
    assert not clock.seen


def test_the_audit_itself_may_look_at_the_time() -> None:
    sampler = Sampler.of(PythonBlackBox(lambda data: float(len(data))), 0, coupled=False)
    with watched_clock() as clock:
        sampler.side(Address(Stage.CHECK, Check.CLOCK, 0), Source(sampler.box, np.ones(2)), 1, 0)
    assert clock.seen is False


def test_who_looks_at_the_time_when_garbage_is_collected_is_no_black_box() -> None:
    def timed(phase: str, info: dict[str, int]) -> None:
        time.perf_counter()

    before = gc.get_threshold()
    gc.callbacks.append(timed)
    gc.set_threshold(1)
    try:
        with watched_clock() as clock:
            PythonBlackBox(lambda data: [[] for _ in range(99)]).bind(np.ones(2)).draw(rng, 1)
    finally:
        gc.callbacks.remove(timed)
        gc.set_threshold(*before)
    assert clock.seen is False
    assert gc.isenabled()


@pytest.mark.parametrize(
    "asked", [time.process_time, time.thread_time_ns, os.times, lambda: time.clock_gettime_ns(2)]
)
def test_a_clock_of_work_goes_on_while_it_is_waited_for(asked: Callable[[], Any]) -> None:
    with watched_clock() as clock:
        PythonBlackBox(lambda data: bool(asked())).bind(np.ones(2)).draw(rng, 1)
    assert clock.seen
    begun = time.thread_time()
    clock.wait(0.05)
    assert time.thread_time() - begun >= 0.05


def test_other_clocks_are_waited_for_at_rest() -> None:
    begun = time.thread_time()
    ClockReading(seen=True).wait(0.1)
    assert time.thread_time() - begun < 0.05


def test_who_profiles_goes_on() -> None:
    before, seen = sys.getprofile(), list[str]()
    sys.setprofile(lambda frame, event, called: seen.append(event))
    try:
        with watched_clock() as clock:
            time.time()
        assert clock.seen is None
        seen.clear()
        time.time()
        assert "c_call" in seen
    finally:
        sys.setprofile(before)


def test_a_profiler_in_c_is_left_in_its_place() -> None:
    profiler = cProfile.Profile()
    with profiler, watched_clock() as clock:
        time.time()
    assert clock.seen is None or sys.version_info >= (3, 12)
    assert profiler.getstats()
