"""Numbers and symbols to small codes: the bins of one column, and peaks of its numbers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from audit.outcomes.column import Column, Floats, middle
from audit.outcomes.symbols import shortened

_FEWEST, _LEAST = 256, 8
_SCALES = ((256, 8), (32, 3))
"""One in so many values makes a peak, beside times as many on either side."""
_EXCESS = 8.0
"""How many times as dense as its surroundings a peak is."""
_MOST = 4
_REPEATS, _MOST_REPEATED = 3, 16


def edges_of_peaks(ordered: Floats) -> Floats:
    """The ends of a few narrow intervals in which sorted numbers are far denser than around."""
    if len(ordered) < _FEWEST:
        return np.empty(0)
    found = [_peaks(ordered, max(_LEAST, len(ordered) // part), n) for part, n in _SCALES]
    return np.concatenate(found)


def _peaks(ordered: Floats, size: int, around: int) -> Floats:
    """The ends of at most four intervals of so many numbers, beside times as many around."""
    reach = around * size
    last = len(ordered) - size - reach
    if last <= reach:
        return np.empty(0)
    ends = ordered[reach + size :]
    with np.errstate(over="ignore", invalid="ignore"):
        widths = ends[: last - reach] - ordered[reach:last]
        before = ordered[reach:last] - ordered[: last - reach]
        behind = ends[reach:last] - ends[: last - reach]
        # Tails thin out: what is denser than one side alone is no peak.
        dense = (widths > 0.0) & (widths * around * _EXCESS < np.minimum(before, behind))
    found: list[int] = []
    for place in np.flatnonzero(dense)[np.argsort(widths[dense], kind="stable")].tolist():
        if all(abs(place - other) > size for other in found):
            found.append(place)
        if len(found) == _MOST:
            break
    starts = np.array(found, np.intp) + reach
    return np.concatenate([ordered[starts], ordered[starts + size]])


def repeated_values(distinct: Floats, times: NDArray[np.intp]) -> Floats:
    """Values that come again, where few do: nearly all others come once."""
    again = times >= _REPEATS
    if not 0 < again.sum() <= _MOST_REPEATED or (times == 1).sum() < len(distinct) / 2:
        return np.empty(0)
    return distinct[again]


Codes = NDArray[np.intp]
"""Numbers of bins."""

_MOST_SYMBOLS = 40
_ENOUGH = 1 << 14
"""More values would not move the edges by much."""
_FINEST = 0.03
_OTHER = "any other value"
_ROUNDING = 2.0**-44
"""Errors of rounding, seen from the usual size of the values: 256 times the smallest one."""
_MOST_ROUNDED = 8
"""Different floats that one number may come out as."""
_SMALLEST = 5e-324


@dataclass(frozen=True, slots=True)
class Binning:
    """The bins of one column: half-open intervals, then symbols, then the rest.

    Attributes:
        edges: shape (m,), ascending; bin i holds edges[i-1] <= value < edges[i].
        symbols: the symbols with a bin of their own.
        atoms: numbers with a narrow bin of their own.
        whole: whether all numbers that the bins were made for are whole ones.
    """

    edges: Floats
    symbols: tuple[str, ...]
    atoms: tuple[float, ...] = ()
    whole: bool = False

    @classmethod
    def of(
        cls,
        edges: Iterable[float],
        symbols: Sequence[str] = (),
        atoms: Iterable[float] = (),
        whole: bool = False,
    ) -> Binning:
        """Bins with these edges (sorted, without repeats), symbols and atoms."""
        ends = np.unique(np.asarray(list(edges), np.float64))
        return cls(ends, tuple(symbols), tuple(map(float, atoms)), whole)

    @property
    def numeric(self) -> int:
        """Number of bins that hold numbers."""
        return len(self.edges) + 1

    @property
    def count(self) -> int:
        """Number of all bins; the last one is for symbols without a bin."""
        return self.numeric + len(self.symbols) + 1

    def code(self, column: Column) -> Codes:
        """The bin of every entry, shape (n,)."""
        codes = np.searchsorted(self.edges, column.values, side="right")
        if column.symbols is None:
            return codes
        known = {name: self.numeric + i for i, name in enumerate(self.symbols)}
        last = self.count - 1
        lookup = np.array([0] + [known.get(shortened(name), last) for name in column.names[1:]])
        return np.where(column.symbols == 0, codes, lookup[column.symbols])

    def label(self, code: int) -> str:
        """One bin in words, to follow a column's name."""
        if code >= self.numeric:
            place = code - self.numeric
            return f"is {self.symbols[place]}" if place < len(self.symbols) else f"is {_OTHER}"
        return self.interval(*self.ends(code))

    def ends(self, code: int) -> tuple[float, float]:
        """Both edges of a bin of numbers."""
        low = -math.inf if code == 0 else float(self.edges[code - 1])
        return low, math.inf if code == len(self.edges) else float(self.edges[code])

    def interval(self, low: float, high: float) -> str:
        """The numbers from one edge to another in words."""
        shown = (lambda end: f"{end:.0f}") if self.whole else repr
        if low == -math.inf:
            return "is a number" if high == math.inf else f"< {shown(high)}"
        if high == math.inf:
            return f">= {shown(low)}"
        if self.whole:
            return f"= {low:.0f}" if high == low + 1 else f"{low:.0f} to {high - 1:.0f}"
        if high == math.nextafter(low, math.inf):
            return f"= {low!r}"
        atom = self.atom_between(low, high)
        return f"in [{low!r}, {high!r})" if atom is None else f"= {atom:.15g} up to rounding"

    def atom_between(self, low: float, high: float) -> float | None:
        """The atom whose bin lies between these two edges, None where they are no atom's."""
        for atom in self.atoms:
            place = int(np.searchsorted(self.edges, atom, side="right"))
            if list(self.edges[place - 1 : place + 1]) == [low, high]:
                return atom
        return None


def learned(columns: Sequence[Column], bins: int) -> Binning:
    """About so many bins for columns: pooled quantiles, finer in the tails, atoms apart."""
    values = np.concatenate([column.numbers for column in columns])
    whole = whole_numbers(values)
    values = values[:: max(1, len(values) // _ENOUGH)]
    edges, atoms = _edges(values, bins)
    return Binning.of(edges, _frequent_symbols(columns), atoms, whole)


def whole_numbers(values: Floats) -> bool:
    """True if these are whole, and small enough to have no other between two of them."""
    return len(values) > 0 and bool(
        np.all(np.abs(values) < 2**52) and np.all(values == np.round(values))
    )


def _edges(values: Floats, bins: int) -> tuple[Floats, Floats]:
    """Edges of the bins, and the numbers with a bin of their own."""
    if len(values) == 0:
        return np.empty(0), np.empty(0)
    merged, rounding = _merged(np.sort(values))
    starts = np.flatnonzero(_new(merged))
    distinct, times = merged[starts], np.diff(np.append(starts, len(merged)))
    if len(distinct) <= bins:
        return _around(distinct, distinct[times > 1], rounding)
    tails = 2.0 ** -np.arange(np.log2(bins) + 0.5, np.log2(len(values)) + 0.5, 1.0)
    levels = np.concatenate([tails, np.linspace(0, 1, bins + 1)[1:-1], 1 - tails])
    places = np.ceil(np.sort(levels) * len(merged) - 1.0).astype(np.intp)
    edges = merged[np.clip(places, 0, len(merged) - 1)]
    atoms = distinct[times >= max(2.0, len(values) / bins)]
    atoms = np.union1d(atoms, repeated_values(distinct, times))
    ends = _thinned(np.append(edges, distinct[-1]))
    if rounding > 0.0:
        ends = np.union1d(ends, edges_of_peaks(merged))
    return _around(ends, atoms, rounding)


def _new(ordered: Floats) -> NDArray[np.bool_]:
    """Mask of sorted values that differ from the one before."""
    return np.concatenate([[True], ordered[1:] != ordered[:-1]])


def _merged(ordered: Floats) -> tuple[Floats, float]:
    """Sorted values with those made equal that differ by errors of rounding at most.

    0.1 + 0.2 and 0.3 are one number in real arithmetic. Which of the two floats
    comes out may depend on the dataset; that is for the bets on low bits. Beside
    the values, the size of such errors: 0 where all values are whole numbers.
    """
    if whole_numbers(ordered):
        return ordered, 0.0
    new = _new(ordered)
    distinct = ordered[new]
    usual = middle(np.abs(ordered)) * _ROUNDING
    with np.errstate(over="ignore"):
        apart = np.diff(distinct) > np.maximum(np.abs(distinct[1:]) * _ROUNDING, usual)
    if apart.all():
        return ordered, usual
    group = np.concatenate([[0], np.cumsum(apart)])
    first = distinct[np.concatenate([[True], apart])][group]
    # A dense row of values is no single number.
    dense = np.bincount(group)[group] > _MOST_ROUNDED
    return np.where(dense, distinct, first)[np.cumsum(new) - 1], usual


def _thinned(edges: Floats) -> Floats:
    """Sorted edges without those that almost repeat another, seen from the usual distance.

    Not from the whole range: one far value would swallow all other edges.
    """
    ends = np.unique(edges)
    if len(ends) < 3:
        return ends
    kept = [ends[0]]
    with np.errstate(over="ignore"):
        gaps = np.diff(ends)
        least = np.median(gaps) * _FINEST
        if gaps.min() > least:
            return ends
        for end in ends[1:]:
            if end - kept[-1] > least:
                kept.append(end)
    return np.array(kept)


def _around(edges: Floats, atoms: Floats, rounding: float) -> tuple[Floats, Floats]:
    """Edges just below these, with room for rounding, and the atoms whose bin is narrow."""
    if rounding == 0.0 and whole_numbers(edges):
        return np.unique(np.concatenate([edges, atoms + 1])), np.empty(0)
    with np.errstate(over="ignore"):
        below = [part - _room(part, rounding) for part in (edges, atoms)]
        above = atoms + _MOST_ROUNDED * _room(atoms, rounding)
        return np.unique(np.concatenate([*below, above])), atoms


def _room(values: Floats, rounding: float) -> Floats:
    return np.maximum(np.abs(values) * _ROUNDING, max(rounding, _SMALLEST))


def _frequent_symbols(columns: Sequence[Column]) -> tuple[str, ...]:
    tally: Counter[str] = Counter()
    for column in columns:
        for name, count in zip(column.names[1:], column.tally[1:].tolist(), strict=True):
            if count:
                tally[shortened(name)] += count
    return tuple(name for name, _ in tally.most_common(_MOST_SYMBOLS))
