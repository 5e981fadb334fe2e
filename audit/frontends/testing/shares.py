"""The time of a whole test run, split over its audits.

Each test that audits has a weight: 1, and up to 4 where its audit had gathered evidence
against its claim, but not enough, when the run before ended it. A test gets its part of
what is left by the weights that are left; whoever ends early leaves the rest to those
that come after.

When an audit ends may depend on all it has seen so far, and on all that earlier runs have
seen: bets are a nonnegative supermartingale under the claim, so that a test which keeps
its claim fails with probability at most alpha however time is split (arXiv 2210.01948).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from audit.report.numerals import count, number

if TYPE_CHECKING:
    from audit.frontends.testing.note import Note

LEAST = 0.5
"""Seconds that every audit has, whatever is left: less shows nothing of any mechanism."""
_MOST_WEIGHT = 4.0


@dataclass(slots=True)
class Shares:
    """Time that one process may spend on its audits.

    Attributes:
        seconds: for all of them.
        workers: processes that share the tests, each with so many seconds.
        weights: of tests that audit, by node id.
        spent: seconds so far.
        given: weight of the tests that had their share.
        left: seconds that a test has left of its share.
    """

    seconds: float
    workers: int = 1
    weights: Mapping[str, float] = field(default_factory=dict)
    spent: float = 0.0
    given: float = 0.0
    left: dict[str, float] = field(default_factory=dict)

    def share(self, test: str, audits: int | None = None) -> float:
        """Seconds for the next audit of a test.

        Args:
            test: node id.
            audits: how many share what the test has, None where it has one, as far as
                is known; a second one is a test of its own.
        """
        if audits is None or test not in self.left:
            self.left[test] = self._next(self.weights.get(test, 1.0))
        return max(LEAST, self.left[test] / (audits or 1))

    def _next(self, weight: float) -> float:
        """Share of the time left for a test of this weight."""
        expected = sum(self.weights.values()) / self.workers - self.given
        # Nobody knows which tests come to a worker: as long as there may be more of them than
        # its part, half of what is left is for those.
        more = 2.0 if self.workers > 1 else 1.0
        self.given += weight
        return max(0.0, self.seconds - self.spent) * weight / max(expected, more * weight)

    def took(self, seconds: float) -> None:
        """An audit has taken so long."""
        self.spent += seconds


def weights_of(tests: Collection[str], evidence: Mapping[str, float]) -> dict[str, float]:
    """Weight of each test.

    Args:
        tests: node ids of those that audit.
        evidence: the part of the way to a refutation that each had come in the run before.
    """
    return {
        test: 1.0 + (_MOST_WEIGHT - 1.0) * min(1.0, max(0.0, evidence.get(test, 0.0)))
        for test in tests
    }


def evidence_in(notes: Iterable[Note]) -> dict[str, float]:
    """Evidence of audits that refuted nothing, by test: 0 if nothing spoke against a claim."""
    found: dict[str, float] = {}
    for note in notes:
        if note.result.verdict == "not-refuted":
            found[note.test] = max(found.get(note.test, 0.0), note.progress)
    return found


def told(seconds: float, workers: int, notes: Collection[Note], longer: int) -> str:
    """Line on how the time of a run was split.

    Args:
        seconds: for the audits of one process.
        workers: how many processes there were.
        notes: of the audits.
        longer: tests that got more than others.
    """
    taken = sum(note.result.seconds or 0.0 for note in notes)
    each = f" for each of {workers} workers" if workers > 1 else ""
    more = f"; {count(longer)} that came closest before got more of it" if longer else ""
    least = f", at least {LEAST:g} s for each audit"
    return (
        f"--audit-seconds {number(seconds)}{each}, split over the tests that audit{least}{more}; "
        f"{number(round(taken, 1))} s were taken"
    )
