"""The test that is running, and the audits it has made."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from audit.frontends.testing.budget import Budget
from audit.frontends.testing.levels import Levels
from audit.frontends.testing.note import Note

if TYPE_CHECKING:
    from audit.frontends.testing.shares import Shares


@dataclass(slots=True)
class Running:
    """One test while it runs.

    Attributes:
        test: its node id, empty where no test is known.
        budget: what its audits may spend.
        notes: its audits that no report has taken yet.
        levels: what a ledger gave to its audits.
        shares: splits the time of the whole run, None where that has no limit.
    """

    test: str = ""
    budget: Budget = field(default_factory=Budget)
    notes: list[Note] = field(default_factory=list)
    levels: Levels = field(default_factory=Levels)
    shares: Shares | None = None

    def taken(self) -> list[Note]:
        """The notes so far, which are forgotten here."""
        found, self.notes = self.notes, []
        return found


# A plain global, and not a context variable: a test may audit from a thread.
_stack: list[Running] = []


def current() -> Running:
    """The running test; a nameless one outside the plugin's reach."""
    return _stack[-1] if _stack else Running()


@contextmanager
def running(test: str, budget: Budget, shares: Shares | None = None) -> Iterator[Running]:
    """Make this the running test; the one before is back afterwards."""
    _stack.append(Running(test, budget, shares=shares))
    try:
        yield _stack[-1]
    finally:
        _stack.pop()
