"""Start-up time of calls: do they take long even for few outputs?

A function that loads a model or starts an engine takes its time for every call, and hardly more
for a thousand outputs than for one. Its first calls are timed: where they are slow, few are made
for many outputs each.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter

_FIRST = 4
"""Calls that are timed; the very first may prepare things once and for all."""
_FEW = 64
"""Outputs of a call that is timed, at most: more may take their own time."""
_LONG = 0.1
"""Seconds: a thousand times as long as most calls take, so that a busy machine hardly decides."""


@dataclass(slots=True)
class StartUp:
    """Times of the first calls for few outputs.

    Attributes:
        calls: that were timed.
        fastest: seconds that the fastest of them took.
        now: the clock.
    """

    calls: int = 0
    fastest: float = math.inf
    now: Callable[[], float] = field(default_factory=lambda: perf_counter)

    def asked_of(self, size: int) -> bool:
        """True if a call for so many outputs is to be timed."""
        return self.calls < _FIRST and size <= _FEW

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Time what is done here."""
        before = self.now()
        try:
            yield
        finally:
            self.calls += 1
            self.fastest = min(self.fastest, self.now() - before)

    @property
    def dominates(self) -> bool:
        """True if calls are known to take long even for few outputs."""
        return self.calls > 1 and self.fastest >= _LONG

    @property
    def note(self) -> str:
        """Note that the measured time does not follow from a seed."""
        if not self.dominates:
            return ""
        fastest = f"{float(f'{1000.0 * self.fastest:.2g}'):g} ms"
        return (
            f"calls for a few outputs took {fastest} or longer, so that few calls were made for "
            f"many outputs each; where calls take less than {1000.0 * _LONG:g} ms the same command "
            "may give other numbers"
        )
