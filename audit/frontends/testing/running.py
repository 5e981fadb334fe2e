"""The test that is running, and the audits it has made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from audit.frontends.testing.budget import Budget
from audit.frontends.testing.note import Note

if TYPE_CHECKING:
    from pathlib import Path

    from audit.case import Settings
    from audit.frontends.testing.budget import Shares
    from audit.sampling.ledger import Ledger
    from audit.sampling.ledger.keeping import Entered


@dataclass(slots=True)
class Share:
    """A level that the examples of a Hypothesis test have in common.

    Attributes:
        entered: the line that spent it.
        left: how many examples may still be audited with their part of it.
    """

    entered: Entered
    left: int


@dataclass(slots=True)
class Levels:
    """Names of the running test's audits in the ledger, and their shared level.

    Attributes:
        names: how often a mechanism has been audited so far.
        shares: levels that examples share, by target.
    """

    names: Counter[str] = field(default_factory=Counter)
    shares: dict[str, Share] = field(default_factory=dict)

    def alone(self, file: Path, test: str, name: str) -> Ledger:
        """The ledger for one audit; the second of a mechanism in one test is another target."""
        from audit.sampling.ledger import Ledger

        self.names[name] += 1
        again = f" ({self.names[name]})" if self.names[name] > 1 else ""
        return Ledger(file, f"{test}: {name}{again}")

    def shared(
        self, file: Path, test: str, name: str, settings: Settings, examples: int, failed: bool
    ) -> Entered:
        """The level of which every example has an equal part.

        Args:
            file: the ledger.
            test: node id of the test.
            name: of the mechanism.
            settings: alpha and seed of the test.
            examples: how many share it.
            failed: whether an example was refuted: those that only shrink it spend nothing.
        """
        from audit.sampling.ledger import Ledger

        target = f"{test}: {name}, examples"
        share = self.shares.get(target)
        if share is None or (share.left == 0 and not failed):
            share = Share(Ledger(file, target).reserved(settings), examples)
            self.shares[target] = share
        share.left = max(0, share.left - 1)
        return share.entered


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
