"""Pace of an audit, and forecasts of a long one."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from audit.progress import Event, Looked, StageStarted, Subscriber, Warned
from audit.report.formatting import duration

_FEWEST, _SOONEST = 16, 20.0
"""Runs and seconds from which on a pace is known: at first, learning takes longer."""
_YOUNGEST = 0.9
"""Part of the runs that shows their pace: slow and quick units take turns, after a slow start."""
_LONG = 300.0
"""Seconds from which on an audit is a long one."""
_SAID = 60.0
"""Seconds before that is said: by then units give as many outputs as they will."""


@dataclass(slots=True)
class Pace:
    """Speed of the runs of an audit but for the first ones.

    Attributes:
        most: runs at most.
        seconds: time at most, where somebody set one.
        now: the clock.
        begun: the moment of the first event.
        searching: whether runs of the search are as slow as others: each is one call.
        looks: the moment of each event that shows the pace, and the runs there were.
    """

    most: int
    seconds: float | None = None
    now: Callable[[], float] = time.monotonic
    searching: bool = False
    begun: float | None = None
    looks: list[tuple[float, int]] = field(default_factory=list)

    def hear(self, event: Event) -> None:
        """Note when an event came."""
        if isinstance(event, (StageStarted, Looked)):
            moment = self.now()
            self.begun = moment if self.begun is None else self.begun
            if self.searching or event.stage != "search":
                self.looks.append((moment, event.samples))

    @property
    def each(self) -> float | None:
        """Seconds a run, None while too few were made to say."""
        if not self.looks:
            return None
        (first, before), (last, made) = self.looks[0], self.looks[-1]
        if made - before < _FEWEST or last - first < _SOONEST:
            return None
        young = made - _YOUNGEST * (made - before)
        moment, runs = next(one for one in reversed(self.looks) if one[1] <= young)
        return (last - moment) / (made - runs)

    @property
    def left(self) -> float | None:
        """Seconds that the rest of the budget would take; None where nobody can say."""
        if self.each is None or self.begun is None:
            return None
        moment, made = self.looks[-1]
        left = self.each * max(0, self.most - made)
        if self.seconds is not None:
            left = min(left, max(0.0, self.begun + self.seconds - moment))
        return left


@dataclass(slots=True)
class Forecast:
    """Warns, once each, of a long audit and of one that goes on after a refutation.

    Attributes:
        pace: of the audit.
        quicker: whether independent calls would take less time.
        listener: hears all events, and the warnings.
        told: whether the time of the whole budget was said.
        refuted: whether bets have refuted the claim.
        goes_on: whether it was said that the bets go on after that.
    """

    pace: Pace
    quicker: bool
    listener: Subscriber
    told: bool = False
    refuted: bool = False
    goes_on: bool = False

    def heard(self, event: Event) -> None:
        """One event, and what is to be said after it."""
        self.listener(event)
        self.pace.hear(event)
        self.refuted = self.refuted or (isinstance(event, Looked) and event.refuted)
        for sentence in filter(None, (self._whole(), self._longer())):
            self.listener(Warned(sentence))

    def _longer(self) -> str:
        """Note that a loss was found and that its size takes long to measure."""
        left = self.pace.left
        if self.goes_on or not self.refuted or left is None or left < _LONG:
            return ""
        self.goes_on = True
        return (
            f"refuted after {self.pace.looks[-1][1]:,} runs; now the lower bound is measured: "
            "Ctrl-C ends it with the answer so far, `until='violation'` stops at the refutation"
        )

    def _whole(self) -> str:
        """Time of the whole budget, if that is long."""
        pace = self.pace
        if self.told or self.goes_on or pace.seconds is not None:
            return ""
        if pace.left is None or pace.begun is None:
            return ""
        if pace.looks[-1][0] - pace.looks[0][0] < _SAID:
            return ""
        whole = pace.looks[-1][0] - pace.begun + pace.left
        if whole < _LONG:
            return ""
        self.told = True
        quicker = ", as does `assume=('independent-calls',)` if calls are independent"
        return (
            f"the budget of {pace.most:,} runs takes about {duration(whole)} at most; "
            "`max_seconds` or a smaller `max_samples` ends it sooner"
            f"{quicker if self.quicker else ''}"
        )
