"""Progress of one audit: stages, deadlines, pace and forecasts, and remarks for its notes."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from time import perf_counter

from audit.betting.power import floor_units
from audit.case import Case, Settings
from audit.claims import Claim
from audit.progress import Deadline, Event, Looked, StageStarted, Subscriber, Warned, no_effort
from audit.report.formatting import duration
from audit.sampling.draws import Draws
from audit.sampling.units import UnitKind
from audit.validation import MOST_SAMPLES
from audit.verdict.findings import TimeLimit
from audit.verdict.fresh_units import OF_A_TABLE, Allowance
from audit.verdict.result import AuditResult

_DONE_AT = {"search": 0.2, "bets": 0.8, "witness": 0.88, "diagnosis": 0.95, "tables": 1.0}
"""Part of the time after which each part of an audit ends."""
_UNREFUTED_AT = {"bets": 0.88, "witness": 0.93, "diagnosis": 0.96, "tables": 1.0}
"""The same while nothing is refuted: there is no counterexample to measure and to explain."""
_SHOWN_SHARE = 8
"""One output in so many is left for the witness and the tables, at most."""


@dataclass(slots=True)
class Progress:
    """Stages of one audit: outputs by stage, deadlines, notes.

    Attributes:
        settings: of the audit.
        draws: of the audit.
        effort: outputs by stage.
        notes: facts that a reader must know.
        began: when the audit began.
        pace: seconds of a pair of outputs by units of their own, by those of the bets.
        deadlines: of its parts.
    """

    settings: Settings
    draws: Draws
    effort: dict[str, int] = field(default_factory=no_effort)
    notes: list[str] = field(default_factory=list)
    began: float = field(default_factory=lambda: perf_counter())
    pace: float = 0.0
    deadlines: dict[str, Deadline] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Outputs that are drawn in this context are of this stage."""
        before = self.draws.samples
        try:
            self.settings.on_event(StageStarted(name, before))
            yield
        except KeyboardInterrupt as interrupt:
            # Without a pair that was bet on there is no result to say it.
            made, most = self.draws.samples, self.settings.max_samples
            interrupt.add_note(f"in the {name} after {made:,} of at most {most:,} runs")
            raise
        finally:
            self.effort[name] += self.draws.samples - before

    def deadline(self, part: str) -> Deadline:
        """The deadline of a part of the audit, always the same object."""
        return self.deadlines.setdefault(part, Deadline(self._end(_DONE_AT[part]), perf_counter))

    def _end(self, part: float) -> float:
        seconds = self.settings.max_seconds
        return math.inf if seconds is None else self.began + part * seconds

    def bet_longer(self) -> None:
        """Move the deadlines of the bets and of what follows them, as nothing is refuted yet."""
        for name, part in _UNREFUTED_AT.items():
            deadline = self.deadline(name)
            deadline.ends, deadline.met = self._end(part), False

    def limits(self, pairs: int) -> list[int]:
        """Outputs to bet with on so many pairs, by each of the budgets in turn."""
        spent = self.effort["search"] + self.draws.reserved
        return [for_bets(budget - spent, pairs) for budget in self.draws.budgets]

    def allowance(self, part: str, later: int = 0) -> Allowance:
        """Outputs and time left for a part, which shares outputs with so many later ones."""
        left = max(0, self.settings.max_samples - self.draws.samples) // (1 + later)
        return Allowance(left, self.deadline(part), self.pace)


def for_bets(runs: int, pairs: int) -> int:
    """Outputs to bet with: the rest is for the witness and the tables."""
    return max(0, runs - min((pairs + 4) * 2000, runs // _SHOWN_SHARE))


_LONG_BY_LIVES, _CALL = 20.0, 2e-5
"""Seconds from which on an audit is long, and seconds of a quick call."""
_TOLD_TIME = (
    "outputs hold the time at which they were made, or an address in memory; these say nothing "
    "about the data and were not read"
)


def changed_ways(draws: Draws) -> str:
    """The reason if runs began or ceased to fail during the audit; empty if they did not."""
    first = draws.sampler.first
    if not draws.sampler.rate.changed or first is None:
        return ""
    message = f": {first.message}" if first.message else ""
    return (
        "runs began or ceased to fail during the audit, so they do not have one law; the first "
        f"run to fail was number {first.call:,} ({first.kind}{message})"
    )


def told_time(draws: Draws) -> tuple[str, ...]:
    """A note if outputs held the time of their calls."""
    return (_TOLD_TIME,) if draws.sampler.runs.told_time else ()


def tableless(result: AuditResult, progress: Progress) -> tuple[str, ...]:
    """A note if too few runs were left for tables."""
    most = progress.settings.max_samples
    if result.pairs or progress.deadline("tables").met:
        return ()
    left = f"{max(0, most - progress.draws.samples):,} of {most:,} runs were left"
    return (f"no tables were drawn: {left}, and tables take about {OF_A_TABLE} on each dataset",)


def time_limit(settings: Settings, deadlines: Mapping[str, Deadline]) -> TimeLimit | None:
    """The time limit, if it ended a part of the audit."""
    parts = tuple(part for part, deadline in deadlines.items() if deadline.met)
    if not parts or settings.max_seconds is None:
        return None
    return TimeLimit(seconds=settings.max_seconds, parts=parts, max_samples=settings.max_samples)


def too_few_runs(case: Case, settings: Settings, needed: int) -> str:
    """A warning that the budget can show nothing."""
    why = (
        "the audit will be inconclusive"
        if needed <= MOST_SAMPLES
        else f"it takes more than an audit may make ({MOST_SAMPLES:,})"
    )
    return (
        f"{settings.max_samples:,} runs cannot refute {case.claim}, whatever {case.name} does; "
        f"{why}"
    )


def long_audit(draws: Draws, claim: Claim, alpha: float) -> str:
    """A warning before a long audit by fresh instances; empty for a short one."""
    unit, _ = draws.units.costs()
    units = floor_units(claim, alpha)
    seconds = units * unit
    if draws.units.kind is not UnitKind.LIFE or seconds < _LONG_BY_LIVES:
        return ""
    return (
        f"at {claim} even a certain event takes about {units:,} fresh instances, {seconds:.0f} s "
        "here; if calls of one instance are independent of each other, "
        f"`assume=('independent-calls',)` takes about {units * _CALL:.1f} s"
    )


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
        searching: whether the search shows the pace until bets do: each of its runs is a call.
        stage: the present one.
        looks: the moment of each event that shows the pace, and the runs there were.
    """

    most: int
    seconds: float | None = None
    now: Callable[[], float] = time.monotonic
    searching: bool = False
    stage: str = ""
    begun: float | None = None
    looks: list[tuple[float, int]] = field(default_factory=list)

    def hear(self, event: Event) -> None:
        """Note when an event came."""
        if isinstance(event, (StageStarted, Looked)):
            moment = self.now()
            self.begun = moment if self.begun is None else self.begun
            if self.stage == "search" != event.stage:
                self.looks.clear()
            self.stage = event.stage
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
        """One event with the time that is left, and what is to be said after it.

        A bound settles before the budget ends, nobody knows when, so no time is left after a
        refutation.
        """
        self.pace.hear(event)
        if isinstance(event, Looked):
            self.refuted = self.refuted or event.refuted
            event = replace(event, left=None if event.refuted else self.pace.left)
        self.listener(event)
        for sentence in filter(None, (self._whole(), self._longer())):
            self.listener(Warned(sentence))

    def _longer(self) -> str:
        """Note that a loss was found and that its size takes long to measure."""
        left = self.pace.left
        if self.goes_on or not self.refuted or left is None or left < _LONG:
            return ""
        self.goes_on = True
        return (
            f"enough evidence to refute after {self.pace.looks[-1][1]:,} runs; now the lower bound "
            "is measured: Ctrl-C ends it with the answer so far, `until='violation'` stops here"
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
            f"at the pace so far, the budget of {pace.most:,} runs takes about {duration(whole)} "
            "at most; `max_seconds` or a smaller `max_samples` ends it sooner"
            f"{quicker if self.quicker else ''}"
        )
