"""Exact relations between parts of an output, and the search for them in past outputs.

a*y1 + b*y2 = c holds for two outputs if a times what y1 differs by is -b times what y2
differs by. All multiples of all differences of two outputs are sorted at once, and equal
ones stand side by side: as cheap as sorting the parts, however many they are. Numbers
with many digits are hardly ever equal by chance, so that a relation that holds for some
of the outputs only shows as well. Products are further parts, and quotients are
differences of logarithms.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from audit.outcomes.column import Column, Floats, quietly, unit_for
from audit.outcomes.features import Feature, as_column, numbers
from audit.outcomes.outcomes import Outcomes

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
class Combination(Feature):
    """A weighted sum of a few parts or products, found because it repeats on one side.

    Attributes:
        terms: parts, or products of parts.
        weights: of each.
        unit: what the sum is rounded to.
    """

    terms: tuple[Term, ...]
    weights: tuple[float, ...]
    unit: float

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
class Quotient(Feature):
    """A product of powers of a few parts, found because it repeats on one side.

    It is read through its logarithm, so that its rounding is relative.
    """

    names: Names
    powers: tuple[int, ...]

    @property
    def words(self) -> str:
        held = zip(self.powers, self.names, strict=True)
        powers = [(by, name if abs(by) == 1 else f"{name}^{abs(by)}") for by, name in held]
        above, below = ([text for by, text in powers if by * sign > 0] for sign in (1, -1))
        return "/".join(["*".join(above) or "1", *below])

    @quietly
    def read(self, outcomes: Outcomes) -> Column:
        with np.errstate(divide="ignore"):
            values = (numbers(outcomes, self.names) ** np.array(self.powers, float)).prod(axis=1)
            digits = 9 - np.floor(np.log10(np.abs(values)))
        near = np.where(np.abs(digits) < 300, digits, 0.0)
        return as_column(np.round(values * 10.0**near) / 10.0**near, 0.0)


RELATIONS = (Combination, Quotient)
"""Readings that say what is exactly so."""


def common_relations(rows: Floats, names: Names, scale: float) -> list[Combination]:
    """Weighted sums of all parts that are the same for all these outputs.

    They are directions in which the outputs do not vary, made as simple as they can be. Rows are
    outputs on one side, shape (n, d); the scale is how large the d parts are.
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


_ROWS, _COMPARED, _MOST_NUMBERS = 32, 96, 1 << 15
"""Outputs, pairs of them that are compared, and numbers that are made of these."""
_WEIGHTS = (1, 2, 3)
_WIDEST_FOR_PRODUCTS, _WIDEST_FOR_THREE = 12, 32
_EQUAL = 1e-10
"""Part of a difference that rounding changes."""
_ROUNDED = 1e-13
"""Part of a number that rounding changes."""
_FEWEST_VOTES, _MOST = 2, 3

Places = NDArray[np.intp]
Votes = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Columns and their weights, a row for every pair of outputs and what it has in common."""
Weighted = tuple[tuple[int, int], ...]
"""Places of terms, ascending, with their weights."""


def _with_products(
    values: Floats, names: Names, terms: list[Term], scale: float
) -> Iterator[Combination]:
    places = list(combinations_with_replacement(range(len(names)), 2))
    products = np.stack([values[:, a] * values[:, b] for a, b in places], axis=1)
    more = [*terms, *((names[a], names[b]) for a, b in places)]
    for found in _repeating(np.concatenate([values, products], axis=1), (1,)):
        if any(len(more[place]) > 1 for place, _ in found):
            yield _combination(found, more, scale * scale)


def few_part_relations(
    rows: Floats, names: Names, scale: float
) -> Iterator[Combination | Quotient]:
    """Relations of two or three parts that repeat on one side, the commonest first.

    Args:
        rows: shape (n, d), outputs on one side.
        names: of the d parts.
        scale: how large the parts are.
    """
    terms: list[Term] = [(name,) for name in names]
    values = np.where(np.abs(rows[-_ROWS:]) < FARTHEST, rows[-_ROWS:], np.nan)
    yield from (_combination(found, terms, scale) for found in _repeating(values, _WEIGHTS))
    if len(names) <= _WIDEST_FOR_PRODUCTS:
        yield from _with_products(values, names, terms, scale)
    with np.errstate(divide="ignore", invalid="ignore"):
        logarithms = np.log(np.abs(values))
    for found in _repeating(logarithms, (1, 2)):
        powers = tuple(power for _, power in found)
        yield Quotient(tuple(names[place] for place, _ in found), powers)


def _combination(found: Weighted, terms: list[Term], scale: float) -> Combination:
    weights = np.array([weight for _, weight in found], np.float64)
    return Combination.of(tuple(terms[place] for place, _ in found), weights, scale)


def _repeating(values: Floats, weights: tuple[int, ...]) -> list[Weighted]:
    """The sums of two or three columns that most pairs of rows have in common."""
    # Columns whose numbers hardly repeat: others are equal by chance.
    with np.errstate(invalid="ignore"):
        steps = np.diff(np.sort(values, axis=0), axis=0)
    places = np.flatnonzero((steps > 0).sum(axis=0) >= len(values) // 2)
    if len(values) < 2 or len(places) < 2:
        return []
    differences = _differences(values[:, places])
    found = _common(_twos(differences, weights))
    if not found and 3 <= len(places) <= _WIDEST_FOR_THREE:
        found = _common(_threes(differences, weights))
    return [tuple((int(places[place]), weight) for place, weight in part) for part in found]


def _differences(values: Floats) -> Floats:
    """By how much each column differs between two rows, shape (pairs, columns); NaN for nothing."""
    first, second = np.triu_indices(len(values), 1)
    most = int(np.clip(_MOST_NUMBERS // (len(_WEIGHTS) * values.shape[1]), 8, _COMPARED))
    chosen = slice(0, None, max(1, len(first) // most))
    above, below = values[first[chosen]], values[second[chosen]]
    with np.errstate(invalid="ignore", over="ignore"):
        found = above - below
        size = np.maximum(np.abs(above), np.abs(below))
        exact = np.isfinite(found) & (np.abs(found) * _EQUAL > size * _ROUNDED)
    return np.where(exact, found, np.nan)


def _twos(differences: Floats, weights: tuple[int, ...]) -> Votes:
    """Pairs of columns that make what two rows have in common, with their weights."""
    width = differences.shape[1]
    factor, column = np.repeat(weights, width), np.tile(np.arange(width), len(weights))
    multiples = np.concatenate([weight * differences for weight in weights], axis=1)
    order = np.argsort(np.abs(multiples), axis=1)
    ordered = np.take_along_axis(multiples, order, axis=1)
    low, high = ordered[:, :-1], ordered[:, 1:]
    with np.errstate(invalid="ignore"):
        rows, at = np.nonzero(np.abs(np.abs(high) - np.abs(low)) <= _EQUAL * np.abs(high))
    ends = order[rows, at], order[rows, at + 1]
    sign = (-np.sign(low[rows, at]) * np.sign(high[rows, at])).astype(np.int64)
    columns = np.stack([column[end] for end in ends], axis=1)
    return columns, np.stack([factor[ends[0]], sign * factor[ends[1]]], axis=1)


def _threes(differences: Floats, weights: tuple[int, ...]) -> Votes:
    """The same of three columns: the sum of two of them is a multiple of the third."""
    width = differences.shape[1]
    pairs = np.array(list(combinations(range(width), 2)))
    signed = np.array([(a, s * b) for a in weights for b in weights for s in (1, -1)])
    single = np.array([(k, w) for k in range(width) for w in weights])
    most = max(4, _MOST_NUMBERS // (len(pairs) * len(signed)))
    found = []
    for row in differences[:: -(-len(differences) // most)]:
        sums = (row[pairs] @ signed.T).ravel()
        multiples = row[single[:, 0]] * single[:, 1]
        order = np.argsort(np.abs(multiples))[: int(np.isfinite(multiples).sum())]
        if len(order):
            place, one = _matches(sums, multiples, order)
            third, weight = single[one].T
            sign = -np.sign(sums[place]) * np.sign(multiples[one])
            weight = weight * sign.astype(np.int64)
            pair, two = pairs[place // len(signed)], signed[place % len(signed)]
            found.append((np.column_stack([pair, third]), np.column_stack([two, weight])))
    columns, factors = zip(*found, strict=True) if found else ([], [])
    none = np.empty((0, 3), np.int64)
    return np.concatenate([none, *columns]), np.concatenate([none, *factors])


def _matches(sums: Floats, multiples: Floats, order: NDArray[np.intp]) -> tuple[Places, Places]:
    sizes = np.abs(multiples)[order]
    place = np.searchsorted(sizes, np.abs(sums) * (1.0 - _EQUAL)).clip(max=len(sizes) - 1)
    at = np.flatnonzero(np.abs(np.abs(sums) - sizes[place]) <= _EQUAL * sizes[place])
    return at, order[place[at]]


def _common(votes: Votes) -> list[Weighted]:
    """Most frequent combinations, in the order of columns and with the first weight positive."""
    columns, factors = votes
    order = np.argsort(columns, axis=1)
    columns = np.take_along_axis(columns, order, axis=1)
    factors = np.take_along_axis(factors, order, axis=1)
    factors = factors * np.sign(factors[:, :1])
    kept = (np.diff(columns, axis=1) > 0).all(axis=1) & (np.gcd.reduce(factors, axis=1) == 1)
    rows, times = np.unique(
        np.concatenate([columns, factors], axis=1)[kept], axis=0, return_counts=True
    )
    best = [k for k in np.argsort(-times, kind="stable")[:_MOST] if times[k] >= _FEWEST_VOTES]
    ends = [np.split(rows[k], 2) for k in best]
    return [tuple(zip(at.tolist(), by.tolist(), strict=True)) for at, by in ends]
