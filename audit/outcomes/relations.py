"""Exact relations between parts of an output: what they are, and where all parts are in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from audit.outcomes.column import Column, Floats
from audit.outcomes.features import as_column, numbers
from audit.outcomes.outcomes import Outcomes
from audit.outcomes.rounding import quietly, unit_for

Names = tuple[str, ...]
Term = Names
"""Parts that are multiplied with each other."""

FARTHEST = 1e100
"""Squares of numbers beyond would leave the floats."""
_EXACT = 1e-10
"""Variance, of 1 that each part has, that only rounding leaves."""
_MULTIPLES = 12
"""Weights are whole numbers where that many times the first one suffice."""
_ROOM = 64.0
"""Times the usual errors of rounding that sums are rounded to."""


@dataclass(frozen=True, slots=True)
class Combination:
    """A weighted sum of a few parts or products, found because it repeats on one side.

    Attributes:
        terms: parts, or products of parts.
        weights: of each.
        unit: what the sum is rounded to.
    """

    terms: tuple[Term, ...]
    weights: tuple[float, ...]
    unit: float
    fitted: ClassVar[bool] = False

    @classmethod
    def of(cls, terms: tuple[Term, ...], weights: Floats, scale: float) -> Combination:
        """With the unit that sums of terms of this size are rounded to."""
        unit = unit_for(float(np.abs(weights).sum()) * scale) * _ROOM
        return cls(terms, tuple(map(float, weights)), unit)

    @property
    def words(self) -> str:
        return in_sum(list(map(weighted, self.weights, self.terms)))

    @quietly
    def read(self, outcomes: Outcomes) -> Column:
        rows = [numbers(outcomes, term).prod(axis=1) for term in self.terms]
        return as_column(np.stack(rows, axis=1) @ np.array(self.weights), self.unit)


def weighted(weight: float, names: Names) -> str:
    """A product of parts with its weight, as a term of a sum."""
    product = "*".join(names)
    if abs(weight) == 1.0:
        return product if weight > 0 else f"-{product}"
    return f"{weight:.12g}*{product}"


def in_sum(terms: Sequence[str]) -> str:
    """Terms in a row, with a minus where one begins with it."""
    return " + ".join(terms).replace("+ -", "- ")


@dataclass(frozen=True, slots=True)
class Quotient:
    """A product of powers of a few parts, found because it repeats on one side.

    It is read through its logarithm, so that its rounding is relative.

    Attributes:
        names: parts.
        powers: of each, whole numbers.
    """

    names: Names
    powers: tuple[int, ...]
    fitted: ClassVar[bool] = False

    @property
    def words(self) -> str:
        held = list(zip(self.powers, self.names, strict=True))
        above = [_power(power, name) for power, name in held if power > 0]
        below = [_power(-power, name) for power, name in held if power < 0]
        return "/".join(["*".join(above) or "1", *below])

    @quietly
    def read(self, outcomes: Outcomes) -> Column:
        with np.errstate(divide="ignore"):
            values = (numbers(outcomes, self.names) ** np.array(self.powers, float)).prod(axis=1)
            digits = 9 - np.floor(np.log10(np.abs(values)))
        near = np.where(np.abs(digits) < 300, digits, 0.0)
        return as_column(np.round(values * 10.0**near) / 10.0**near, 0.0)


def _power(power: int, name: str) -> str:
    return name if power == 1 else f"{name}^{power}"


RELATIONS = (Combination, Quotient)
"""Readings that say what is exactly so."""


def common_relations(rows: Floats, names: Names, scale: float) -> list[Combination]:
    """Weighted sums of all parts that are the same for all these outputs.

    They are directions in which the outputs do not vary, made as simple as they can be.

    Args:
        rows: shape (n, d), outputs on one side.
        names: of the d parts.
        scale: how large the parts are.
    """
    rows = rows[(np.abs(rows) < FARTHEST).all(axis=1)]
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


def _plain(vector: Floats, names: Names, scale: float) -> Combination:
    """Without the parts that do not matter, the weights of the others whole where they can be."""
    held = np.flatnonzero(np.abs(vector) > 1e-6 * np.abs(vector).max())
    weights = vector[held] / vector[held[0]]
    for multiple in range(1, _MULTIPLES + 1):
        whole = np.round(weights * multiple)
        if (np.abs(weights * multiple - whole) < 1e-4 * np.abs(weights * multiple)).all():
            weights = whole
            break
    return Combination.of(tuple((names[place],) for place in held), weights, scale)
