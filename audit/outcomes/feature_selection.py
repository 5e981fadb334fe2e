"""Selection of features, judged from past outputs."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from itertools import combinations, pairwise

import numpy as np

from audit.outcomes.binning import Binning, learned, whole_numbers
from audit.outcomes.column import Column, rounding_for, unit_for
from audit.outcomes.features import (
    SUMMARIES,
    BinnedScore,
    Distance,
    Feature,
    LocationScore,
    LowBits,
    Part,
    Pattern,
    Summary,
    TwoParts,
    numbers,
    readings,
)
from audit.outcomes.fitted_features import classifier_scores, seen_values
from audit.outcomes.label_features import of_labelled, of_labels, of_places
from audit.outcomes.outcomes import KIND, Outcomes, Sides, joined, numbers_in
from audit.outcomes.pair_counts import PairedOutcomes, counts_up, glimpse, never_repeats, promising
from audit.outcomes.rare_features import most_telling, of_numbers, of_parts, of_texts
from audit.outcomes.symbols import MOST_COLUMNS, is_text, shortened

_FEW_PARTS, _MOST_PARTS, _MOST_TELLING = 3, 24, 8
_FEW_TEXTS, _MOST_TEXTS = 12, 4
_FEW_VALUES, _MOST_VALUES, _FEWEST_FOR_VALUES = 32, 512, 512
_MOST_KNOWN, _MOST_OFFERED = 32, 6
"""Features read anyway that others must promise more than, and how many others are read."""
_MOST_LEVELS = 8
_MOST_SEEN = 4
_GLIMPSE = 64
_PAIRWISE = 4
_CLIP = 4.0


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
        self.chooser = PairedOutcomes(left, right).chooser
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
    varying = [name for name in varies if not never_repeats(pooled.columns[name])]
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
        yield from classifier_scores(*parts.chooser, numeric)
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


def location_score(left: Outcomes, right: Outcomes, parts: tuple[Feature, ...]) -> LocationScore:
    """The score of a shift: medians on both sides and a common spread, part by part."""
    sides = readings(left, parts), readings(right, parts)
    with warnings.catch_warnings():
        # A part may be without a number on one side.
        warnings.simplefilter("ignore", RuntimeWarning)
        centres = [np.nan_to_num(np.nanmedian(side, axis=0)) for side in sides]
        errors = np.concatenate([sides[0] - centres[0], sides[1] - centres[1]])
        spread = np.nan_to_num(np.nanmean(np.abs(errors), axis=0))
    scale = np.where(spread > 0, spread, 1.0)
    largest = float(np.max(np.abs(np.stack(centres)) / scale)) + 1.0
    left_at, right_at, scales = (tuple(map(float, row)) for row in (*centres, scale))
    return LocationScore(parts, left_at, right_at, scales, unit_for(16.0 * largest))


Scored = tuple[Feature, Binning, tuple[float, ...]]


def binned_score(left: Outcomes, right: Outcomes, features: tuple[Feature, ...]) -> BinnedScore:
    """Sum of clipped log-ratios of each feature's bins: the naive Bayes score."""
    bins = int(np.clip(np.sqrt(left.size) / 2, 2, 32))
    parts = []
    for feature in features:
        columns = feature.read(left), feature.read(right)
        parts.append(_scored(feature, learned(columns, bins), columns))
    return BinnedScore(tuple(parts))


def values_score(left: Outcomes, right: Outcomes, name: str) -> BinnedScore:
    """Single values in the order of their log-ratios, also those too many for bins of their own."""
    columns = left.column(name), right.column(name)
    values = np.unique(np.concatenate([column.numbers for column in columns]))
    symbols = dict.fromkeys(shortened(n) for column in columns for n in column.names[1:])
    binning = Binning.of(np.concatenate([values, values + 1.0]), tuple(symbols), whole=True)
    return BinnedScore((_scored(Part(name), binning, columns),))


def _scored(feature: Feature, binning: Binning, columns: tuple[Column, Column]) -> Scored:
    counts = [np.bincount(binning.code(c), minlength=binning.count) for c in columns]
    scores = np.clip(np.log((counts[0] + 1.0) / (counts[1] + 1.0)), -_CLIP, _CLIP)
    return feature, binning, tuple(scores.tolist())


def has_fractions(outcomes: Outcomes) -> bool:
    """True if a column holds floats that are not whole numbers."""
    return any(_is_fractional(name, column) for name, column in outcomes.columns.items())


def _is_fractional(name: str, column: Column) -> bool:
    return name != KIND and bool(np.any(column.values != np.round(column.values)))


def low_bit_features(left: Outcomes, right: Outcomes) -> list[Feature]:
    """Low bits of the columns that hold floats which are not whole numbers.

    A column that does not vary on one side has no noise there, which rounding would not mend.
    """
    pooled = joined([left, right])
    names = [
        name
        for name, column in pooled.columns.items()
        if _is_fractional(name, column)
        and all(np.ptp(side.column(name).values) > 0.0 for side in (left, right) if side.size)
    ]
    return [LowBits(name) for name in names[:_PAIRWISE]]
