"""One pair of datasets on which bets are placed, and what is remembered of its draws."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

from audit.outcomes.encoding import Outcomes, joined
from audit.outcomes.paired import Past
from audit.sampling.batch import Batch, Draft
from audit.sampling.stream import Address, Stage

_MOST_PAIRS = 1 << 15
_MOST_NUMBERS = 1 << 21
_BATCH_NUMBERS = 1 << 19
"""Numbers that one side of a batch may hold: 4 MiB."""


@dataclass(slots=True)
class Track:
    """One pair on which bets are placed.

    Attributes:
        index: the pair's place in the audit, part of every address.
        left: the dataset D.
        right: its neighbor D'.
        drawn: pairs of runs so far.
        batches: batches planned so far.
        drafts: batches planned and not yet asked for.
        planned: pairs in them.
        kept: outputs kept to learn from, on both sides.
        room: how many more pairs may be kept.
        width: numbers and symbols in one output, the most seen so far.
        largest: pairs in the largest batch so far.
    """

    index: int
    left: Any
    right: Any
    drawn: int = 0
    batches: int = 0
    drafts: deque[Draft] = field(default_factory=deque)
    planned: int = 0
    kept: list[tuple[Outcomes, Outcomes]] = field(default_factory=list)
    room: int = _MOST_PAIRS
    width: int = 1
    largest: int = 0

    def take(self, batch: Batch) -> None:
        """Count a batch, and remember its outputs to learn from, while there is room."""
        self.drawn += batch.size
        self.largest = max(self.largest, batch.size)
        if batch.outcomes is not None and self.room > 0:
            left, right = batch.outcomes
            self.kept.append((left, right))
            self.width = max(self.width, left.width, right.width)
            self.room = min(self.room, _MOST_NUMBERS // self.width) - left.size

    def plan(self, stage: Stage, pairs: int, most: int) -> None:
        """Add so many pairs to the plan, in batches of a size at most, smaller for wide outputs."""
        most = max(1, min(most, _BATCH_NUMBERS // self.width))
        self.planned += max(0, pairs)
        while pairs > 0:
            size = min(pairs, most)
            address = Address(stage, self.index, self.batches)
            self.drafts.append(Draft(address, self.left, self.right, size))
            self.batches += 1
            pairs -= size

    def next(self) -> Draft:
        """The first batch of the plan, which is now asked for."""
        draft = self.drafts.popleft()
        self.planned -= draft.size
        return draft

    @property
    def parts(self) -> int:
        """Columns of values, the most seen so far."""
        return max((len(side.columns) - 1 for pair in self.kept for side in pair), default=0)

    @property
    def usable(self) -> bool:
        """Whether anything but one and the same failure came out."""
        kinds = {name for pair in self.kept for side in pair for name in side.kinds}
        values = any(len(side.columns) > 1 for pair in self.kept for side in pair)
        return values or len(kinds) > 1

    def past(self) -> Past:
        """All kept outputs on both sides."""
        left, right = joined([b[0] for b in self.kept]), joined([b[1] for b in self.kept])
        self.kept = [(left, right)]
        return Past(left, right)

    def forget(self, failed: int | None) -> None:
        """Start again, as draws made so far may not be trusted; addresses go on.

        Args:
            failed: the batch of this pair that failed, if it was one. It is not
                drawn again: its randomness is no longer independent of what was decided.
        """
        self.kept, self.drawn, self.room = [], 0, _MOST_PAIRS
        self.batches -= len(self.drafts)
        self.drafts.clear()
        self.planned = 0
        if failed is not None:
            self.batches = failed + 1
