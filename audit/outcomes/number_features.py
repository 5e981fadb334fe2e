"""Features of numbers: of a single one besides its size, and of several parts together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np

from audit.outcomes.column import Column, Floats, quietly
from audit.outcomes.features import Feature, OfNumber, as_column, rows_of, with_undefined
from audit.outcomes.outcomes import Outcomes

_FINE = 2.0**-20
"""What remainders are rounded to, in units of what is divided by."""
_FARTHEST = 2.0**28
"""Quotients beyond have no digits left that rounding has not touched."""
_MOST_DECIMALS = 9
_DECADES = 30.0
"""Times the smaller numbers the larger ones are, from where on first digits are read."""
_CLOSE = 1e-13
"""Part of a number by which a decimal fraction may differ from it."""

_FEWEST_MULTIPLES = 8
_FINEST = 1e-6
"""Part of the largest number below which a step that divides it says nothing."""
_ROUNDED = 1e-10
"""Part of the largest number that may be left by rounding."""


@dataclass(frozen=True, slots=True)
class Remainder(OfNumber):
    """Remainder of a number divided by a step, from 0 to the step.

    Attributes:
        step: positive.
        whole: whether the numbers and the step are whole, and so is what is left.
    """

    step: float
    whole: bool
    form: ClassVar[str] = "{0.name} modulo {0.step:g}"

    def of(self, values: Floats) -> Floats:
        if self.whole:
            return np.mod(values, self.step)
        quotient = values / self.step
        part = np.round((quotient - np.round(quotient)) / _FINE) * _FINE
        # What lies just below a multiple of the step is a multiple but for rounding.
        left = np.where(part < 0.0, part + 1.0, part) * self.step
        return np.where(np.abs(quotient) < _FARTHEST, left, np.nan)


@dataclass(frozen=True, slots=True)
class Decimals(OfNumber):
    """Number of decimals it takes to write a number; 10 if it is not a short decimal."""

    form: ClassVar[str] = "decimals of {0.name}"

    def of(self, values: Floats) -> Floats:
        needed = np.full(len(values), _MOST_DECIMALS + 1.0)
        for decimals in range(_MOST_DECIMALS, -1, -1):
            scaled = values * 10.0**decimals
            size: Floats = np.abs(scaled)
            # So large a number is a decimal of as many digits by chance.
            exact = (np.abs(scaled - np.round(scaled)) <= size * _CLOSE) & (size < 1e9)
            needed[exact] = decimals
        return needed


@dataclass(frozen=True, slots=True)
class FirstDigit(OfNumber):
    """The first digit of a number that is not 0."""

    form: ClassVar[str] = "first digit of {0.name}"

    def of(self, values: Floats) -> Floats:
        size: Floats = np.abs(values)
        # Below the smallest normal float the power of ten may be 0.
        known = size >= np.finfo(np.float64).tiny
        size = np.where(known, size, 1.0)
        digit = np.floor(size / 10.0 ** np.floor(np.log10(size)) * (1.0 + _CLOSE))
        # Rounding may leave ten or nothing of a power of ten.
        digit = np.clip(np.where(digit == 10.0, 1.0, digit), 1.0, 9.0)
        return np.where(known, digit, np.nan)


def many_sizes(values: Floats) -> bool:
    """True if numbers spread over many magnitudes, so that first digits do not follow from size."""
    size = np.abs(values[np.isfinite(values) & (values != 0.0)])
    low, high = np.quantile(size, (0.1, 0.9)) if len(size) else (1.0, 1.0)
    return bool(high / _DECADES > low)


def step_between(values: Floats) -> float | None:
    """The step of a grid, anywhere, on which numbers of one side lie; None where there is none.

    Integer noise on a sum of fractions gives such numbers: they differ by whole ones.
    """
    distinct = np.unique(values[np.isfinite(values)])
    if not 3 <= len(distinct) <= 0.8 * len(values):
        return None
    gaps = np.diff(distinct)
    gaps = gaps[gaps > 1e-9 * np.abs(distinct).max(initial=1.0)]
    if len(gaps) < 2:
        return None
    step = float(gaps.min())
    multiples = gaps / step
    fits = np.abs(multiples - np.round(multiples)) < 1e-6 * multiples
    return step if fits.mean() > 0.9 and not step.is_integer() else None


def common_step(values: Floats) -> float | None:
    """The largest step of which numbers of one side are multiples, up to rounding.

    None where there is none that is far above the rounding of the largest of them.
    """
    sizes = np.unique(np.abs(values[np.isfinite(values)]))
    sizes = sizes[sizes > 0.0]
    if len(sizes) < _FEWEST_MULTIPLES:
        return None
    largest = float(sizes[-1])
    step = 0.0
    for size in sizes.tolist():
        step = _common_divisor(size, step, largest * _ROUNDED)
        if step < largest * _FINEST:
            return None
    # The quotients are known by now, and the largest number is the most exact.
    step = float(f"{largest / np.round(largest / step):.12g}")
    multiples = sizes / step
    fits = np.abs(multiples - np.round(multiples)) <= _ROUNDED * np.maximum(multiples, 1.0)
    return step if fits.all() else None


def _common_divisor(one: float, other: float, least: float) -> float:
    """By Euclid's steps, where what is left below the least counts as nothing."""
    while other > least:
        one, other = other, abs(one - other * round(one / other))
    return one


@dataclass(frozen=True, slots=True)
class SumRemainder(Feature):
    """Remainder of the sum of all parts divided by a whole number.

    Attributes:
        names: whole-numbered parts; empty for a whole array.
        step: a whole number.
    """

    names: tuple[str, ...]
    step: float
    form: ClassVar[str] = "sum of the output modulo {0.step:g}"

    @quietly
    def read(self, outcomes: Outcomes) -> Column:
        matrix = rows_of(outcomes, self.names)
        total = as_column(np.nansum(matrix, axis=1), 1.0)
        return with_undefined(total, np.mod(total.values, self.step))


def distinct(rows: Floats) -> Floats:
    """Number of different values in each row."""
    steps = np.diff(np.sort(rows, axis=1), axis=1) > 0
    return np.asarray(steps.sum(axis=1) + 1.0)


def alike(rows: Floats) -> Floats:
    """Number of entries in each row that are like the one before."""
    return np.asarray((np.diff(rows, axis=1) == 0).sum(axis=1))


def _longest_run(rows: Floats) -> Floats:
    longest, current = np.ones(len(rows)), np.ones(len(rows))
    for before, after in pairwise(rows.T):
        current = np.where(before == after, current + 1.0, 1.0)
        longest = np.maximum(longest, current)
    return longest


def _order(rows: Floats) -> Floats:
    """The places of the first four from the smallest to the largest, as digits of one number."""
    ranks = np.argsort(rows[:, :4], axis=1, kind="stable") + 1
    return np.asarray(ranks @ 10.0 ** np.arange(ranks.shape[1])[::-1])


_SPREAD = "spread"
_SHAPES: dict[str, Callable[[Floats], Floats]] = {
    _SPREAD: lambda rows: np.ptp(rows, axis=1),
    "number of distinct values": distinct,
    "number of neighbors of one sign": lambda rows: alike(np.sign(rows)),
    "longest run of equal values": _longest_run,
    "number of positive entries": lambda rows: (rows > 0).sum(axis=1),
    "order of the first few": _order,
}
SHAPES = tuple(_SHAPES)


@dataclass(frozen=True, slots=True)
class ShapeOfParts(Feature):
    """Equality pattern of the parts; `names` is empty for a whole array.

    Parts are rounded before they are compared: those that are equal but for their last
    bits are equal. Outputs with a part that is no number have no such reading.
    """

    kind: str
    names: tuple[str, ...]
    unit: float
    form: ClassVar[str] = "{0.kind} of the output"

    @quietly
    def read(self, outcomes: Outcomes) -> Column:
        rows = np.round(rows_of(outcomes, self.names) / self.unit)
        if rows.shape[1] < 2:
            return as_column(np.full(outcomes.size, np.nan), 0.0)
        known = np.asarray(np.isfinite(rows).all(axis=1))
        values = _SHAPES[self.kind](np.where(known[:, None], rows, 0.0))
        scale = self.unit if self.kind == _SPREAD else 1.0
        return as_column(np.where(known, values * scale, np.nan), 0.0)
