"""One pair of datasets on which bets are placed, and what is remembered of its draws."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from audit.outcomes import Outcomes, joined
from audit.sketch import Past

_MOST_PAIRS = 1 << 15
_MOST_NUMBERS = 1 << 21


@dataclass(slots=True)
class Track:
    """One pair on which bets are placed.

    Attributes:
        index: the pair's place in the audit, part of every address.
        left: the dataset D.
        right: its neighbor D'.
        drawn: pairs of runs so far.
        batches: batches so far.
        kept: outputs kept to learn from, on both sides.
        room: how many more pairs may be kept.
    """

    index: int
    left: Any
    right: Any
    drawn: int = 0
    batches: int = 0
    kept: list[tuple[Outcomes, Outcomes]] = field(default_factory=list)
    room: int = _MOST_PAIRS

    def keep(self, left: Outcomes, right: Outcomes) -> None:
        """Remember a batch to learn from, while there is room."""
        if self.room > 0:
            self.kept.append((left, right))
            width = max(1, len(left.columns) + (0 if left.matrix is None else left.matrix.shape[1]))
            self.room = min(self.room - left.size, _MOST_NUMBERS // width - left.size)

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

    def forget(self) -> None:
        """Start again, as draws made so far may not be trusted; addresses go on."""
        self.kept, self.drawn, self.room = [], 0, _MOST_PAIRS
