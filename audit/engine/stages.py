"""Stages of one audit: what each draws, when it ends, what a reader must know of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter

from audit.case import Settings
from audit.progress import StageStarted
from audit.sampling.deadline import Deadline
from audit.sampling.draws import Draws
from audit.sampling.effort import no_effort
from audit.verdict.fresh_units import Allowance

_DONE_AT = {"search": 0.2, "bets": 0.8, "witness": 0.95, "tables": 1.0}
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
        searched: outputs drawn for the search, and when it ended; they are cheaper than others.
        deadlines: of its parts.
    """

    settings: Settings
    draws: Draws
    effort: dict[str, int] = field(default_factory=no_effort)
    notes: list[str] = field(default_factory=list)
    began: float = field(default_factory=lambda: perf_counter())
    searched: tuple[int, float] = (0, 0.0)
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
        before, ended = self.searched
        return Allowance(left, self.deadline(part), ended, before)
