"""Time limits for code that runs inside this process."""

from __future__ import annotations

import importlib
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

from audit.blackbox.interface import RunTimeout
from audit.errors import BlackBoxError
from audit.validation import check_amounts

# Every run of a mechanism passes here. The public signal.signal turns its
# numbers into enums, which takes 3 µs instead of .3; so do enums given to it.
_set_handler: Callable[[int, Any], Any] = importlib.import_module("_signal").signal
_AVAILABLE = hasattr(signal, "setitimer")
_ALARM = int(signal.SIGALRM) if _AVAILABLE else 0
_REAL_TIME = int(signal.ITIMER_REAL) if _AVAILABLE else 0
_DEFAULT, _IGNORED = int(signal.SIG_DFL), int(signal.SIG_IGN)
_MAIN_THREAD = threading.main_thread().ident
_AGAIN = 0.5
_FEWEST_LATE = 16
_LONGEST_WAIT = 60.0


class _Rang(BaseException):
    """Raised where the time is up; not an Exception, so that few handlers swallow it."""


def check_seconds(seconds: float | None) -> float | None:
    """The time-out as it is; InputError where it is not a positive number of seconds."""
    if seconds is not None:
        check_amounts(timeout=seconds)
    return seconds


class _Alarm:
    """The alarm of one call.

    Python runs a signal's handler between any two steps of whatever it is doing. The
    alarm is an exception only where the function that is timed can meet it: while it
    is being called, and not in the frame of `TimeLimit.run` itself, whose every step
    therefore happens. Elsewhere it is noted, and that is all.

    Attributes:
        timed: whether the function is being called.
        rang: whether the time is up.
    """

    # Every run of a mechanism makes one of these, and few are ever changed.
    timed, rang = False, False

    def ring(self, _number: int, frame: FrameType | None) -> None:
        """Handle the signal; `frame` is where it was met."""
        self.rang = True
        if not self.timed:
            # Ctrl-C can keep a call from being made, or from stopping the timer behind it.
            signal.setitimer(_REAL_TIME, 0.0)
        elif frame is None or frame.f_code is not _RUN:
            raise _Rang


class TimeLimit:
    """Ends a function call after some seconds of wall-clock time.

    It works with SIGALRM, hence in the main thread of a Unix process; elsewhere
    calls run without a limit. Code inside a C function is stopped only when
    that function returns to one in Python, which the function called here should
    be. The handler and timer found before a call are back in place after it, and
    no alarm of this one is left that they could meet; a call that sets an alarm of
    its own, or keeps the signal from being delivered, cancels the limit.
    """

    def __init__(self, seconds: float | None) -> None:
        """Check the limit.

        Args:
            seconds: allowed per call, None for no limit.

        Raises:
            InputError: the limit is not a positive number.
        """
        self.seconds = check_seconds(seconds)

    def run(self, function: Callable[..., Any], *arguments: Any, times: float = 1.0) -> Any:
        """`function(*arguments)`, or RunTimeout once the time is up, or several times as much.

        A function that swallows the alarm and returns late has timed out too.
        """
        if self.seconds is None or not _AVAILABLE or threading.get_ident() != _MAIN_THREAD:
            return function(*arguments)
        alarm, seconds, output = _Alarm(), self.seconds * times, None
        handler = _set_handler(_ALARM, alarm.ring)
        found = signal.setitimer(_REAL_TIME, seconds, _AGAIN)
        started = time.monotonic() if found[0] else 0.0
        try:
            alarm.timed = True
            if not alarm.rang:
                output = function(*arguments)
        except BaseException as error:
            if not alarm.rang or isinstance(error, KeyboardInterrupt):
                raise
        finally:
            alarm.timed = False
            left, _ = signal.setitimer(_REAL_TIME, 0.0)
            if left <= _AGAIN:
                # It may have been sent and kept from being delivered. What is ignored is
                # not delivered later either.
                _set_handler(_ALARM, _IGNORED)
            _set_handler(_ALARM, _DEFAULT if handler is None else handler)
            if found[0]:
                _resume(found, started)
        if alarm.rang:
            raise RunTimeout(f"no output within {seconds:g} s")
        return output


_RUN = TimeLimit.run.__code__


class Patience:
    """Tells a black box that is late now and then from one that never ends.

    A context manager, which every run is made in.

    A time-out is an output. But where nothing else ever came out of the first
    runs, at least sixteen and a minute of them, the audit would go on like that
    for days and have nothing to tell.
    """

    def __init__(self, name: str, seconds: float | None) -> None:
        """Start waiting for a black box whose runs may take so many seconds, None for no limit."""
        self._name = name
        self._seconds = seconds or 0.0
        self._late = 0
        self.hopeful = False

    def __enter__(self) -> None: ...

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        """Note how a run ended; BlackBoxError where this and all runs before took too long."""
        if not isinstance(error, RunTimeout):
            self.hopeful |= error is None or isinstance(error, Exception)
            return
        self._late += 1
        waited = self._late * self._seconds
        if not self.hopeful and self._late >= _FEWEST_LATE and waited >= _LONGEST_WAIT:
            raise BlackBoxError(
                f"none of the first {self._late} runs of {self._name} ended within "
                f"{self._seconds:g} s; give a longer `timeout`, or less data"
            ) from None


def _resume(found: tuple[float, float], started: float) -> None:
    """Let a timer run on that was running before the call, less the time since."""
    left = max(found[0] - (time.monotonic() - started), 1e-6)
    signal.setitimer(_REAL_TIME, left, found[1])


class CutOff:
    """Ends a connection while somebody waits for what comes over it.

    In the main thread it does nothing: there an alarm ends what is late (see `TimeLimit`).

    Attributes:
        late: whether the time of the last wait was up.
    """

    __slots__ = ("_end", "_seconds", "late")

    def __init__(self, seconds: float | None) -> None:
        """Watch nothing yet; one wait may take so many seconds, None for no limit."""
        self._seconds = seconds
        self._end: Callable[[], None] | None = None
        self.late = False

    def opened(self, end: Callable[[], None]) -> None:
        """From now on somebody waits at a connection that is ended by a function."""
        self._end = end
        if self.late:
            self._cut()

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Somebody waits while the context lasts; the connection is ended when the time is up."""
        self.late = False
        if self._seconds is None or threading.current_thread() is threading.main_thread():
            yield
            return
        timer = threading.Timer(self._seconds, self._cut)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            # It may be about to end what is used next.
            timer.join()

    def check(self, seconds: float | None) -> None:
        """Raises RunTimeout where the wait was cut short."""
        if self.late:
            raise RunTimeout(f"no whole answer within {seconds:g} s")

    def _cut(self) -> None:
        self.late = True
        with suppress(Exception):  # it may be gone by now, of which each library has its own word
            if self._end is not None:
                self._end()
