"""What is read off several parts of an output at once: sums, their remainders, orders."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from audit.outcomes.column import Column, Floats
from audit.outcomes.features import as_column, numbers
from audit.outcomes.number_features import divided
from audit.outcomes.outcomes import Outcomes
from audit.outcomes.rounding import quietly, unit_for

_FARTHEST = 1e100
"""Squares of numbers beyond would leave the floats."""
_EXACT = 1e-10
"""Variance, of 1 that each part has, that only rounding leaves."""
_FIRST = 4
"""Parts whose order is read."""


@dataclass(frozen=True, slots=True)
class Combination:
    """A weighted sum of a few parts, found because it hardly varies on one side.

    Attributes:
        names: parts.
        weights: of each, the first one 1.
        unit: what the sum is rounded to.
    """

    names: tuple[str, ...]
    weights: tuple[float, ...]
    unit: float
    fitted: ClassVar[bool] = False

    @property
    def words(self) -> str:
        terms = [_term(*term) for term in zip(self.weights, self.names, strict=True)]
        return " + ".join(terms).replace("+ -", "- ")

    @quietly
    def read(self, outcomes: Outcomes) -> Column:
        return as_column(numbers(outcomes, self.names) @ np.array(self.weights), self.unit)


def _term(weight: float, name: str) -> str:
    if abs(weight) == 1.0:
        return name if weight > 0 else f"-{name}"
    return f"{weight:.12g}*{name}"


@dataclass(frozen=True, slots=True)
class SumRemainder:
    """What is left of the sum of all parts divided by a whole number.

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


def _distinct(rows: Floats) -> Floats:
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
    "number of distinct values": _distinct,
    "neighbors of one sign": _agreements,
    "longest run of equal values": _longest_run,
    "number of positive entries": _positive,
    "order of the first few": _order,
}
SHAPES = tuple(_SHAPES)


@dataclass(frozen=True, slots=True)
class ShapeOfParts:
    """How the parts stand to each other; `names` is empty for a whole array.

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


def relations(rows: Floats, names: tuple[str, ...], scale: float) -> list[Combination]:
    """Weighted sums of all parts that are the same for all these outputs.

    They are directions in which the outputs do not vary, made as simple as they can be.

    Args:
        rows: shape (n, d), outputs on one side.
        names: of the d parts.
        scale: how large the parts are.
    """
    rows = rows[(np.abs(rows) < _FARTHEST).all(axis=1)]
    if len(rows) < 2 * len(names) + 2:
        return []
    centred = rows - rows.mean(axis=0)
    spread = np.sqrt((centred**2).mean(axis=0))
    if not (spread > 0).all():
        return []
    values, vectors = np.linalg.eigh((centred / spread).T @ (centred / spread) / len(rows))
    exact = [vectors[:, k] / spread for k in np.flatnonzero(values < _EXACT)]
    return [_plain(v, names, scale) for v in _sparse(exact) if np.isfinite(v).all() and v.any()]


def _sparse(vectors: list[Floats]) -> list[Floats]:
    """The same space spanned by vectors with as many zeros as elimination gives."""
    rows = [vector.copy() for vector in vectors]
    for place, row in enumerate(rows):
        pivot = int(np.argmax(np.abs(row)))
        if row[pivot] == 0.0:
            continue
        for other in range(len(rows)):
            if other != place:
                rows[other] = rows[other] - row * rows[other][pivot] / row[pivot]
    return rows


def _plain(vector: Floats, names: tuple[str, ...], scale: float) -> Combination:
    """Without the parts that do not matter, the first of the others with weight 1."""
    held = np.flatnonzero(np.abs(vector) > 1e-6 * np.abs(vector).max())
    weights = vector[held] / vector[held[0]]
    near = np.round(weights * 12.0) / 12.0
    weights = np.where(np.abs(weights - near) < 1e-4 * np.abs(weights), near, weights)
    size = float(np.abs(weights).sum()) * scale
    return Combination(
        tuple(names[place] for place in held), tuple(map(float, weights)), unit_for(size) * 64.0
    )
