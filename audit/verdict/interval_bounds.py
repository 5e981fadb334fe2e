"""Simultaneous exact intervals against a claim: the bins that break it, lower bounds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from audit.claims import EPSILON_BOUND, LARGEST_EPSILON, ApproxDP, Claim, PureDP
from audit.verdict.intervals import Estimate
from audit.verdict.pair_table import Bin, PairTable

_HALVINGS = 40
SMALLEST_LEVEL = 1e-9
"""The smallest lower bound that is looked for."""


@dataclass(frozen=True, slots=True)
class Side:
    """One bin of one table read in one direction.

    Attributes:
        table: the table.
        cell: the bin.
        forward: whether D is on the left of the inequality.
    """

    table: PairTable
    cell: Bin
    forward: bool

    @property
    def left(self) -> Estimate:
        return self.cell.p if self.forward else self.cell.q

    @property
    def right(self) -> Estimate:
        return self.cell.q if self.forward else self.cell.p

    def margin(self, claim: Claim) -> float:
        """Log of how far the bounds lie beyond the claim's nearest line; above 0 breaks it."""
        return max(self._beyond(line) for line in _lines_of(claim))

    def nearest_line(self, claim: Claim) -> tuple[float, float]:
        """Slope and offset of the line of the claim that the bounds lie farthest beyond."""
        return max(_lines_of(claim), key=self._beyond)

    def _beyond(self, line: tuple[float, float]) -> float:
        slope, offset = line
        return _log_quotient(self.left.low - offset, slope * self.right.high)


def _lines_of(claim: Claim) -> list[tuple[float, float]]:
    return [(float(slope), float(offset)) for slope, offset in claim.lines(claim.level)]


def sides_of(tables: Iterable[PairTable]) -> Iterator[Side]:
    """Every bin in both directions."""
    for table in tables:
        for cell in table.bins:
            yield Side(table, cell, True)
            yield Side(table, cell, False)


def _log_quotient(over: float, under: float) -> float:
    if over <= 0.0:
        return -math.inf
    # Not of the quotient, which may be too small for a float where its logarithm is not.
    return math.log(over) - math.log(under) if under > 0.0 else math.inf


def levels_of(sides: Sequence[Side], claim: Claim) -> dict[str, float]:
    """Lower bounds that hold together with the intervals.

    Epsilon at the delta of an (epsilon, delta) claim and at 0 for all others, and the
    level of the claim's own kind where that is another one.
    """
    delta = claim.delta_claimed if isinstance(claim, ApproxDP) else 0.0
    found = [_log_quotient(side.left.low - delta, side.right.high) for side in sides]
    levels = {EPSILON_BOUND: max([0.0, *found])}
    exact = isinstance(claim, (PureDP, ApproxDP))
    return levels if exact else {**levels, claim.bound: claim.stated(_own_level(sides, claim))}


def _own_level(sides: Sequence[Side], claim: Claim) -> float:
    """The largest level that the intervals refute; lines never fall as the level grows."""

    def refuted(level: float) -> bool:
        return any(side.margin(claim.at(level)) > 0.0 for side in sides)

    low, high = SMALLEST_LEVEL, LARGEST_EPSILON
    if not refuted(low):
        return 0.0
    for _ in range(_HALVINGS):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if refuted(middle) else (low, middle)
    return low
