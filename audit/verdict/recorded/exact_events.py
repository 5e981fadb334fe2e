"""Events chosen by the first lines of the files, and tested exactly on the others.

An eighth of the lines, 4,096 at most, chooses a few dozen events of all that the bets may
choose from, and the share of alpha of each (see `event_choice`). Given these lines the events
and shares are fixed, and the others are independent draws, so that by Bonferroni any of the tests
(see `exact_test`) refutes a claim that holds with probability at most alpha. Bets hold at any
time, and pay for that: if the number of lines does not depend on what they say, as for tables, a
test of all lines says more. Lines without a partner, at the end of a longer file, have no part.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from audit.betting.events import Event
from audit.claims import Claim
from audit.outcomes.blas_threads import in_one_thread
from audit.outcomes.encoding import Outcomes
from audit.verdict.recorded.event_choice import Ahead, Candidate, Candidates
from audit.verdict.recorded.exact_test import ExactTest
from audit.verdict.recorded.units import RecordedUnits

_SHARE_TO_CHOOSE = 8
_MOST_TO_CHOOSE = 1 << 12
FEWEST = 64
"""Lines below which nothing is chosen."""


@dataclass(frozen=True, slots=True)
class ExactEvent:
    """An event that was tested.

    Attributes:
        pair: index of the neighbor.
        forward: True if it was tested for D.
        event: in words.
        test: its counts.
    """

    pair: int
    forward: bool
    event: Event
    test: ExactTest


@dataclass(frozen=True, slots=True)
class ExactEvents:
    """Events tested against one claim.

    Attributes:
        claim: what they are tested against.
        events: by their share of alpha, the largest first.
        level: the largest that any of them refutes, 0 for none.
    """

    claim: Claim
    events: tuple[ExactEvent, ...]
    level: float

    @classmethod
    @in_one_thread
    def of(cls, units: RecordedUnits, claim: Claim, alpha: float) -> ExactEvents:
        """Choose events, count and test them.

        Args:
            units: the files.
            claim: what to test against.
            alpha: chance that a claim that holds is refuted.
        """
        candidates = Candidates.of(_pasts(units), Ahead(claim.lines(claim.level), alpha))
        events = tuple(_tested(units, c, alpha * share) for c, share in candidates.shared())
        level = 0.0
        for event in events:
            level = event.test.level(claim, level)
        return cls(claim, events, level)

    @property
    def detectable(self) -> float:
        """Smallest epsilon that one of these tests would have refuted the claim by, power 0.9."""
        return min((e.test.detectable(self.claim) for e in self.events), default=math.inf)

    @property
    def refuted(self) -> bool:
        """True if a test refutes the claim."""
        return self.clearest is not None

    @property
    def clearest(self) -> ExactEvent | None:
        """Of those that refute the claim, the one with the largest share of alpha."""
        own = self.claim.level
        return next((e for e in self.events if e.test.refutes(self.claim, own)), None)


def _first(lines: int) -> int:
    """The number of lines that choose."""
    return min(lines // _SHARE_TO_CHOOSE, _MOST_TO_CHOOSE) if lines >= FEWEST else 0


def _pasts(units: RecordedUnits) -> Iterator[tuple[int, tuple[Outcomes, Outcomes], int]]:
    """The lines of each neighbor that choose, if there are any, and how many test."""
    for pair, lines in enumerate(units.lengths):
        first = _first(lines)
        if first:
            yield pair, units.sides(pair, 0, first), lines - first


def _tested(units: RecordedUnits, candidate: Candidate, alpha: float) -> ExactEvent:
    """Count an event on the lines that did not choose it."""
    lines = units.lengths[candidate.pair]
    joint = units.joint(candidate.pair, candidate.reader, _first(lines), lines)
    test = candidate.tested(joint, alpha)
    neighbor = units.there[candidate.pair].name
    return ExactEvent(candidate.pair, candidate.side == 0, candidate.described(neighbor), test)
