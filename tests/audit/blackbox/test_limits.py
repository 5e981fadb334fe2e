"""A time limit ends calls, and leaves the process as it found it."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from numpy.random import Generator, default_rng

from audit.blackbox.interface import RunTimeout
from audit.blackbox.python import PythonBlackBox
from audit.blackbox.time_limit import TimeLimit
from audit.errors import InputError

SHORT = TimeLimit(0.05)


@pytest.fixture(autouse=True)
def alarm_state() -> Iterator[None]:
    handler, timer = signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)
    yield
    assert signal.getsignal(signal.SIGALRM) == handler
    assert (signal.getitimer(signal.ITIMER_REAL)[0] > 0) == (timer[0] > 0)


to_the_end: list[str] = []
"""What ran its whole half minute, and so was not stopped."""


def spin(seconds: float = 30.0) -> str:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass
    to_the_end.append("spin")
    return "done"


def sleeps() -> str:
    time.sleep(30)
    to_the_end.append("sleeps")
    return "done"


def swallows_exceptions() -> str:
    while True:
        try:
            spin()
        except Exception:
            continue


def swallows_everything() -> str:
    try:
        return spin()
    except BaseException:
        return "swallowed"


def turns_into_another() -> str:
    try:
        return spin()
    except BaseException:
        raise ValueError("something else") from None


def swallows_twice() -> str:
    for _ in range(2):
        try:
            spin()
        except BaseException:
            continue
    return "swallowed twice"


@pytest.mark.parametrize(
    "function",
    [spin, sleeps, swallows_exceptions, swallows_everything, turns_into_another,
     swallows_twice],
)  # fmt: skip
def test_late_calls_time_out(function: Any) -> None:
    to_the_end.clear()
    with pytest.raises(RunTimeout, match=r"0\.05 s"):
        SHORT.run(function)
    assert to_the_end == []


def test_several_times_the_limit_may_be_given() -> None:
    assert SHORT.run(spin, 0.15, times=10) == "done"
    with pytest.raises(RunTimeout, match=r"no output within 0\.1 s"):
        SHORT.run(spin, 0.5, times=2)


@pytest.mark.slow
def test_a_call_for_many_outputs_has_the_time_of_many() -> None:
    def release(data: float, rng: Generator, size: int) -> Any:
        spin(6e-6 * size)
        return rng.normal(data, 1.0, size)

    box = PythonBlackBox(release, timeout=0.25)
    assert len(box.bind(0.0).draw(default_rng(1), 1 << 16)) == 1 << 16
    with pytest.raises(RunTimeout):
        PythonBlackBox(release, timeout=0.05).bind(0.0).draw(default_rng(1), 1 << 16)


def test_quick_calls_return_and_raise() -> None:
    limit = TimeLimit(20.0)
    assert limit.run(max, 1, 2) == 2
    with pytest.raises(ZeroDivisionError):
        limit.run(lambda: 1 // 0)


@pytest.mark.slow
def test_limit_holds_for_each_call_anew() -> None:
    limit = TimeLimit(1.0)
    for _ in range(4):
        assert limit.run(spin, 0.3) == "done"


def test_other_threads_run_without_limit() -> None:
    outputs: list[str] = []
    thread = threading.Thread(target=lambda: outputs.append(SHORT.run(spin, 0.1)))
    thread.start()
    thread.join()
    assert outputs == ["done"]


def test_nested_limits() -> None:
    def outer() -> str:
        with pytest.raises(RunTimeout):
            SHORT.run(spin)
        return spin()

    with pytest.raises(RunTimeout, match=r"0\.2 s"):
        TimeLimit(0.2).run(outer)


def test_timer_of_others_runs_on() -> None:
    rings: list[int] = []
    previous = signal.signal(signal.SIGALRM, lambda number, _: rings.append(number))
    signal.setitimer(signal.ITIMER_REAL, 3600.0)
    try:
        assert TimeLimit(5.0).run(spin, 0.02) == "done"
        left, _ = signal.setitimer(signal.ITIMER_REAL, 0.1)
        assert (0.0 < left < 3600.0, rings) == (True, [])
        assert TimeLimit(5.0).run(spin, 0.02) == "done"
        time.sleep(0.2)
    finally:
        signal.signal(signal.SIGALRM, previous)
    assert len(rings) == 1


def test_interrupt_during_a_time_out_stays_an_interrupt() -> None:
    def interrupted() -> None:
        try:
            spin()
        finally:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        SHORT.run(interrupted)


@pytest.mark.parametrize("seconds", [0, -1.0, float("nan"), float("inf")])
def test_limits_that_are_none(seconds: float) -> None:
    with pytest.raises(InputError, match="timeout .* is not a number of seconds above 0 and up to"):
        TimeLimit(seconds)
    assert TimeLimit(None).run(spin, 0.0) == "done"
