"""Counts of pairs of outputs by bin, and the expected log-growth of bets on a column.

There are many ways to read an output, and few of them tell anything. Each is looked at
on a few past draws, all at once and roughly; those that would have earned more than
what is read anyway are worth a table of their own. Nothing here is evidence.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from audit.outcomes.binning import Binning, Codes
from audit.outcomes.column import Column, Floats, joined_column
from audit.outcomes.features import Feature
from audit.outcomes.outcomes import Outcomes, Sides
from audit.outcomes.relations import RELATIONS

Counts = NDArray[np.int64]
Masks = NDArray[np.bool_]
Reader = tuple[Feature, Binning]
"""What to read off an output and how to bin it: all that counting needs."""


def joint_of(reader: Reader, left: Outcomes, right: Outcomes) -> Counts:
    """Joint counts of a batch of pairs in the bins of one feature."""
    feature, binning = reader
    codes = binning.code(feature.read(left)), binning.code(feature.read(right))
    return joint_counts(*codes, binning.count)


def joint_counts(left: Codes, right: Codes, bins: int) -> Counts:
    """Count the pairs in each pair of bins, shape (bins, bins)."""
    # Counting is a matter of memory: the smaller the numbers, the faster.
    kind = np.int32 if bins * bins < 1 << 31 else np.intp
    cells = np.bincount(np.multiply(left, bins, dtype=kind) + right, minlength=bins * bins)
    return cells.reshape(bins, bins).astype(np.int64)


@dataclass(frozen=True, slots=True)
class PairedOutcomes:
    """Past draws of one pair.

    Attributes:
        left: outputs on D.
        right: outputs on D', paired with `left`.
    """

    left: Outcomes
    right: Outcomes

    @property
    def chooser(self) -> Sides:
        """The half of the pairs on which choices may be made that the other half judges."""
        return self.left.take(slice(0, None, 2)), self.right.take(slice(0, None, 2))


_MOST_ROWS = 256
_MOST_NUMBERS = 1 << 17
"""Rows, and numbers in them, that are looked at."""
_LEVELS = np.arange(1, 16)
_SINGLES = 24
"""Values that come most often, looked at one by one."""
_REPEATED = 0.95
"""Part of the values that differ from each other, from which on none is looked at alone."""
_SLOPES = np.exp([0.0, 0.5, 1.0, 2.0, 3.0, 5.0])
"""Odds that events are bet at, as claims of different strength do."""
_STAKES = np.array([1.0, 0.5, 0.2, 0.05])
_LEAST = 2.0
"""Log-wealth below which a reading promises nothing."""
_ENOUGH = 1.1
"""Times what is read anyway earns."""
_ID = 16
"""Values that all differ, from so many on, are an id of the call."""


def glimpse(left: Outcomes, right: Outcomes) -> Sides:
    """The first rows of both sides, as many as may be looked at in many ways."""
    rows = slice(0, max(8, min(_MOST_ROWS, _MOST_NUMBERS // max(1, left.width))))
    return left.take(rows).trimmed(), right.take(rows).trimmed()


def promising(
    offered: Iterable[Feature], known: Iterable[Feature], sides: Sides, most: int
) -> list[Feature]:
    """The features that promise more than those read anyway, in the order of their promise.

    They are judged by a glimpse of past draws; simpler ones are offered first.
    """
    told = least = np.full(len(_SLOPES), _LEAST)
    for feature in known:
        earned = _ENOUGH * _earned(feature, sides)
        least = np.maximum(least, earned)
        if not feature.fitted:
            told = np.maximum(told, earned)
    found: list[tuple[float, Feature]] = []
    for feature in offered:
        # A relation that people can check is worth having beside a score that is learned.
        most_known = told if isinstance(feature, RELATIONS) else least
        excess = float((_earned(feature, sides) - most_known).max())
        if excess > 0.0:
            found.append((excess, feature))
    found.sort(key=lambda pair: -pair[0])
    return [feature for _, feature in found[:most]]


def _earned(feature: Feature, sides: Sides) -> Floats:
    """Log-wealth of the best bet with hindsight, at each of the odds."""
    if feature.fitted:
        # Half of the draws chose it; the other half counts twice.
        sides = sides[0].take(slice(1, None, 2)), sides[1].take(slice(1, None, 2))
    columns = feature.read(sides[0]), feature.read(sides[1])
    marked = any(column.codes.any() for column in columns)
    pooled = _ranks(columns) if marked else np.concatenate([c.values for c in columns])
    tally = _tallies(pooled, len(columns[0].values))
    if tally is None:
        return _NOTHING
    earned = np.concatenate([tally, tally[:, [0, 2, 1, 3]]]) @ _FACTORS
    best: Floats = earned.max(axis=0).reshape(len(_SLOPES), -1).max(axis=1)
    return best * (1.0 + feature.fitted)


_ROOM = 1e150
"""Larger numbers than that leave the range of floats where something is put beyond them."""
_NOTHING: Floats = np.zeros(len(_SLOPES))


def _ranks(columns: Sequence[Column]) -> Floats:
    """Entries of both sides as numbers, symbols behind all others; all 0 where none repeats.

    Symbols stand in an order that says nothing: in that of their first appearance those of one
    side would come first, and look told apart where each is seen but once.
    """
    joint = joined_column(columns)
    if never_repeats(joint):
        return np.zeros(len(joint.codes))
    # An arbitrary order, the same on every machine.
    mixed = sorted((zlib.crc32(n.encode(errors="surrogatepass")), n) for n in joint.names[1:])
    places = {name: place for place, (_, name) in enumerate(mixed, 1)}
    symbols = np.array([places.get(name, 0) for name in joint.names])[joint.codes]
    # Beyond all numbers, one place for each symbol; only the order counts, so that numbers
    # which leave no room there are made smaller.
    far = np.abs(joint.values).max() > _ROOM
    pooled = joint.values / _ROOM if far else joint.values
    top = float(np.abs(pooled).max()) * 2.0 + 1.0
    return np.where(symbols > 0, top * (1.0 + symbols), pooled)


def _tallies(pooled: Floats, cut: int) -> Floats | None:
    """Pairs by whether each side is in an event: both, left only, right only, none.

    Events are half-lines above quantiles and below them, and the commonest values.

    Args:
        pooled: entries of both sides, one behind the other.
        cut: how many of them are of the left side.

    Returns:
        Shape (events, 4); None where nothing varies.
    """
    ordered = np.sort(pooled)
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    if len(starts) < 2:
        return None
    inside = pooled >= ordered[_LEVELS * len(ordered) // 16][:, None]
    parts = [inside, ~inside]
    if len(starts) < len(ordered) * _REPEATED:
        times = np.diff(np.append(starts, len(ordered)))
        common = ordered[starts[np.argsort(-times, kind="stable")[:_SINGLES]]]
        parts.append(pooled == common[:, None])
    events = np.concatenate(parts)
    left, right = events[:, :cut], events[:, cut:]
    both = (left & right).sum(axis=1)
    one, other = left.sum(axis=1) - both, right.sum(axis=1) - both
    return np.stack([both, one, other, cut - both - one - other], axis=1).astype(np.float64)


_PAYOFFS = np.array([[1.0 - slope, 1.0, -slope, 0.0] for slope in _SLOPES])
_PARTS = 0.9 * _STAKES[None, :] / _SLOPES[:, None]
_FACTORS: Floats = np.log1p(_PAYOFFS.T[:, :, None] * _PARTS[None]).reshape(4, -1)
"""Log-growth for each outcome, shape (4, slopes * stakes)."""


def counts_up(sides: Sequence[Column]) -> bool:
    """True if numbers only ever grow from draw to draw, as those of calls and clocks do."""
    return all(
        not column.codes.any()
        and len(column.values) >= _ID // 2
        and bool((np.diff(column.values) > 0).all())
        for column in sides
    )


def never_repeats(column: Column) -> bool:
    """True if all symbols differ, so that none of them can be bet on."""
    codes = column.codes
    return len(codes) >= _ID and bool(codes.all()) and len(np.unique(codes)) == len(codes)
