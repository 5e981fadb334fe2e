"""The test that is running, the audits it has made, and notes of them."""

from __future__ import annotations

import json
import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from audit.frontends.testing.budget import Budget
from audit.progress import Event, Looked, StageStarted

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from audit.frontends.testing.budget import Shares
    from audit.sampling.ledger import Entered, Ledger
    from audit.verdict.result import AuditResult

_PROPERTIES = ("mechanism", "claim", "verdict", "epsilon_lower", "samples", "seed", "alpha")
"""What a JUnit report has of an audit."""
_GRAVITY = ("not-refuted", "inconclusive", "violation")


@dataclass(frozen=True, slots=True)
class Note:
    """One audit of a test, or all those of one mechanism in a Hypothesis test.

    Attributes:
        test: the test's node id.
        result: what the audit found; of many, the gravest.
        example: whether Hypothesis made up its parameters.
        audits: how many audits this stands for.
        alpha: the sum of their levels.
        samples: runs of the mechanism in all of them.
        warnings: what the audit said that it cannot show, before it ran.
        limit: flag or argument that limited its time; empty if none did.
    """

    test: str
    result: AuditResult
    example: bool
    audits: int
    alpha: float
    samples: int
    warnings: tuple[str, ...] = ()
    limit: str = ""

    @classmethod
    def of(
        cls,
        test: str,
        result: AuditResult,
        example: bool,
        warnings: Sequence[str] = (),
        limit: str = "",
    ) -> Note:
        """The note of a single audit."""
        spent = 1, result.alpha, result.samples
        return cls(test, result, example, *spent, tuple(warnings), limit)

    @property
    def progress(self) -> float:
        """The part of the way to a refutation, from 0 to 1."""
        return min(1.0, max(0.0, self.result.log_evalue / -math.log(self.result.alpha)))

    def to_text(self) -> str:
        """As JSON: notes travel from the processes that run tests to the one that reports."""
        found = {one.name: getattr(self, one.name) for one in fields(self)}
        return json.dumps(found | {"result": self.result.to_json()}, allow_nan=False)

    @classmethod
    def from_text(cls, text: str) -> Note:
        """The inverse of `to_text`."""
        from audit.report.restore import restore

        found = json.loads(text)
        result = restore(found["result"], found["test"])
        return cls(**found | {"result": result, "warnings": tuple(found["warnings"])})


def properties(notes: Sequence[Note]) -> list[tuple[str, object]]:
    """Audits of a test as its properties in a JUnit report, as the JSON of a result has them."""
    held = [note.result.to_json() | {"claim": str(note.result.claim)} for note in notes]
    return [(f"audit.{name}", found[name]) for found in held for name in _PROPERTIES]


def condensed(notes: Iterable[Note]) -> list[Note]:
    """One note for each audit, but only one for all examples of a mechanism."""
    groups: dict[object, list[Note]] = {}
    for place, note in enumerate(notes):
        key = note.result.mechanism if note.example else place
        groups.setdefault(key, []).append(note)
    return [_together(group) for group in groups.values()]


def _together(group: Sequence[Note]) -> Note:
    # Hypothesis ends with the simplest failing example: of equals, the last counts.
    gravest = max(reversed(group), key=_gravity)
    spent = ("audits", "alpha", "samples")
    return replace(gravest, **{name: sum(getattr(n, name) for n in group) for name in spent})


def _gravity(note: Note) -> tuple[int, float]:
    """By the verdict, and among those that refuted nothing by the evidence."""
    verdict = _GRAVITY.index(note.result.verdict)
    return verdict, note.result.log_evalue if verdict == 0 else 0.0


@dataclass(slots=True)
class Running:
    """One test while it runs.

    Attributes:
        test: its node id, empty where no test is known.
        budget: what its audits may spend.
        notes: its audits that no report has taken yet.
        names: how often each mechanism has been audited with a ledger so far.
        levels: what examples share of a ledger, by target: the line that spent it, and how many of
            them may still be audited with their part of its level.
        shares: splits the time of the whole run, None where that has no limit.
        say: writes a line on the terminal while the test runs, None where nobody watches.
        reports: folder of the reports of all audits; empty for none.
    """

    test: str = ""
    budget: Budget = field(default_factory=Budget)
    notes: list[Note] = field(default_factory=list)
    names: Counter[str] = field(default_factory=Counter)
    levels: dict[str, tuple[Entered, int]] = field(default_factory=dict)
    shares: Shares | None = None
    say: Callable[[str], None] | None = None
    reports: str = ""

    def taken(self) -> list[Note]:
        """The notes so far, which are forgotten here."""
        found, self.notes = self.notes, []
        return found

    def alone(self, file: Path, name: str) -> Ledger:
        """The ledger for one audit; the second of a mechanism in one test is another target."""
        from audit.sampling.ledger import Ledger

        self.names[name] += 1
        again = f" ({self.names[name]})" if self.names[name] > 1 else ""
        return Ledger(file, f"{self.test}: {name}{again}")

    def shared(self, budget: Budget, file: Path, name: str, examples: int) -> Entered:
        """The level of which every example of a mechanism has an equal part.

        Once an example was refuted, those that only shrink it spend nothing.
        """
        from audit.case import Settings
        from audit.sampling.ledger import Ledger

        target = f"{self.test}: {name}, examples"
        failed = any(note.result.verdict == "violation" for note in self.notes)
        entered, left = self.levels.get(target, (None, 0))
        if entered is None or (left == 0 and not failed):
            settings = Settings(alpha=budget.alpha, seed=budget.seed)
            entered, left = Ledger(file, target).reserved(settings), examples
        self.levels[target] = entered, max(0, left - 1)
        return entered


# A plain global, and not a context variable: a test may audit from a thread.
_stack: list[Running] = []


def current() -> Running:
    """The running test; a nameless one outside the plugin's reach."""
    return _stack[-1] if _stack else Running()


@contextmanager
def running(
    test: str,
    budget: Budget,
    shares: Shares | None = None,
    say: Callable[[str], None] | None = None,
    reports: str = "",
) -> Iterator[Running]:
    """Make this the running test; the one before is back afterwards."""
    _stack.append(Running(test, budget, shares=shares, say=say, reports=reports))
    try:
        yield _stack[-1]
    finally:
        _stack.pop()


EVERY = 20.0
"""Seconds of an audit before each line."""


def telling(
    running: Running, most: int, now: Callable[[], float] = time.monotonic
) -> Callable[[Event], None]:
    """Subscriber that says how far an audit of a test is, of so many runs, if it takes long."""
    due = now() + EVERY

    def heard(event: Event) -> None:
        nonlocal due
        if running.say and isinstance(event, StageStarted | Looked) and now() >= due:
            due = now() + EVERY
            test = running.test.rpartition("::")[2]
            running.say(f"auditing {test}: {event.samples:,} of at most {most:,} runs")

    return heard


def teller(config: pytest.Config) -> Callable[[str], None] | None:
    """Writer of lines while a test runs; None unless pytest runs with -v or -s."""
    reporter: Any = config.pluginmanager.get_plugin("terminalreporter")
    watched = reporter is not None and (
        reporter.verbosity > 0 or config.getoption("capture", "fd") == "no"
    )
    if not watched:
        return None
    capture: Any = config.pluginmanager.get_plugin("capturemanager")

    def say(line: str) -> None:
        if capture is None:
            reporter.write_line(line)
            return
        with capture.global_and_fixture_disabled():
            reporter.ensure_newline()
            reporter.write_line(line)

    return say
