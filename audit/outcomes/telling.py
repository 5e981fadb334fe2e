"""Selection among very many numbers of an output: those that differ most between both sides."""

from __future__ import annotations

import numpy as np

from audit.outcomes.column import Floats
from audit.outcomes.features import numbers
from audit.outcomes.outcomes import Outcomes, entry_name
from audit.outcomes.symbols import MOST_COLUMNS

_MOST_NUMBERS = 1 << 19
"""Numbers that are looked at on each side."""
_CLIP = 3.0
"""Spreads from the middle beyond which numbers count no more."""


def every_number(outcomes: Outcomes, names: tuple[str, ...]) -> tuple[Floats, tuple[str, ...]]:
    """All numbers of outputs, shape (n, d), and what the d parts are called.

    Args:
        outcomes: a batch.
        names: the parts with a name of their own that are numbers.
    """
    matrix = outcomes.matrix
    if matrix is None or matrix.shape[1] <= MOST_COLUMNS:
        return numbers(outcomes, names), names
    others = matrix[:, MOST_COLUMNS:]
    entries = (entry_name(place) for place in range(MOST_COLUMNS, matrix.shape[1]))
    return np.concatenate([numbers(outcomes, names), others], axis=1), (*names, *entries)


def most_telling(left: Outcomes, right: Outcomes, names: tuple[str, ...], most: int) -> list[str]:
    """The numbers that differ most in place or in spread, the most telling first.

    Args:
        left: past outputs on D.
        right: the same on D', row for row drawn together with `left`.
        names: the parts with a name of their own that are numbers.
        most: how many to choose.
    """
    rows = slice(-max(8, _MOST_NUMBERS // max(1, left.width)), None)
    sides, known = [], names
    for side in (left, right):
        values, known = every_number(side.take(rows), names)
        sides.append(values)
    pooled = np.concatenate(sides)
    with np.errstate(invalid="ignore", over="ignore"):
        middle = np.nan_to_num(np.median(pooled, axis=0))
        spread = np.median(np.abs(pooled - middle), axis=0)
        spread = np.where((spread > 0.0) & np.isfinite(spread), spread, 1.0)
        sides = [np.clip((side - middle) / spread, -_CLIP, _CLIP) for side in sides]
        sides = [np.where(np.isnan(side), 2.0 * _CLIP, side) for side in sides]
    scores = np.maximum(_score(sides[0] - sides[1]), _score(abs(sides[0]) - abs(sides[1])))
    order = np.argsort(-scores, kind="stable")
    return [known[place] for place in order[:most].tolist() if scores[place] > 0.0]


def _score(differences: Floats) -> Floats:
    """Distance of each column's mean to 0 in standard errors; a constant one the largest.

    One more difference of each sign keeps columns that hardly differ behind.
    """
    total = np.abs(differences.sum(axis=0))
    return np.asarray(total / np.sqrt((differences**2).sum(axis=0) + 1.0))
