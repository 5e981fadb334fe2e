"""Recorded lines as units: line i of D and line i of each neighbor.

A unit is a pair with n = 1: unit i of pair k is line i of D and line i of D_k. Pairs share the
lines of D, so that a line of D that one pair knows must not be news to the bets on another.

Theorem (lines). Let F_i be everything that the first i lines of all files say. Assume that line
i + 1 of each file has the law of the mechanism on its dataset given F_i. Files may depend on each
other within a line, as they do if all runs of a line had one seed. Then the wealth (see `wealth`)
is a supermartingale with respect to (F_i) under the claim, and reaches 1/alpha with probability
at most alpha.

Proof. The bettor goes in lockstep: it chooses bets, stakes and weights when all pairs are at one
line s, and takes the next m lines of every pair, m a function of s alone. So everything that is
bet on line i + 1 of any pair is a function of F_i. A unit's bracket is linear in both marginals,
so given F_i the factor of an expert on pair k has mean at most 1, whatever the files have to do
with each other. An expert bets on one pair, and a portfolio is a sum of experts with weights fixed
in F_s; a sum of supermartingales with respect to one filtration is one. The pilot is bet on by
nobody. A file that ends after line L stops its experts; they are stopped at a time that is known
when it comes (line L + 1 is there or not), and stopped supermartingales are supermartingales.
Nothing else depends on L: lengths of epochs, bets and weights do not, so that recording may end
whenever somebody likes. QED

If pairs had epochs of lengths of their own, bets on one pair would be chosen from lines of D that
experts on another pair have not bet on yet, and the sum would not be a supermartingale.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from audit.outcomes.encoding import Outcomes
from audit.outcomes.pair_counts import Counts, Reader, joint_of
from audit.sampling.source import Sources
from audit.sampling.units import UnitBatch, UnitKind, UnitPlan
from audit.verdict.recorded.recording import Recording

_FIRST_BLOCK = 1 << 10
_BLOCK_NUMBERS = 1 << 19
"""Numbers of one file that are sorted into columns at once."""


@dataclass(frozen=True, slots=True)
class RecordedUnits:
    """A `UnitSource` of recorded lines.

    Attributes:
        here: outputs on D.
        there: outputs on each neighbor.
    """

    here: Recording
    there: Sequence[Recording]

    @property
    def kind(self) -> UnitKind:
        """See `UnitSource.kind`."""
        return UnitKind.LINE

    @property
    def coins(self) -> bool:
        """See `UnitSource.coins`."""
        return False

    @property
    def pairs(self) -> bool:
        """See `UnitSource.pairs`."""
        return False

    @property
    def coupled(self) -> bool:
        """See `UnitSource.coupled`."""
        return False

    @property
    def lengths(self) -> list[int]:
        """Lines of each pair."""
        return [min(len(self.here), len(other)) for other in self.there]

    def costs(self) -> tuple[float, float]:
        """See `UnitSource.costs`: nothing is drawn."""
        return 0.0, 0.0

    def add_pair(self, index: int, sources: Sources) -> None:
        """See `UnitSource.add_pair`: all pairs are there."""

    def doubt(self) -> str:
        """See `UnitSource.doubt`: lines are assumed to be independent (see `doubts`)."""
        return ""

    def drawn(self, plans: Sequence[UnitPlan]) -> list[UnitBatch]:
        """See `UnitSource.drawn`."""
        return [
            UnitBatch.of_pairs(*self.sides(plan.pair, plan.first, plan.first + plan.count), n=1)
            for plan in plans
        ]

    def sides(self, pair: int, start: int, stop: int) -> tuple[Outcomes, Outcomes]:
        """Outputs of a pair from one line to another."""
        return self.here.part(start, stop), self.there[pair].part(start, stop)

    def joint(self, pair: int, reader: Reader, start: int, stop: int) -> Counts:
        """Joint counts of the lines from one to another, shape (bins, bins)."""
        bins = reader[1].count
        found = np.zeros((bins, bins), np.int64)
        for left, right in self._blocks(pair, start, stop):
            found += joint_of(reader, left, right)
        return found

    def _blocks(self, pair: int, start: int, stop: int) -> Iterator[tuple[Outcomes, Outcomes]]:
        """The same lines in parts that fit in memory."""
        size = _FIRST_BLOCK
        while start < stop:
            left, right = self.sides(pair, start, min(stop, start + size))
            yield left, right
            start += size
            size = max(1, _BLOCK_NUMBERS // max(1, left.width, right.width))
