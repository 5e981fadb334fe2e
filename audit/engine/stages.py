"""Stages of one audit, and remarks on how it was made, for its notes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter

from audit.betting.power import floor_units
from audit.case import Case, Settings
from audit.claims import Claim
from audit.progress import Deadline, StageStarted, no_effort
from audit.sampling.draws import Draws
from audit.sampling.units import UnitKind
from audit.validation import MOST_SAMPLES
from audit.verdict.findings import TimeLimit
from audit.verdict.fresh_units import Allowance
from audit.verdict.result import AuditResult

_DONE_AT = {"search": 0.2, "bets": 0.8, "witness": 0.88, "diagnosis": 0.95, "tables": 1.0}
"""Part of the time after which each part of an audit ends."""


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
        self.settings.on_event(StageStarted(name, before))
        try:
            yield
        finally:
            self.effort[name] += self.draws.samples - before

    def deadline(self, part: str) -> Deadline:
        """The deadline of a part of the audit, always the same object."""
        seconds = self.settings.max_seconds
        ends = float("inf") if seconds is None else self.began + _DONE_AT[part] * seconds
        return self.deadlines.setdefault(part, Deadline(ends, perf_counter))

    def allowance(self, part: str, later: int = 0) -> Allowance:
        """Outputs and time left for a part.

        Args:
            part: of the audit.
            later: other parts that share what is left.
        """
        left = max(0, self.settings.max_samples - self.draws.samples) // (1 + later)
        return Allowance(left, self.deadline(part), self.pace)


_LONG, _CALL = 20.0, 2e-5
"""Seconds from which on an audit is long, and seconds of a quick call."""
_TOLD_TIME = (
    "outputs hold the time at which they were made, or an address in memory; these say nothing "
    "about the data and were not read"
)
_TOO_FEW = "no tables were drawn: the bets left too few runs for them"


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


def tableless(result: AuditResult, deadline: Deadline) -> tuple[str, ...]:
    """A note if too few runs were left for tables."""
    if result.pairs or deadline.met:
        return ()
    return (_TOO_FEW,)


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
    """A warning before a long audit by fresh instances; empty for a short one.

    Args:
        draws: of the audit, after its pilots.
        claim: that is bet against.
        alpha: the level of the test.
    """
    unit, _ = draws.units.costs()
    units = floor_units(claim, alpha)
    seconds = units * unit
    if draws.units.kind is not UnitKind.LIFE or seconds < _LONG:
        return ""
    return (
        f"at {claim} even a certain event takes about {units:,} fresh instances, {seconds:.0f} s "
        "here; if calls of one instance are independent of each other, "
        f"`assume=('independent-calls',)` takes about {units * _CALL:.1f} s"
    )
