"""What simultaneous exact intervals say about a claim: lower bounds, reach, smallest excess."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from scipy.stats import binom

from audit.claim import ApproxDP, Claim
from audit.verdict.estimate import Estimate
from audit.verdict.intervals import Comparison, proportion
from audit.verdict.pair_table import Bin, PairTable

_LEVEL_NAMES = {"zcdp": "rho_lower", "gaussian": "mu_lower", "renyi": "renyi_lower"}
_SMALLEST_LEVEL, _LARGEST_LEVEL = 1e-9, 300.0
_LARGEST_EPSILON = 60.0
_HALVINGS = 40
_PRECISION = 1e-4
_MOST_DRAWS = 1 << 40
_UNLUCKY = 0.05
"""Chance that either side's count disappoints; together they leave power 0.9."""


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
        lines = claim.lines(claim.level)
        return max(_log_quotient(self.left.low - d, s * self.right.high) for s, d in lines)


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

    Epsilon at the claim's delta (0 for claims of other kinds), and the level of
    the claim's own kind where that is another one.
    """
    delta = claim.delta_claimed if isinstance(claim, ApproxDP) else 0.0
    found = [_log_quotient(side.left.low - delta, side.right.high) for side in sides]
    levels = {"epsilon_lower": max([0.0, *found])}
    name = _LEVEL_NAMES.get(claim.kind)
    return levels if name is None else {**levels, name: _own_level(sides, claim)}


def _own_level(sides: Sequence[Side], claim: Claim) -> float:
    """The largest level that the intervals refute; lines never fall as the level grows."""

    def refuted(level: float) -> bool:
        return any(side.margin(claim.at(level)) > 0.0 for side in sides)

    low, high = _SMALLEST_LEVEL, _LARGEST_LEVEL
    if not refuted(low):
        return 0.0
    for _ in range(_HALVINGS):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if refuted(middle) else (low, middle)
    return low


def fewest_draws(claim: Claim, each: float) -> int:
    """Draws on each side below which no table can break the claim.

    Even a bin that holds every draw on D and none on its neighbor has bounds
    that reach towards each other.

    Args:
        claim: what was claimed.
        each: chance that one bound misses.
    """
    lines = claim.lines(claim.level)

    def breaks(draws: int) -> bool:
        certain, never = proportion(draws, draws, 2 * each), proportion(0, draws, 2 * each)
        return Comparison(certain, never).breaks(lines)

    high = 1
    while not breaks(high) and high < _MOST_DRAWS:
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if breaks(middle) else (middle, high)
    return high


def detectable(sides: Sequence[Side], claim: Claim, each: float) -> float:
    """Smallest epsilon that these numbers of draws would have shown with power 0.9.

    On the bins of the tables, with the frequencies seen on the right: had the
    left side made one of them e^epsilon times as likely, its bounds would have
    lain beyond the claim. Infinite where no epsilon would have.
    """
    best = math.inf
    for side in sides:
        best = min(best, _detectable(side, claim, each, best))
    return best


def _detectable(side: Side, claim: Claim, each: float, known: float) -> float:
    """The same for one bin in one direction; infinite where it is not below what is known."""
    left, right = side.table.draws if side.forward else side.table.draws[::-1]
    rate = side.right.estimate
    highest = proportion(int(binom.ppf(1.0 - _UNLUCKY, right, rate)), right, 2 * each).high
    needed = min(slope * highest + offset for slope, offset in claim.lines(claim.level))

    def seen(epsilon: float) -> bool:
        count = binom.ppf(_UNLUCKY, left, min(1.0, math.exp(epsilon) * rate))
        return bool(proportion(int(count), left, 2 * each).low > needed)

    low, high = 0.0, min(known, _LARGEST_EPSILON)
    if rate == 0.0 or needed >= 1.0 or not seen(high):
        return math.inf
    while high - low > _PRECISION:
        middle = (low + high) / 2
        low, high = (low, middle) if seen(middle) else (middle, high)
    return high
