"""Tables of recorded outputs, with bins that their counts did not choose, and what they refute.

The feature of the tables and their bins follow from the first outputs of all files, an eighth of
each, which no table counts. In contrast to the bets, the lengths of the files must not depend on
their contents. See docs/explanation/recorded-outputs.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from audit.betting.events import Event, describe
from audit.claims import EPSILON_BOUND, LARGEST_EPSILON, ApproxDP, Claim, PureDP
from audit.outcomes.binning import Binning
from audit.outcomes.column import Counts
from audit.outcomes.encoding import KIND, Outcomes, joined
from audit.outcomes.features import Feature, Part
from audit.verdict.intervals import Comparison, Estimate, compare, mixture
from audit.verdict.pair_table import (
    Bin,
    PairTable,
    counted,
    equal_width,
    plain_parts,
    table_feature,
    table_of,
)
from audit.verdict.recorded.exact_test import SMALLEST_LEVEL
from audit.verdict.recorded.recording import Recording

_SHARE_FOR_ENDS = 8
_HALVINGS = 40
_MOST_PARTS = 64
"""Parts of an output that are compared, the first ones."""


@dataclass(frozen=True, slots=True)
class RecordedTables:
    """D against each neighbor and against all of them pooled, in the same bins.

    Attributes:
        feature: of an output.
        binning: its bins, equally wide over the range of the first outputs; the outer
            ones are open.
        pairs: the tables; none if a file has no output left to count.
    """

    feature: Feature
    binning: Binning
    pairs: tuple[PairTable, ...]

    @classmethod
    def of(
        cls, recordings: Sequence[Recording], claim: Claim, bins: int, alpha: float
    ) -> RecordedTables:
        """Count the tables of which any bound misses with probability alpha at most."""
        if min(map(len, recordings)) < 2:
            return cls(Part(KIND), Binning.of([]), ())
        places = [outputs_for_ends(recording) for recording in recordings]
        first = [r.part(0, place) for r, place in zip(recordings, places, strict=True)]
        rest = [r.part(place, len(r)) for r, place in zip(recordings, places, strict=True)]
        feature = _feature(first, bins)
        binning = equal_width([feature.read(outcomes) for outcomes in first], bins)
        here, *there = counted(feature, binning, rest)
        rows = _rows(recordings[1:], here, there, alpha)
        tables = tuple(
            table_of(name, source, feature, binning, (here, counts), comparisons, claim)
            for name, source, counts, comparisons in rows
        )
        return cls(feature, binning, tables)

    @property
    def flagged(self) -> bool:
        """True if a bin of a table breaks the claim on its own."""
        return not all(table.satisfied for table in self.pairs)

    def event(self, label: str) -> Event:
        """The bin of that label as an event."""
        mask = [self.binning.label(code) == label for code in range(self.binning.count)]
        return describe(self.feature, self.binning, np.array(mask))


def outputs_for_ends(recording: Recording) -> int:
    """The number of first outputs that choose the bins and are not counted."""
    return max(1, len(recording) // _SHARE_FOR_ENDS)


def _rows(
    neighbors: Sequence[Recording], here: Counts, there: Sequence[Counts], alpha: float
) -> list[tuple[str, str, Counts, list[Comparison]]]:
    """Name, source, counts and comparisons of each neighbor, and of all of them pooled."""
    found = [compare(here, counts, alpha, len(there)) for counts in there]
    rows = [
        (r.name, f"{r.name} recorded in {r.source}", counts, comparisons)
        for r, counts, comparisons in zip(neighbors, there, found, strict=True)
    ]
    if len(rows) > 1:
        # Bounds that hold for each neighbor hold for their mixture.
        names = ", ".join(name for name, *_ in rows)
        mixed = mixture(found, [int(counts.sum()) for counts in there])
        rows.append(("pooled", f"{names} pooled", np.sum(there, axis=0), mixed))
    return rows


def _feature(first: Sequence[Outcomes], bins: int) -> Feature:
    """The value, or the sum of a vector; of other outputs the part that differs most."""
    pooled = joined(first)
    names = plain_parts(pooled)
    if pooled.matrix is not None or len(names) < 2:
        return table_feature(first)
    return max(map(Part, names[:_MOST_PARTS]), key=lambda part: _distance(part, first, bins))


def _distance(part: Part, first: Sequence[Outcomes], bins: int) -> float:
    """Largest total variation distance of D from a neighbor, in bins of equal width."""
    columns = [part.read(outcomes) for outcomes in first]
    binning = equal_width(columns, bins)
    here, *there = (counts / counts.sum() for counts in counted(part, binning, first))
    return max(float(np.abs(here - other).sum()) / 2.0 for other in there)


@dataclass(frozen=True, slots=True)
class Side:
    """One bin of one table read in one direction: `forward` with D on the left."""

    table: PairTable
    cell: Bin
    forward: bool
    left: Estimate
    right: Estimate

    def margin(self, claim: Claim) -> float:
        """Log of how far the bounds lie beyond the claim's nearest line; above 0 breaks it."""
        return max(self._beyond(line) for line in claim.lines(claim.level).tolist())

    def nearest_line(self, claim: Claim) -> tuple[float, float]:
        """Slope and offset of the line of the claim that the bounds lie farthest beyond."""
        slope, offset = max(claim.lines(claim.level).tolist(), key=self._beyond)
        return slope, offset

    def _beyond(self, line: Sequence[float]) -> float:
        slope, offset = line
        return _log_quotient(self.left.low - offset, slope * self.right.high)


def sides_of(tables: Iterable[PairTable]) -> Iterator[Side]:
    """Every bin in both directions."""
    for table in tables:
        for cell in table.bins:
            yield Side(table, cell, True, cell.p, cell.q)
            yield Side(table, cell, False, cell.q, cell.p)


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
