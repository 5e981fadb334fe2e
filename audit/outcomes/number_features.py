"""Features of a single number besides its size: remainders, and decimals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from audit.outcomes.column import Column, Floats
from audit.outcomes.features import UNDEFINED
from audit.outcomes.outcomes import Outcomes
from audit.outcomes.rounding import quietly

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
class Remainder:
    """Remainder of a number divided by a step, from 0 to the step.

    Attributes:
        name: column.
        step: positive.
        whole: whether the numbers and the step are whole, and so is what is left.
    """

    name: str
    step: float
    whole: bool
    fitted: ClassVar[bool] = False

    @property
    def words(self) -> str:
        return f"{self.name} modulo {self.step:g}"

    def read(self, outcomes: Outcomes) -> Column:
        column = outcomes.column(self.name)
        return divided(column, self.step, self.whole)


@quietly
def divided(column: Column, step: float, whole: bool) -> Column:
    """Remainders of the numbers of a column; "undefined" where rounding decides them."""
    if whole:
        return Column(np.mod(column.values, step), column.symbols, column.names)
    quotient = column.values / step
    part = np.round((quotient - np.round(quotient)) / _FINE) * _FINE
    # What lies just below a multiple of the step is a multiple but for rounding.
    values = np.where(part < 0.0, part + 1.0, part) * step
    return _defined(values, column, np.abs(quotient) < _FARTHEST)


@dataclass(frozen=True, slots=True)
class Decimals:
    """Number of decimals it takes to write a number; 10 if it is not a short decimal.

    Attributes:
        name: column.
    """

    name: str
    fitted: ClassVar[bool] = False

    @property
    def words(self) -> str:
        return f"decimals of {self.name}"

    @quietly
    def read(self, outcomes: Outcomes) -> Column:
        column = outcomes.column(self.name)
        needed = np.full(len(column.values), _MOST_DECIMALS + 1.0)
        for decimals in range(_MOST_DECIMALS, -1, -1):
            scaled = column.values * 10.0**decimals
            size: Floats = np.abs(scaled)
            # So large a number is a decimal of as many digits by chance.
            exact = (np.abs(scaled - np.round(scaled)) <= size * _CLOSE) & (size < 1e9)
            needed[exact] = decimals
        return Column(needed, column.symbols, column.names)


@dataclass(frozen=True, slots=True)
class FirstDigit:
    """The first digit of a number that is not 0.

    Attributes:
        name: column.
    """

    name: str
    fitted: ClassVar[bool] = False

    @property
    def words(self) -> str:
        return f"first digit of {self.name}"

    @quietly
    def read(self, outcomes: Outcomes) -> Column:
        column = outcomes.column(self.name)
        size: Floats = np.abs(column.values)
        # Below the smallest normal float the power of ten may be 0.
        known = size >= np.finfo(np.float64).tiny
        size = np.where(known, size, 1.0)
        digit = np.floor(size / 10.0 ** np.floor(np.log10(size)) * (1.0 + _CLOSE))
        # Rounding may leave ten or nothing of a power of ten.
        return _defined(np.clip(np.where(digit == 10.0, 1.0, digit), 1.0, 9.0), column, known)


def many_sizes(values: Floats) -> bool:
    """True if numbers spread over many magnitudes, so that first digits do not follow from size."""
    size = np.abs(values[np.isfinite(values) & (values != 0.0)])
    low, high = np.quantile(size, (0.1, 0.9)) if len(size) else (1.0, 1.0)
    return bool(high / _DECADES > low)


def _defined(values: Floats, column: Column, defined: NDArray[np.bool_]) -> Column:
    """The values where they are defined; the symbols of a column stay."""
    if defined.all():
        return Column(values, column.symbols, column.names)
    names = (*column.names, UNDEFINED)
    held = np.zeros(len(values), np.int64) if column.symbols is None else column.symbols
    symbols = np.where(defined | (held > 0), held, len(names) - 1)
    return Column(np.where(defined, values, 0.0), symbols, names)


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
