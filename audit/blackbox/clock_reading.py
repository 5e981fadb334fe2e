"""Whether Python code that runs in this process asks for the time of day."""

from __future__ import annotations

import datetime
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_NAMES = (
    "time",
    "time_ns",
    "clock_gettime",
    "clock_gettime_ns",
    "localtime",
    "gmtime",
    "ctime",
    "asctime",
    "strftime",
)
_FUNCTIONS = frozenset(getattr(time, name) for name in _NAMES if hasattr(time, name))
_METHODS = frozenset({"now", "utcnow", "today"})


class ClockReading:
    """Whether the time of day was asked for.

    Attributes:
        seen: whether it was, by a function of `time` or `datetime`; None where nobody could look.
            What is asked for inside of other compiled code is not seen.
    """

    seen: bool | None = False

    def notice(self, _frame: Any, event: str, called: Any) -> None:
        """What `sys.setprofile` calls."""
        self.seen = self.seen or (event == "c_call" and _tells_time(called))


@contextmanager
def watched_clock() -> Iterator[ClockReading]:
    """See what code of this thread asks for the time of day, unless it is profiled already.

    There is one place for a profiler, and one in C cannot be put back there.
    """
    reading = ClockReading()
    if sys.getprofile() is not None:
        reading.seen = None
        yield reading
        return
    sys.setprofile(reading.notice)
    try:
        yield reading
    finally:
        sys.setprofile(None)


def _tells_time(called: Any) -> bool:
    try:
        if called in _FUNCTIONS:
            return True
    except TypeError:  # methods of what cannot be hashed
        return False
    owner = getattr(called, "__self__", None)
    dates = isinstance(owner, type) and issubclass(owner, datetime.date)
    return dates and called.__name__ in _METHODS
