"""One part of every output of a batch: numbers and symbols side by side, and their rounding.

Two results that are equal in real arithmetic may differ in their last bits, and
those bits depend on the dataset. That is a leak of floating-point numbers, bet
on separately, and no breach of the claim.

Matrices of an audit are small: threads that share their products wait for each other far
longer than they work. What a black box calculates should not depend on the number of threads
of a machine either, not even in the last bit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from audit.outcomes.symbols import MISSING, Leaf

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Counts = NDArray[np.int64]
Masks = NDArray[np.bool_]

_FEWEST_IDS = 16
"""Values that all differ, from so many on, are an id of the call."""

quietly = np.errstate(over="ignore", invalid="ignore")
"""For calculations with the largest floats, which may leave the range of floats."""


@quietly
def rounded(values: Floats, unit: float) -> Floats:
    """Multiples of the unit; the values themselves when it is 0."""
    return np.asarray(np.round(values / unit) * unit) if unit else values


def unit_for(magnitude: float) -> float:
    """A power of two about 2^-30 times the magnitude of what is calculated with."""
    if not 1e-290 < magnitude < 1e300:
        return 2.0**-30
    return float(2.0 ** np.ceil(np.log2(magnitude) - 30.0))


def rounding_for(values: Floats) -> float:
    """Rounding unit of numbers like these, 0 for whole numbers."""
    held = np.abs(values[np.isfinite(values) & (values != 0)])
    return 0.0 if np.all(held == np.round(held)) else unit_for(middle(held))


def middle(values: Floats) -> float:
    """The lower median, which is one of the values and never too large for a float."""
    place = (len(values) - 1) // 2
    return float(np.partition(values, place)[place])


@dataclass(frozen=True, slots=True)
class Column:
    """One part of every output of a batch.

    Attributes:
        values: shape (n,); the finite numbers, 0 where there is a symbol.
        symbols: shape (n,), index into `names`, 0 for a number; None when all
            entries are numbers.
        names: the symbols; names[0] stands for "a number".
    """

    values: Floats
    symbols: Integers | None = None
    names: tuple[str, ...] = ("",)

    @property
    def codes(self) -> Integers:
        """The symbols, 0 for a number, also where all entries are numbers; shape (n,)."""
        if self.symbols is None:
            return np.broadcast_to(np.int64(0), len(self.values))
        return self.symbols

    @property
    def numbers(self) -> Floats:
        """The entries that are numbers."""
        return self.values if self.symbols is None else self.values[self.symbols == 0]

    @property
    def floats(self) -> Floats:
        """All entries as numbers, NaN where there is a symbol; shape (n,)."""
        if self.symbols is None:
            return self.values
        return np.where(self.symbols == 0, self.values, np.nan)

    @property
    def tally(self) -> NDArray[np.intp]:
        """How often each name comes, that of numbers first; shape (names,)."""
        return np.bincount(self.codes, minlength=len(self.names))

    @property
    def never_repeats(self) -> bool:
        """True if all entries are symbols that differ, so that none of them can be bet on."""
        symbols = self.codes
        different = bool(symbols.all()) and len(np.unique(symbols)) == len(symbols)
        return different and len(symbols) >= _FEWEST_IDS

    def texts(self, form: str = "") -> list[str]:
        """The entries: symbols, and numbers in a format, by default in all their digits."""
        entries = zip(self.values.tolist(), self.codes.tolist(), strict=True)
        return [self.names[code] if code else format(number, form) for number, code in entries]

    def take(self, index: slice | NDArray[np.intp]) -> Column:
        """The same column restricted to some draws."""
        symbols = None if self.symbols is None else self.symbols[index]
        return Column(self.values[index], symbols, self.names)

    def renamed(self, names: Sequence[str]) -> Column:
        """The same with other names of its symbols, of which some may have become one."""
        numbers = {name: place for place, name in enumerate(dict.fromkeys(names))}
        if self.symbols is None:
            return Column(self.values, None, tuple(numbers))
        codes = np.array([numbers[name] for name in names])
        return Column(self.values, codes[self.symbols], tuple(numbers))

    def trimmed(self) -> Column:
        """The same without the symbols that no entry has."""
        if self.symbols is None:
            return self
        held, symbols = np.unique(np.append(0, self.symbols), return_inverse=True)
        names = tuple(self.names[code] for code in held.tolist())
        return Column(self.values, symbols[1:].astype(np.int64), names)


def symbol_column(names: Sequence[str], which: NDArray[np.intp]) -> Column:
    """A column of symbols: these names, and which of them each output has."""
    return Column(np.zeros(which.size), which.reshape(-1).astype(np.int64) + 1, ("", *names))


def same_symbol(symbol: str, size: int) -> Column:
    """The column of a batch in which all outputs have one symbol."""
    return Column(np.broadcast_to(0.0, size), np.broadcast_to(np.int64(1), size), ("", symbol))


def numeric_column(values: Floats) -> Column:
    """Numbers as a column; those that are not finite become symbols."""
    if _surely_finite(values) or (finite := np.isfinite(values)).all():
        return Column(values)
    symbols = np.zeros(len(values), np.int64)
    symbols[np.isnan(values)] = 1
    symbols[values == np.inf] = 2
    symbols[values == -np.inf] = 3
    return Column(np.where(finite, values, 0.0), symbols, ("", "nan", "inf", "-inf"))


@quietly
def _surely_finite(values: Floats) -> bool:
    """True if the sum of squares is finite: fast, and true only of finite numbers."""
    return math.isfinite(np.dot(values, values))


def column_of(leaves: Iterable[Leaf | None], size: int) -> Column:
    """Numbers and symbols, one for each output."""
    names = {"": 0}
    values, symbols = np.zeros(size), np.zeros(size, np.int64)
    for row, leaf in enumerate(leaves):
        if isinstance(leaf, str):
            symbols[row] = names.setdefault(leaf, len(names))
        else:
            values[row] = leaf
    return Column(values, symbols, tuple(names)) if symbols.any() else Column(values)


def joined_column(parts: Sequence[Column]) -> Column:
    """Columns of several batches, one behind the other."""
    values = np.concatenate([part.values for part in parts])
    if all(part.symbols is None for part in parts):
        return Column(values)
    names: dict[str, int] = {"": 0}
    symbols = []
    for part in parts:
        local = np.array([names.setdefault(name, len(names)) for name in part.names])
        symbols.append(local[part.codes])
    return Column(values, np.concatenate(symbols), tuple(names))


Rows = NDArray[np.intp] | slice
"""Positions in a batch."""


def scattered(parts: Sequence[tuple[Rows, Column]], size: int) -> Column:
    """Parts of a column put where they belong, no two at one position; "missing" elsewhere.

    Symbols are numbered in the order of the outputs, as if read one by one.
    """
    if len(parts) == 1 and parts[0][1].symbols is None and len(parts[0][1].values) == size:
        return parts[0][1]
    names = {"": 0, MISSING: 1}
    values, symbols = np.zeros(size), np.ones(size, np.int64)
    for rows, part in parts:
        values[rows] = part.values
        if part.symbols is None:
            symbols[rows] = 0
        else:
            local = np.array([names.setdefault(name, len(names)) for name in part.names])
            symbols[rows] = local[part.symbols]
    return _numbered(values, symbols, tuple(names))


def _numbered(values: Floats, symbols: Integers, names: tuple[str, ...]) -> Column:
    """A column whose symbols are numbered as they come, a missing entry before all others."""
    if not symbols.any():
        return Column(values)
    held, first = np.unique(symbols, return_index=True)
    first[held == 1] = -1
    order = held[np.argsort(first, kind="stable")]
    order = order[order > 0]
    numbers = np.zeros(len(names), np.int64)
    numbers[order] = np.arange(1, len(order) + 1)
    return Column(values, numbers[symbols], ("", *(names[code] for code in order)))


@contextmanager
def one_thread() -> Iterator[None]:
    """While it lasts, or in a function that it decorates, matrix products have one thread."""
    with _controller().limit(limits=1, user_api="blas"):
        yield


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()
