"""Whether Python code that runs in this process asks for the time, by whatever clock."""

from __future__ import annotations

import datetime
import gc
import importlib
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

_CLOCKS: dict[str, tuple[str, ...]] = {
    "time": (
        *("time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns"),
        *("localtime", "gmtime", "ctime", "asctime", "strftime"),
    ),
}
"""Functions that tell the time by module. That of a file is no clock: whoever looks whether one is
there asks for it."""
_OF_WORK: dict[str, tuple[str, ...]] = {
    "time": (
        *("process_time", "process_time_ns", "thread_time", "thread_time_ns"),
        *("clock_gettime", "clock_gettime_ns"),
    ),
    "os": ("times",),
    "resource": ("getrusage",),
}
"""Those that may tell how long the processor worked."""
_METHODS = frozenset({"now", "utcnow", "today"})
_OTHERS = frozenset(
    (__name__.partition(".")[0], "importlib", "asyncio", "selectors", "threading", "queue")
    + ("concurrent", "multiprocessing", "subprocess")
)
"""Who asks beside the black box: the audit around every call, what looks for modules, and what
tells how long somebody may still be waited for."""


def _functions(names: dict[str, tuple[str, ...]]) -> frozenset[Callable[..., Any]]:
    """Those that there are on this system."""
    found = set()
    for module, functions in names.items():
        try:
            held = importlib.import_module(module)
        except ImportError:
            continue
        found |= {getattr(held, name) for name in functions if hasattr(held, name)}
    return frozenset(found)


_TELL_WORK = _functions(_OF_WORK)
_TELL_TIME = _functions(_CLOCKS) | _TELL_WORK


@dataclass(slots=True)
class ClockReading:
    """Whether the time was asked for.

    Attributes:
        seen: whether it was, by a function of `time`, `datetime` or the system; None where nobody
            could look. What is asked for inside of other compiled code is not seen.
        of_work: whether the clock may be one that stands still while nothing is done.
    """

    seen: bool | None = False
    of_work: bool = False

    def notice(self, frame: Any, event: str, called: Any) -> None:
        """What `sys.setprofile` calls."""
        if event != "c_call" or _is_other(frame):
            return
        self.seen = self.seen or _tells_time(called)
        self.of_work = self.of_work or _is_among(called, _TELL_WORK)

    def wait(self, seconds: float) -> None:
        """Let this clock go on for so long."""
        if not self.of_work:
            time.sleep(seconds)
            return
        ends = time.thread_time() + seconds
        while time.thread_time() < ends:
            pass


@contextmanager
def watched_clock() -> Iterator[ClockReading]:
    """See what code of this thread asks for the time of day, unless it is profiled already.

    There is one place for a profiler, and one in C cannot be put back there. No garbage is
    collected meanwhile: others, such as Hypothesis, look at the time whenever it is.
    """
    reading = ClockReading()
    if sys.getprofile() is not None:
        reading.seen = None
        yield reading
        return
    collected = gc.isenabled()
    gc.disable()
    sys.setprofile(reading.notice)
    try:
        yield reading
    finally:
        sys.setprofile(None)
        if collected:
            gc.enable()


def _is_other(frame: Any) -> bool:
    """Whether it is not the black box that calls."""
    return str(frame.f_globals.get("__name__", "")).partition(".")[0] in _OTHERS


def _is_among(called: Any, functions: frozenset[Callable[..., Any]]) -> bool:
    try:
        return called in functions
    except TypeError:  # methods of what cannot be hashed
        return False


def _tells_time(called: Any) -> bool:
    if _is_among(called, _TELL_TIME):
        return True
    owner = getattr(called, "__self__", None)
    dates = isinstance(owner, type) and issubclass(owner, datetime.date)
    return dates and called.__name__ in _METHODS
