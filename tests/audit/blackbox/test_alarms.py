"""An alarm may strike at any step: it ends the call it belongs to, or nothing at all.

Python runs a signal's handler between two steps of its interpreter. Instead of
hoping that an alarm strikes at each of them, the handler is called there.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import pytest

from audit.blackbox import time_limit as limits
from audit.blackbox.environment import left_as_found
from audit.blackbox.interface import RunTimeout
from audit.blackbox.time_limit import TimeLimit

ALARM = int(signal.SIGALRM)
RUN = TimeLimit.run.__code__


@pytest.fixture(autouse=True)
def _nothing_is_left() -> Iterator[None]:
    yield
    assert left_over() == (signal.SIG_DFL, False)


def left_over() -> tuple[Any, bool]:
    """The handler of alarms, and whether a timer runs."""
    return signal.getsignal(ALARM), signal.getitimer(signal.ITIMER_REAL)[0] > 0


def returns() -> str:
    return "output"


def fails() -> str:
    raise KeyError


def swallows() -> str:
    try:
        return returns()
    except BaseException:
        return "output"


def cleans_up() -> str:
    try:
        return returns()
    finally:
        sorted([3, 1, 2])


def runs_another() -> str:
    try:
        return str(TimeLimit(3.0).run(returns))
    except RunTimeout:
        return "output"


FUNCTIONS: list[Callable[[], str]] = [returns, fails, swallows, cleans_up, runs_another]


class Striking:
    """Calls whatever handles alarms at some steps of a call with a limit.

    Attributes:
        steps: how many steps the call had so far.
        struck: whether an alarm was handled.
    """

    def __init__(self, when: Callable[[int], bool]) -> None:
        self.when, self.steps, self.struck = when, 0, False

    def call(self, function: Callable[[], str]) -> str:
        sys.settrace(self._trace)
        try:
            return str(TimeLimit(5.0).run(function))
        except RunTimeout:
            return "late"
        except KeyError:
            return "failure"
        finally:
            sys.settrace(None)

    def _trace(self, frame: FrameType, event: str, _argument: Any) -> Any:
        if frame.f_code.co_filename not in (RUN.co_filename, __file__) or frame.f_code is _RING:
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        handler = signal.getsignal(ALARM)
        if event == "opcode":
            self.steps += 1
            if callable(handler) and self.when(self.steps):
                self.struck = True
                handler(ALARM, frame)
        return self._trace


_RING = limits._Alarm.ring.__code__


@pytest.mark.parametrize("function", FUNCTIONS)
def test_an_alarm_at_any_step_ends_the_call_or_nothing(function: Callable[[], str]) -> None:
    undisturbed = Striking(lambda step: False)
    quiet, seen = undisturbed.call(function), Counter[str]()
    for place in range(1, undisturbed.steps + 1):
        striking = Striking(place.__eq__)
        seen[striking.call(function)] += striking.struck
        assert left_over() == (signal.SIG_DFL, False)
    assert seen.keys() <= {quiet, "late"}
    assert seen["late"] > 20


@pytest.mark.parametrize("function", FUNCTIONS)
def test_so_do_alarms_at_every_step_until_one_is_met(function: Callable[[], str]) -> None:
    undisturbed = Striking(lambda step: False)
    quiet = undisturbed.call(function)
    for place in range(1, undisturbed.steps + 1):
        assert Striking(place.__le__).call(function) in (quiet, "late")
        assert left_over() == (signal.SIG_DFL, False)


def test_a_signal_that_was_kept_back_is_not_delivered_later() -> None:
    def blocks() -> str:
        signal.pthread_sigmask(signal.SIG_BLOCK, {ALARM})
        # To this thread: another one would not keep it back.
        signal.pthread_kill(threading.get_ident(), ALARM)
        return "output"

    try:
        assert TimeLimit(0.2).run(blocks) == "output"
        assert ALARM not in signal.sigpending()
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {ALARM})


def test_an_alarm_that_outlived_its_call_ends_itself() -> None:
    alarm = limits._Alarm()
    signal.setitimer(signal.ITIMER_REAL, 100.0)
    alarm.ring(ALARM, sys._getframe())
    assert not left_over()[1]


def test_after_an_audit_alarms_are_handled_as_before() -> None:
    with left_as_found():
        signal.signal(ALARM, limits._Alarm().ring)


STRESS = """
import random, signal, sys, time
from audit.blackbox.interface import RunTimeout
from audit.blackbox.time_limit import TimeLimit

dice = random.Random(int(sys.argv[1]))

def spins(end):
    while time.perf_counter() < end:
        pass

def fails(end):
    spins(end)
    raise KeyError

def swallows(end):
    try:
        spins(end)
    except BaseException:
        pass

kinds = set()
for _ in range(int(sys.argv[2])):
    seconds = dice.choice((dice.uniform(1e-6, 2e-5), 10 ** dice.uniform(-4, float(sys.argv[3]))))
    function = dice.choice((spins, fails, swallows))
    end = time.perf_counter() + seconds - dice.uniform(-1e-5, 1e-5)
    try:
        TimeLimit(seconds).run(function, end)
        kinds.add("output")
    except (RunTimeout, KeyError) as error:
        kinds.add(type(error).__name__)
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
print(*sorted(kinds))
"""
BUSY = "while True: pass"


def stressed(*words: str) -> subprocess.CompletedProcess[str]:
    call = [sys.executable, "-c", STRESS, *words]
    return subprocess.run(call, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_thousands_of_calls_that_end_as_their_time_does() -> None:
    run = stressed("1", "4000", "-3.5")
    assert (run.returncode, run.stdout, run.stderr) == (0, "KeyError RunTimeout output\n", "")


@pytest.mark.slow
def test_they_do_on_a_busy_machine() -> None:
    others = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(os.cpu_count() or 1)]
    try:
        run = stressed("2", "4000", "-2.3")
    finally:
        for other in others:
            other.kill()
            other.wait()
    assert (run.returncode, run.stdout, run.stderr) == (0, "KeyError RunTimeout output\n", "")
