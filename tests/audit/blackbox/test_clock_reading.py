"""Whether the time of day is asked for: seen where it is, and only there."""

from __future__ import annotations

import cProfile
import datetime
import logging
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from audit.blackbox.clock_reading import watched_clock
from audit.blackbox.python import PythonBlackBox

rng = np.random.default_rng()


@pytest.mark.parametrize(
    "asked",
    [
        lambda data: time.time(),
        lambda data: time.time_ns(),
        lambda data: time.localtime().tm_sec,
        lambda data: datetime.datetime.now().second,
        lambda data: datetime.date.today().day,
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
        lambda data: time.perf_counter(),
        lambda data: sorted(data)[0],
    ],
)
def test_the_time_is_not_asked_for(asked: Callable[..., Any]) -> None:
    with watched_clock() as clock:
        PythonBlackBox(asked).bind(np.ones(2)).draw(rng, 1)
    assert not clock.seen


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
