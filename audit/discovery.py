"""Which features are worth reading, judged from the outputs seen so far."""

from __future__ import annotations

import numpy as np

from audit.binning import learned
from audit.features import (
    SUMMARIES,
    BinnedScore,
    Difference,
    Distance,
    Feature,
    LocationScore,
    LowBits,
    Part,
    Pattern,
    Summary,
    numbers,
    unit_for,
)
from audit.outcomes import KIND, Column, Outcomes, joined

_MOST_PARTS = 24
_MOST_LEVELS = 8
_PAIRWISE = 4
_CLIP = 4.0


def features_for(left: Outcomes, right: Outcomes, chooser: tuple[Outcomes, Outcomes]) -> list[Feature]:
    """Features that vary over the past outputs of a pair, simplest first.

    At least one is always returned, so that a constant output can be bet on too.

    Args:
        left: past outputs on D.
        right: past outputs on D'.
        chooser: the part of them that scores may be fitted to.
    """
    pooled = joined([left, right])
    varying = [name for name, column in pooled.columns.items() if _varies(column)]
    names = [name for name in varying if name != KIND]
    numeric = tuple(name for name in names if _mostly_numbers(pooled.columns[name]))
    found: list[Feature] = [Part(name) for name in varying[:_MOST_PARTS]]
    found += [Distance(n, _centre(pooled.columns[n])) for n in numeric[:_MOST_PARTS]]
    if len(names) > 1:
        found += _of_several(pooled, chooser, tuple(names), numeric)
    return found or [Part(KIND)]


def _varies(column: Column) -> bool:
    if column.symbols is not None and len(np.unique(column.symbols)) > 1:
        return True
    return bool(np.ptp(column.values) > 0) if len(column.values) else False


def _mostly_numbers(column: Column) -> bool:
    held = 1.0 if column.symbols is None else float(np.mean(column.symbols == 0))
    return held > 0.5


def _centre(column: Column) -> float:
    values = column.values if column.symbols is None else column.values[column.symbols == 0]
    return float(np.median(values))


def _of_several(
    pooled: Outcomes, chooser: tuple[Outcomes, Outcomes], names: tuple[str, ...], numeric: tuple[str, ...]
) -> list[Feature]:
    found: list[Feature] = []
    if len(numeric) > 1:
        whole = () if pooled.matrix is not None else numeric
        unit = unit_for(_magnitude(pooled, numeric))
        found += [Summary(kind, whole, unit) for kind in SUMMARIES]
        found += _differences(numeric, unit)
        found.append(_location_score(*chooser, numeric))
    discrete = tuple(n for n in names if _few_levels(pooled.columns[n]))[:_MOST_PARTS]
    if len(discrete) > 1:
        found.append(Pattern(discrete))
    parts: tuple[Feature, ...] = tuple(Part(n) for n in names)
    found.append(binned_score(*chooser, parts))
    if len(numeric) > 2:
        unit = unit_for(_magnitude(pooled, numeric))
        steps = tuple(Difference(b, a, unit) for a, b in zip(numeric, numeric[1:], strict=False))
        found.append(binned_score(*chooser, steps))
    return found


def _magnitude(pooled: Outcomes, names: tuple[str, ...]) -> float:
    """A size that most of these numbers stay below."""
    held = np.abs(numbers(pooled, names))
    return float(np.nanquantile(held, 0.99)) if np.isfinite(held).any() else 1.0


def _differences(numeric: tuple[str, ...], unit: float) -> list[Feature]:
    if len(numeric) <= _PAIRWISE:
        return [Difference(a, b, unit) for i, a in enumerate(numeric) for b in numeric[i + 1 :]]
    return [Difference(b, a, unit) for a, b in zip(numeric, numeric[1:_MOST_PARTS], strict=False)]


def _few_levels(column: Column) -> bool:
    symbols = 0 if column.symbols is None else column.symbols
    keys = column.values + 1j * symbols
    return len(np.unique(keys)) <= _MOST_LEVELS


def _location_score(left: Outcomes, right: Outcomes, names: tuple[str, ...]) -> LocationScore:
    on_left, on_right = numbers(left, names), numbers(right, names)
    centres = [np.nan_to_num(np.nanmedian(side, axis=0)) for side in (on_left, on_right)]
    spread = np.nanmean(np.abs(np.concatenate([on_left - centres[0], on_right - centres[1]])), axis=0)
    scale = np.where(np.nan_to_num(spread) > 0, spread, 1.0)
    magnitude = float(np.nanmax(np.abs(np.concatenate(centres)) / np.tile(scale, 2) + 1.0))
    left_at, right_at, scales = (tuple(map(float, row)) for row in (*centres, scale))
    return LocationScore(names, left_at, right_at, scales, unit_for(16.0 * magnitude))


def binned_score(left: Outcomes, right: Outcomes, features: tuple[Feature, ...]) -> BinnedScore:
    """Sum of clipped log-ratios of each feature's bins: the naive Bayes score."""
    parts = []
    for feature in features:
        columns = feature.read(left), feature.read(right)
        bins = int(np.clip(np.sqrt(left.size) / 2, 2, 32))
        binning = learned(columns, bins)
        counts = [np.bincount(binning.code(c), minlength=binning.count) for c in columns]
        scores = np.clip(np.log((counts[0] + 1.0) / (counts[1] + 1.0)), -_CLIP, _CLIP)
        parts.append((feature, binning, tuple(map(float, scores))))
    return BinnedScore(tuple(parts))


def low_bit_features(left: Outcomes, right: Outcomes) -> list[Feature]:
    """Low bits of the columns that hold floats which are not whole numbers."""
    pooled = joined([left, right])
    names = [
        name
        for name, column in pooled.columns.items()
        if name != KIND and np.any(column.values != np.round(column.values))
    ]
    return [LowBits(name) for name in names[:_PAIRWISE]]
