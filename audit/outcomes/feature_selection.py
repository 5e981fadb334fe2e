"""Selection of features, judged from past outputs.

There are many ways to read an output, and few of them tell anything. Each is looked at
on a few past draws, all at once and roughly; those that would have earned more than
what is read anyway are worth a table of their own. Nothing here is evidence.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, pairwise

import numpy as np

from audit.outcomes.binning import whole_numbers
from audit.outcomes.column import Column, Floats, joined_column, rounding_for, unit_for
from audit.outcomes.features import (
    SUMMARIES,
    Distance,
    Feature,
    Part,
    Pattern,
    Summary,
    TwoParts,
    numbers,
)
from audit.outcomes.fitted_features import (
    binned_score,
    location_score,
    seen_values,
    values_score,
)
from audit.outcomes.label_features import of_labelled, of_labels, of_places
from audit.outcomes.outcomes import KIND, Outcomes, Sides, joined, numbers_in
from audit.outcomes.rare_features import most_telling, of_numbers, of_parts, of_texts
from audit.outcomes.relations import RELATIONS
from audit.outcomes.symbols import MOST_COLUMNS, is_text

_FEW_PARTS, _MOST_PARTS, _MOST_TELLING = 3, 24, 8
_FEW_TEXTS, _MOST_TEXTS = 12, 4
_FEW_VALUES, _MOST_VALUES, _FEWEST_FOR_VALUES = 32, 512, 512
_MOST_KNOWN, _MOST_OFFERED = 32, 6
"""Features read anyway that others must promise more than, and how many others are read."""
_MOST_LEVELS = 8
_MOST_SEEN = 4
_GLIMPSE = 64
_PAIRWISE = 4
_EVERY_OTHER = slice(0, None, 2)


def features_for(left: Outcomes, right: Outcomes) -> list[Feature]:
    """Features that vary over the past outputs of a pair, simplest first.

    Behind what is always read stand other readings that promise more than it. At least one is
    always returned, so that a constant output can be bet on too. Scores are fitted to the first of
    every two outputs of either side.
    """
    parts = _Parts(left, right)
    found: list[Feature] = [Part(name) for name in parts.shown]
    found += [Distance(n, float(np.median(parts.columns[n].numbers))) for n in parts.measured]
    if len(parts.names) > 1:
        found += _of_several(parts)
    if parts.few:
        found += of_labelled(parts.columns, parts.numeric)
    sides = glimpse(left, right)
    offered = _offered(parts, sides)
    return [*found, *promising(offered, found[:_MOST_KNOWN], sides, _MOST_OFFERED)] or [Part(KIND)]


class _Parts:
    """Parts of the outputs on both sides of a pair that vary.

    Attributes:
        chooser: the outputs that scores may be fitted to.
        pooled: the outputs on both sides.
        texts: columns of many different texts.
        columns: of the parts, by name.
        names: all parts but the kind of the output.
        numeric: those of them that are mostly numbers.
        unit: rounding unit of what is calculated from them.
        few: whether there are so few that each is read with each.
        shown: parts that are read as they are.
        measured: numbers whose distance to the centre is read.
    """

    def __init__(self, left: Outcomes, right: Outcomes) -> None:
        self.chooser = left.take(_EVERY_OTHER), right.take(_EVERY_OTHER)
        self.pooled = joined([left, right])
        varying, self.texts = _varying(self.pooled, left.size)
        self.columns = {name: self.pooled.column(name) for name in varying}
        names = [name for name in varying if name != KIND]
        numeric = [name for name in names if np.mean(self.columns[name].codes == 0) > 0.5]
        telling = _telling(left, right, tuple(numeric))
        self.columns |= {name: self.pooled.column(name) for name in telling}
        later = [name for name in telling if name not in names]
        self.names, self.numeric = (*names, *later), (*numeric, *later)
        self.unit = 0.0
        if len(self.numeric) > 1:
            self.unit = unit_for(_magnitude(self.pooled, self.numeric))
        self.few = len(self.names) <= _FEW_PARTS
        self.shown = dict.fromkeys((*varying[:_MOST_PARTS], *telling))
        self.measured = dict.fromkeys((*self.numeric[:_MOST_PARTS], *telling))


def _varying(pooled: Outcomes, cut: int) -> tuple[list[str], list[str]]:
    """Parts that vary and may repeat, numbers in texts among them; and columns of many texts."""
    varies = [name for name, column in pooled.columns.items() if _varies(column)]
    symbols = {name: pooled.columns[name].names for name in varies if name != KIND}
    # Of so many different texts each says little.
    texts = [name for name, held in symbols.items() if sum(map(is_text, held)) > _FEW_TEXTS]
    varying = [name for name in varies if not pooled.columns[name].never_repeats]
    for text in texts[:_MOST_TEXTS]:
        varying += _in_texts(pooled, cut, text)
    return varying, texts


def _offered(parts: _Parts, sides: Sides) -> Iterator[Feature]:
    """Further features, of which those with the largest growth are read."""
    for name in parts.names:
        if _many_values(parts.columns[name]):
            yield values_score(*parts.chooser, name)
    for name in parts.numeric[:_MOST_SEEN]:
        yield from seen_values(*parts.chooser, name)
    yield from of_numbers(sides, parts.numeric)
    if len(parts.numeric) > 1:
        yield from of_parts(sides, parts.chooser, parts.numeric, parts.unit)
    yield from of_texts(sides, parts.texts)
    yield from of_labels(sides)
    if not parts.few:
        yield from of_labelled(parts.columns, parts.numeric)
    yield from of_places(sides, parts.numeric)


def _telling(left: Outcomes, right: Outcomes, numeric: tuple[str, ...]) -> list[str]:
    """The numbers that tell most, where there are more than are read anyway."""
    wide = max(0 if o.matrix is None else o.matrix.shape[1] for o in (left, right))
    if wide <= MOST_COLUMNS and len(numeric) <= _MOST_PARTS:
        return []
    return most_telling(left, right, numeric, _MOST_TELLING)


def _in_texts(pooled: Outcomes, cut: int, text: str) -> list[str]:
    """Columns of the numbers in texts, but for those that count calls or tell the time."""
    columns = {name: pooled.column(name) for name in numbers_in(pooled.column(text), text)}
    ends = slice(0, cut), slice(cut, None)
    return [
        name
        for name, column in columns.items()
        if _varies(column) and not counts_up([column.take(end) for end in ends])
    ]


def _varies(column: Column) -> bool:
    parts = column.codes, column.values
    return any(len(part) > 0 and bool(part.min() < part.max()) for part in parts)


def _many_values(column: Column) -> bool:
    """True if there are more different values than bins, and each of them comes often."""
    size = len(column.values)
    if size < _FEWEST_FOR_VALUES or _levels(column.take(slice(_GLIMPSE))) <= _GLIMPSE // 4:
        return False
    # Fractions that are equal but for their last bits must not be told apart.
    if not whole_numbers(column.values):
        return False
    return _FEW_VALUES < _levels(column) <= min(_MOST_VALUES, size // 8)


def _few_levels(column: Column) -> bool:
    # Most columns show it at once.
    return all(_levels(part) <= _MOST_LEVELS for part in (column.take(slice(_GLIMPSE)), column))


def _levels(column: Column) -> int:
    return len(np.unique(column.values + 1j * column.codes))


def _of_several(parts: _Parts) -> Iterator[Feature]:
    numeric, each = parts.numeric, tuple(map(Part, parts.numeric))
    if len(numeric) > 1:
        whole = () if parts.pooled.matrix is not None else numeric
        yield from (Summary(kind, whole, parts.unit) for kind in SUMMARIES)
        yield from (TwoParts(a, "-", b, parts.unit) for a, b in _compared(numeric))
        yield location_score(*parts.chooser, each)
    discrete = [n for n in parts.names if _few_levels(parts.columns[n])][:_MOST_PARTS]
    if len(discrete) > 1:
        units = tuple(rounding_for(parts.columns[n].values) for n in discrete)
        yield Pattern(tuple(discrete), units)
    yield binned_score(*parts.chooser, tuple(map(Part, parts.names)))
    if len(numeric) > 2:
        yield from _of_running_totals(parts)


def _of_running_totals(parts: _Parts) -> Iterator[Feature]:
    steps = (TwoParts(b, "-", a, parts.unit) for a, b in pairwise(parts.numeric))
    moves: tuple[Feature, ...] = (Part(parts.numeric[0]), *steps)
    yield location_score(*parts.chooser, moves)
    yield binned_score(*parts.chooser, moves)


def _compared(numeric: tuple[str, ...]) -> Iterable[tuple[str, str]]:
    """Numbers whose difference is read: all pairs of few, of many the steps to the next."""
    if len(numeric) <= _PAIRWISE:
        return combinations(numeric, 2)
    return ((b, a) for a, b in pairwise(numeric[:_MOST_PARTS]))


def _magnitude(pooled: Outcomes, names: tuple[str, ...]) -> float:
    """A size that most of these numbers stay below."""
    held = np.abs(numbers(pooled, names))
    return float(np.nanquantile(held, 0.99)) if np.isfinite(held).any() else 1.0


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
_FEWEST_COUNTS = 8


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
        return np.zeros(len(_SLOPES))
    earned = np.concatenate([tally, tally[:, [0, 2, 1, 3]]]) @ _FACTORS
    best: Floats = earned.max(axis=0).reshape(len(_SLOPES), -1).max(axis=1)
    return best * (1.0 + feature.fitted)


_ROOM = 1e150
"""Larger numbers than that leave the range of floats where something is put beyond them."""


def _ranks(columns: Sequence[Column]) -> Floats:
    """Entries of both sides as numbers, symbols behind all others; all 0 where none repeats.

    Symbols stand in an order that says nothing: in that of their first appearance those of one
    side would come first, and look told apart where each is seen but once.
    """
    joint = joined_column(columns)
    if joint.never_repeats:
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
    values, times = np.unique(pooled, return_counts=True)
    if len(values) < 2:
        return None
    ordered = np.sort(pooled)
    inside = pooled >= ordered[_LEVELS * len(ordered) // 16][:, None]
    parts = [inside, ~inside]
    if len(values) < len(ordered) * _REPEATED:
        common = values[np.argsort(-times, kind="stable")[:_SINGLES]]
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
        and len(column.values) >= _FEWEST_COUNTS
        and bool((np.diff(column.values) > 0).all())
        for column in sides
    )
