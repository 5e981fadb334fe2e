"""Events chosen by what stands first in the files, and tested exactly on what stands behind.

An eighth of the lines, 4,096 at most, chooses a few dozen events of all that the bets may
choose from, and the share of alpha of each (see `event_choice`). Given these lines the events
and shares are fixed, and the rest are independent draws, so that by Bonferroni any of the tests
(see `exact_test`) refutes what holds with probability at most alpha. Bets hold at any time, and
pay for that: where the number of lines does not depend on what they say, as for tables, a test
of the whole says more. Nothing is read into lines that have no partner: a longer file's end has
no part.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from audit.betting.event import Event
from audit.betting.events import describe
from audit.betting.exact.event_choice import Candidates
from audit.betting.exact.event_scores import Ahead, Candidate
from audit.betting.exact.exact_test import ExactTest
from audit.betting.power import shown_by
from audit.claim import Claim
from audit.outcomes.blas_threads import in_one_thread
from audit.outcomes.counting import joint_of
from audit.outcomes.paired import PairedOutcomes
from audit.verdict.recorded.bets import RecordedBets

_SHARE_TO_CHOOSE = 8
_MOST_TO_CHOOSE = 1 << 12
FEWEST = 64
"""Lines below which nothing is chosen."""


@dataclass(frozen=True, slots=True)
class ExactEvent:
    """An event that was tested.

    Attributes:
        pair: index of the neighbor.
        forward: whether it was tested for D.
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
        level: the largest that any of them refutes, 0 where none does.
    """

    claim: Claim
    events: tuple[ExactEvent, ...]
    level: float

    @classmethod
    @in_one_thread
    def of(cls, bets: RecordedBets, claim: Claim, alpha: float) -> ExactEvents:
        """Choose events, count and test them.

        Args:
            bets: who knows the files; nothing of what was bet is looked at.
            claim: what to test against.
            alpha: chance that what holds is refuted.
        """
        candidates = Candidates.of(_pasts(bets), Ahead(claim.lines(claim.level), alpha))
        events = tuple(_tested(bets, c, alpha * share) for c, share in candidates.shared())
        level = 0.0
        for event in events:
            level = event.test.level(claim, level)
        return cls(claim, events, level)

    @property
    def detectable(self) -> float:
        """How many times as likely such an event has to be that its test refutes the claim."""
        return min((shown_by(event.test, self.claim) for event in self.events), default=math.inf)

    @property
    def refuted(self) -> bool:
        """Whether the claim is."""
        return self.clearest is not None

    @property
    def clearest(self) -> ExactEvent | None:
        """Of those that refute the claim, the one with the largest share of alpha."""
        own = self.claim.level
        return next((e for e in self.events if e.test.refutes(self.claim, own)), None)


def _first(lines: int) -> int:
    """How many lines choose."""
    return min(lines // _SHARE_TO_CHOOSE, _MOST_TO_CHOOSE) if lines >= FEWEST else 0


def _pasts(bets: RecordedBets) -> Iterator[tuple[int, PairedOutcomes, int]]:
    """The lines of each neighbor that choose, where there are any, and how many test."""
    for pair, lines in enumerate(bets.lengths):
        first = _first(lines)
        if first:
            past = PairedOutcomes(bets.here.part(0, first), bets.there[pair].part(0, first))
            yield pair, past, lines - first


def _tested(bets: RecordedBets, candidate: Candidate, alpha: float) -> ExactEvent:
    """Count an event on the lines that did not choose it."""
    sketch, lines = candidate.sketch, bets.lengths[candidate.pair]
    first = _first(lines)
    joint = np.zeros((sketch.binning.count, sketch.binning.count), np.int64)
    for start, stop in bets.blocks(first, lines):
        sides = bets.here.part(start, stop), bets.there[candidate.pair].part(start, stop)
        joint += joint_of(candidate.reader, *sides)
    test = candidate.tested(joint, alpha)
    mask = sketch.bets.mask(*sketch.bets.spans[candidate.event])
    event = describe(sketch.feature, sketch.binning, mask)
    return ExactEvent(candidate.pair, candidate.side == 0, event, test)
