"""Features of several parts of an output: sums, their remainders, orders."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from audit.outcomes.column import Column, Floats
from audit.outcomes.features import as_column, numbers
from audit.outcomes.number_features import divided
from audit.outcomes.outcomes import Outcomes
from audit.outcomes.rounding import quietly

_FIRST = 4
"""Parts whose order is read."""


@dataclass(frozen=True, slots=True)
class SumRemainder:
    """Remainder of the sum of all parts divided by a whole number.

    Attributes:
        names: whole-numbered parts; empty for a whole array.
        step: a whole number.
    """

    names: tuple[str, ...]
    step: float
    fitted: ClassVar[bool] = False

    @property
    def words(self) -> str:
        return f"sum of the output modulo {self.step:g}"

    @quietly
    def read(self, outcomes: Outcomes) -> Column:
        matrix = rows_of(outcomes, self.names)
        return divided(as_column(np.nansum(matrix, axis=1), 1.0), self.step, True)


def rows_of(outcomes: Outcomes, names: tuple[str, ...]) -> Floats:
    """All entries of an array, or the parts of these names; no column where there is none."""
    if names:
        return numbers(outcomes, names)
    return np.empty((outcomes.size, 0)) if outcomes.matrix is None else outcomes.matrix


def _spread(rows: Floats) -> Floats:
    return np.asarray(rows.max(axis=1) - rows.min(axis=1))


def distinct(rows: Floats) -> Floats:
    """Number of different values in each row."""
    steps = np.diff(np.sort(rows, axis=1), axis=1) > 0
    return np.asarray(steps.sum(axis=1) + 1.0)


def _agreements(rows: Floats) -> Floats:
    signs = np.sign(rows)
    return np.asarray((signs[:, 1:] == signs[:, :-1]).sum(axis=1), np.float64)


def _longest_run(rows: Floats) -> Floats:
    longest, current = np.ones(len(rows)), np.ones(len(rows))
    for before, after in zip(rows.T[:-1], rows.T[1:], strict=True):
        current = np.where(before == after, current + 1.0, 1.0)
        longest = np.maximum(longest, current)
    return longest


def _positive(rows: Floats) -> Floats:
    return np.asarray((rows > 0).sum(axis=1), np.float64)


def _order(rows: Floats) -> Floats:
    """The places of the first few from the smallest to the largest, as digits of one number."""
    ranks = np.argsort(rows[:, :_FIRST], axis=1, kind="stable") + 1
    return np.asarray(ranks @ 10.0 ** np.arange(ranks.shape[1])[::-1])


_SHAPES: dict[str, Callable[[Floats], Floats]] = {
    "spread": _spread,
    "number of distinct values": distinct,
    "neighbors of one sign": _agreements,
    "longest run of equal values": _longest_run,
    "number of positive entries": _positive,
    "order of the first few": _order,
}
SHAPES = tuple(_SHAPES)


@dataclass(frozen=True, slots=True)
class ShapeOfParts:
    """Equality pattern of the parts; `names` is empty for a whole array.

    Parts are rounded before they are compared: those that are equal but for their last
    bits are equal. Outputs with a part that is no number have no such reading.
    """

    kind: str
    names: tuple[str, ...]
    unit: float
    fitted: ClassVar[bool] = False

    @property
    def words(self) -> str:
        return f"{self.kind} of the output"

    @quietly
    def read(self, outcomes: Outcomes) -> Column:
        rows = np.round(rows_of(outcomes, self.names) / self.unit)
        if rows.shape[1] < 2:
            return as_column(np.full(outcomes.size, np.nan), 0.0)
        known = np.asarray(np.isfinite(rows).all(axis=1))
        values = _SHAPES[self.kind](np.where(known[:, None], rows, 0.0))
        scale = self.unit if self.kind == "spread" else 1.0
        return as_column(np.where(known, values * scale, np.nan), 0.0)
