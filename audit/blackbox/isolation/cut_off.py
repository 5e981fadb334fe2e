"""A time limit for what waits at a socket in a thread that no alarm reaches."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from audit.blackbox.interface import RunTimeout


class CutOff:
    """Ends a connection while somebody waits for what comes over it.

    In the main thread it does nothing: there an alarm ends what is late (see `TimeLimit`).

    Attributes:
        late: whether the time of the last wait was up.
    """

    __slots__ = ("_end", "_seconds", "late")

    def __init__(self, seconds: float | None) -> None:
        """Watch nothing yet.

        Args:
            seconds: for one wait, None for no limit.
        """
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
        """Nothing, or the time-out where the wait was cut short.

        Args:
            seconds: that people were promised.

        Raises:
            RunTimeout: it was.
        """
        if self.late:
            raise RunTimeout(f"no whole answer within {seconds:g} s")

    def _cut(self) -> None:
        self.late = True
        with suppress(Exception):  # it may be gone by now, of which each library has its own word
            if self._end is not None:
                self._end()
