"""Features fitted to past outputs: scores of all kinds, and values seen before.

Gaussian scores: where noise is correlated, or the data moves nothing but a correlation, no part by
itself and no sum of independent terms tells the sides apart. The log-likelihood ratio of two
Gaussian vectors does: linear in the output where both have one covariance (Fisher's discriminant),
and a sum of squares and products where each has its own (arXiv 2011.06427 bets on sets of any such
score).

Values seen before: a mechanism whose noise follows from one of 65,536 seeds gives one of as many
numbers on D, each too rare to be an event of its own, and nearly all of them impossible on D'. What
was seen before on one side alone is an event that grows with the number of runs.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from audit.outcomes.binning import Binning, learned
from audit.outcomes.column import (
    Column,
    Floats,
    quietly,
    rounding_for,
    unit_for,
)
from audit.outcomes.features import (
    BinnedScore,
    Feature,
    LocationScore,
    Part,
    as_column,
    numbers,
    readings,
)
from audit.outcomes.outcomes import Outcomes
from audit.outcomes.symbols import shortened

_MOST_PARTS = 24
_ROWS_A_PART = 3
"""Past outputs of a side that a covariance takes, for each part."""
_FARTHEST = 16.0
"""Times the usual distance from the centre: farther numbers count as that far."""
_LEAST, _TO_DIAGONAL = 1e-9, 0.1
"""What is added to variances, so that no score is made of last bits; and how much of the covariance
of one side alone is its diagonal."""


@dataclass(frozen=True, slots=True)
class WeightedScore(Feature):
    """A weighted sum of parts and, where there are weights for them, of their products.

    Attributes:
        kind: of the score, in words.
        names: d parts; entries that are no numbers count as the centre.
        centre: subtracted from each.
        scale: what each is divided by.
        linear: weight of each.
        unit: what the score is rounded to.
        square: weights of their products, d rows of d; empty where there are none.
        farthest: numbers farther from the centre count as that far, in units of the scale.
    """

    kind: str
    names: tuple[str, ...]
    centre: tuple[float, ...]
    scale: tuple[float, ...]
    linear: tuple[float, ...]
    unit: float
    square: tuple[tuple[float, ...], ...] = ()
    farthest: float = math.inf
    fitted: ClassVar[bool] = True

    @property
    def words(self) -> str:
        return f"{self.kind} of {len(self.names)} parts of the output"

    @quietly
    def read(self, outcomes: Outcomes) -> Column:
        place = np.array(self.centre), np.array(self.scale)
        held = _standardized(numbers(outcomes, self.names), *place, self.farthest)
        score = held @ np.array(self.linear)
        if self.square:
            score += np.einsum("ni,ij,nj->n", held, np.array(self.square), held)
        return as_column(score, self.unit)


def gaussian_scores(
    left: Outcomes, right: Outcomes, names: tuple[str, ...]
) -> Iterator[WeightedScore]:
    """Log-likelihood ratios of two Gaussian vectors, up to constants, fitted to both sides.

    There are none where draws are few for so many parts. No side has fewer outputs than the left.
    """
    if not 2 <= len(names) <= _MOST_PARTS or left.size < _ROWS_A_PART * len(names):
        return
    sides = [numbers(side, names) for side in (left, right)]
    centre, scale = _place(np.concatenate(sides))
    held = [_standardized(side, centre, scale, _FARTHEST) for side in sides]
    means = [side.mean(axis=0) for side in held]
    own = [np.cov(side.T) for side in held]

    def scored(kind: str, linear: Floats, square: Floats) -> WeightedScore:
        unit = unit_for(_FARTHEST * float(np.abs(linear).sum() + np.abs(square).sum()))
        place, rows = (names, _told(centre), _told(scale)), tuple(map(_told, square))
        return WeightedScore(kind, *place, _told(linear), unit, rows, _FARTHEST)

    within = (own[0] + own[1]) / 2.0 + _LEAST * np.eye(len(names))
    linear = np.linalg.solve(within, means[0] - means[1])
    yield scored("Gaussian score: a weighted sum", linear, np.empty((0, 0)))
    inverse = [np.linalg.inv(_nearer_diagonal(one)) for one in own]
    square = (inverse[1] - inverse[0]) / 2.0
    linear = inverse[0] @ means[0] - inverse[1] @ means[1]
    yield scored("Gaussian score: sums and products", linear, square)


def _place(rows: Floats) -> tuple[Floats, Floats]:
    """The middle of each part, and how far from it numbers are; 1 where they do not vary."""
    rows = np.where(np.isfinite(rows), rows, np.nan)
    with warnings.catch_warnings(), np.errstate(invalid="ignore", over="ignore"):
        # A part may be without a number in all of these.
        warnings.simplefilter("ignore", RuntimeWarning)
        centre = np.nan_to_num(np.nanmedian(rows, axis=0))
        spread = np.nan_to_num(np.nanmean(np.abs(rows - centre), axis=0))
    return centre, np.where((spread > 0) & np.isfinite(spread), spread, 1.0)


def _standardized(values: Floats, centre: Floats, scale: Floats, farthest: float) -> Floats:
    with np.errstate(invalid="ignore", over="ignore"):
        held = np.nan_to_num((values - centre) / scale, posinf=0.0, neginf=0.0)
    return np.clip(held, -farthest, farthest)


def _nearer_diagonal(covariance: Floats) -> Floats:
    """Far enough from singular to be inverted, and less sure of what few draws show."""
    diagonal = np.diag(np.diag(covariance) + _LEAST)
    return (1.0 - _TO_DIAGONAL) * covariance + _TO_DIAGONAL * diagonal


def _told(numbers: Floats) -> tuple[float, ...]:
    return tuple(map(float, numbers))


_FEWEST_AGAIN, _SHARE_AGAIN = 8, 0.01
"""Numbers that came again, on both sides together, and their share: none of continuous noise does,
and of single precision one in a thousand, whose gaps are those of its floats."""
_MOST = 1 << 14
"""Numbers of a side that are kept."""
_NAMES = ("", "on D alone", "on its neighbor alone", "on both or neither")


@dataclass(frozen=True, slots=True)
class SeenBefore(Feature):
    """On which side alone a number was seen in earlier runs.

    Attributes:
        name: of the part.
        unit: what numbers are rounded to; those kept are in such units.
        left: numbers seen on D and not on its neighbor, ascending.
        right: the other way round.
    """

    name: str
    unit: float
    left: tuple[float, ...]
    right: tuple[float, ...]
    fitted: ClassVar[bool] = True
    form: ClassVar[str] = "earlier occurrence of {0.name}"

    def read(self, outcomes: Outcomes) -> Column:
        column = outcomes.column(self.name)
        keys = _in_units(column.values, self.unit)
        code = np.full(len(keys), 3)
        for place, seen in ((1, self.left), (2, self.right)):
            code[np.isin(keys, np.array(seen))] = place
        code[column.codes > 0] = 3
        return Column(np.zeros(len(keys)), code, _NAMES)


def seen_values(left: Outcomes, right: Outcomes, name: str) -> Iterator[SeenBefore]:
    """That reading of a part, where some of its numbers came again and are no whole ones."""
    sides = [outcomes.column(name).numbers for outcomes in (left, right)]
    unit = rounding_for(np.concatenate(sides)) if all(map(len, sides)) else 0.0
    if not unit:
        return
    keys = [_in_units(values, unit) for values in sides]
    seen = [np.unique(side) for side in keys]
    drawn, different = sum(map(len, keys)), sum(map(len, seen))
    if drawn - different < max(_FEWEST_AGAIN, _SHARE_AGAIN * drawn):
        return
    alone = (np.setdiff1d(seen[0], seen[1]), np.setdiff1d(seen[1], seen[0]))
    here, there = (tuple(map(float, side[:_MOST])) for side in alone)
    yield SeenBefore(name, unit, here, there)


def _in_units(values: Floats, unit: float) -> Floats:
    with np.errstate(over="ignore", invalid="ignore"):
        return np.asarray(np.round(values / unit))


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
    left_at, right_at, scales = map(_told, (*centres, scale))
    return LocationScore(parts, left_at, right_at, scales, unit_for(16.0 * largest))


_CLIP = 4.0
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
