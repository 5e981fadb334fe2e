"""Scores of how several parts of an output go together: likelihood ratios of two Gaussians.

Where noise is correlated, or the data moves nothing but a correlation, no part by itself and no
sum of independent terms tells the sides apart. The log-likelihood ratio of two Gaussian vectors
does: linear in the output where both have one covariance (Fisher's discriminant), and a sum of
squares and products where each has its own (arXiv 2011.06427 bets on sets of any such score).
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from audit.outcomes.column import Column, Floats
from audit.outcomes.features import as_column, numbers
from audit.outcomes.outcomes import Outcomes
from audit.outcomes.rounding import quietly, unit_for

_MOST_PARTS = 24
_ROWS_A_PART = 3
"""Past outputs of a side that a covariance takes, for each part."""
_FARTHEST = 16.0
"""Times the usual distance from the centre: farther numbers count as that far."""
_LEAST, _TO_DIAGONAL = 1e-9, 0.1
"""What is added to variances, so that no score is made of last bits; and how much of the covariance
of one side alone is its diagonal."""


@dataclass(frozen=True, slots=True)
class GaussianScore:
    """The log-likelihood ratio of two Gaussian vectors, up to a constant.

    Attributes:
        names: d parts; entries that are no numbers count as the centre.
        centre: subtracted from each.
        scale: what each is divided by.
        linear: weight of each.
        unit: what the score is rounded to.
        square: weights of their products, d rows of d; empty where both covariances are one.
    """

    names: tuple[str, ...]
    centre: tuple[float, ...]
    scale: tuple[float, ...]
    linear: tuple[float, ...]
    unit: float
    square: tuple[tuple[float, ...], ...] = ()
    fitted: ClassVar[bool] = True

    @property
    def words(self) -> str:
        kind = "sums and products" if self.square else "a weighted sum"
        return f"Gaussian score: {kind} of {len(self.names)} parts of the output"

    @quietly
    def read(self, outcomes: Outcomes) -> Column:
        held = _standardized(
            numbers(outcomes, self.names), np.array(self.centre), np.array(self.scale)
        )
        score = held @ np.array(self.linear)
        if self.square:
            score += np.einsum("ni,ij,nj->n", held, np.array(self.square), held)
        return as_column(score, self.unit)


def gaussian_scores(
    left: Outcomes, right: Outcomes, names: tuple[str, ...]
) -> Iterator[GaussianScore]:
    """Scores fitted to draws of both sides; none where draws are few for so many parts.

    Args:
        left: outputs on D that may be learned from.
        right: outputs on D', not less than so many.
        names: of parts that are numbers.
    """
    if not 2 <= len(names) <= _MOST_PARTS or left.size < _ROWS_A_PART * len(names):
        return
    sides = [numbers(side, names) for side in (left, right)]
    centre, scale = _place(np.concatenate(sides))
    held = [_standardized(side, centre, scale) for side in sides]
    means = [side.mean(axis=0) for side in held]
    own = [np.cov(side.T) for side in held]

    def scored(linear: Floats, square: Floats) -> GaussianScore:
        size = float(np.abs(linear).sum() + np.abs(square).sum())
        place, rows = (names, _told(centre), _told(scale)), tuple(map(_told, square))
        return GaussianScore(*place, _told(linear), unit_for(_FARTHEST * size), rows)

    within = (own[0] + own[1]) / 2.0 + _LEAST * np.eye(len(names))
    yield scored(np.linalg.solve(within, means[0] - means[1]), np.empty((0, 0)))
    inverse = [np.linalg.inv(_nearer_diagonal(one)) for one in own]
    square = (inverse[1] - inverse[0]) / 2.0
    linear = inverse[0] @ means[0] - inverse[1] @ means[1]
    yield scored(linear, square)


def _place(rows: Floats) -> tuple[Floats, Floats]:
    """The middle of each part, and how far from it numbers are; 1 where they do not vary."""
    rows = np.where(np.isfinite(rows), rows, np.nan)
    with warnings.catch_warnings(), np.errstate(invalid="ignore", over="ignore"):
        # A part may be without a number in all of these.
        warnings.simplefilter("ignore", RuntimeWarning)
        centre = np.nan_to_num(np.nanmedian(rows, axis=0))
        spread = np.nan_to_num(np.nanmean(np.abs(rows - centre), axis=0))
    return centre, np.where((spread > 0) & np.isfinite(spread), spread, 1.0)


def _standardized(values: Floats, centre: Floats, scale: Floats) -> Floats:
    with np.errstate(invalid="ignore", over="ignore"):
        held = np.nan_to_num((values - centre) / scale, posinf=0.0, neginf=0.0)
    return np.clip(held, -_FARTHEST, _FARTHEST)


def _nearer_diagonal(covariance: Floats) -> Floats:
    """Far enough from singular to be inverted, and less sure of what few draws show."""
    diagonal = np.diag(np.diag(covariance) + _LEAST)
    return (1.0 - _TO_DIAGONAL) * covariance + _TO_DIAGONAL * diagonal


def _told(numbers: Floats) -> tuple[float, ...]:
    return tuple(map(float, numbers))
