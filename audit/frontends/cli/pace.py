"""Speed of runs, and a forecast for the rest of a budget."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from audit.progress import Event, Looked, StageStarted

_FEWEST, _SOONEST = 16, 2.0
"""Runs and seconds from which on a pace is known: before, learning takes longer than drawing."""
_LONG = 300.0
"""Seconds from which on an audit is a long one."""
_UNITS = ((86_400.0, "days"), (3_600.0, "h"), (60.0, "min"), (1.0, "s"))
_PLENTY = 1.5
"""Of a unit, from which on it is used."""


@dataclass(slots=True)
class Pace:
    """Speed of runs since an audit began.

    Attributes:
        most: runs at most.
        seconds: time at most, where somebody set one.
        now: the clock.
        begun: the moment of the first event, and the runs there were.
        last: the moment of the latest, and the runs there were.
        told: whether it was said how long the budget takes.
        found: whether bets have refuted the claim.
        goes_on: whether it was said how long bets go on after that.
    """

    most: int
    seconds: float | None = None
    now: Callable[[], float] = time.monotonic
    begun: tuple[float, int] | None = None
    last: tuple[float, int] = field(default=(0.0, 0))
    told: bool = False
    found: bool = False
    goes_on: bool = False

    def hear(self, event: Event) -> None:
        """Note when an event came."""
        if isinstance(event, (StageStarted, Looked)):
            self.last = self.now(), event.samples
            self.begun = self.begun or self.last
        self.found = self.found or (isinstance(event, Looked) and event.refuted)

    @property
    def each(self) -> float | None:
        """Seconds a run, None while too few were made to say."""
        if self.begun is None:
            return None
        taken, runs = self.last[0] - self.begun[0], self.last[1] - self.begun[1]
        return taken / runs if runs >= _FEWEST and taken >= _SOONEST else None

    @property
    def left(self) -> float | None:
        """Seconds that the rest of the budget would take; None where nobody can say."""
        if self.each is None or self.begun is None:
            return None
        left = self.each * max(0, self.most - self.last[1])
        if self.seconds is not None:
            left = min(left, max(0.0, self.begun[0] + self.seconds - self.last[0]))
        return left

    def longer(self) -> str:
        """Note, once, that a loss was found and that its size takes long to measure."""
        if self.goes_on or not self.found or self.left is None or self.left < _LONG:
            return ""
        self.goes_on = True
        return (
            f"bets have refuted the claim after {self.last[1]:,} runs and go on for how large the "
            f"loss is, at most about {in_words(self.left)} left; --until violation does without"
        )

    def forecast(self) -> str:
        """Forecast, once, for an audit that would take long; else empty."""
        if self.told or self.seconds is not None or self.each is None:
            return ""
        whole = self.each * self.most
        if whole < _LONG:
            return ""
        self.told = True
        return (
            f"at {in_words(self.each)} a run, as so far, the {self.most:,} runs of the budget "
            f"would take about {in_words(whole)}; an answer may come sooner, and --max-seconds or "
            "a smaller --max-samples ends it with the evidence so far"
        )


def in_words(seconds: float) -> str:
    """A time as people say it, to two digits at most."""
    for size, name in _UNITS:
        if seconds >= _PLENTY * size or (size == 1.0 and seconds >= 1.0):
            return f"{float(f'{seconds / size:.2g}'):g} {name}"
    return f"{float(f'{1000.0 * seconds:.2g}'):g} ms"
