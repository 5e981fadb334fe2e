"""Numbers and symbols to small codes: the bins of one column."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from audit.outcomes import Column, Floats

Codes = NDArray[np.intp]

_LARGE = 2048
_MOST_CELLS = 1 << 16
_MOST_SYMBOLS = 40
_ENOUGH = 1 << 14
"""More values would not move the edges by much."""
_FINEST = 0.03
_OTHER = "any other value"


@dataclass(frozen=True, slots=True)
class Cells:
    """Equal cells with at most one edge each: exact binning without a search.

    Mapping a number to its cell is monotone in floating point, so numbers in an
    earlier cell than an edge lie below it and those in a later cell above it;
    only inside the edge's own cell is a comparison needed.
    """

    low: float
    scale: float
    before: Codes
    edge: Floats

    @classmethod
    def over(cls, edges: Floats) -> Cells | None:
        """Cells for these edges, None when they lie too unevenly."""
        if len(edges) < 2:
            return None
        with np.errstate(over="ignore"):
            gap = float(np.min(np.diff(edges)))
            width = float(edges[-1] - edges[0])
        if not (np.isfinite(width) and gap > 0 and width / gap < _MOST_CELLS / 4):
            return None
        count = int(np.ceil(width / gap * 2)) + 1
        with np.errstate(over="ignore"):
            scale = np.float64(count) / width
        if not np.isfinite(scale):
            return None
        cell = np.minimum(((edges - edges[0]) * scale).astype(np.intp), count - 1)
        if len(np.unique(cell)) < len(edges):
            return None
        held = np.zeros(count, np.intp)
        held[cell] = 1
        edge = np.full(count, np.inf)
        edge[cell] = edges
        return cls(float(edges[0]), float(scale), np.cumsum(held) - held, edge)

    def code(self, values: Floats) -> Codes:
        """How many edges are at or below each value."""
        with np.errstate(over="ignore"):
            position = values - self.low
            position *= self.scale
        np.minimum(position, len(self.edge) - 1, out=position)
        np.maximum(position, 0.0, out=position)
        cell = position.astype(np.int32)
        codes: Codes = self.before.take(cell)
        codes += values >= self.edge.take(cell)
        return codes


@dataclass(frozen=True, slots=True)
class Binning:
    """The bins of one column: half-open intervals, then symbols, then the rest.

    Attributes:
        edges: shape (m,), ascending; bin i holds edges[i-1] <= value < edges[i].
        symbols: the symbols with a bin of their own.
        cells: the same edges prepared for large batches, None where unsuitable.
    """

    edges: Floats
    symbols: tuple[str, ...]
    cells: Cells | None

    @classmethod
    def of(cls, edges: Iterable[float], symbols: Sequence[str] = ()) -> Binning:
        """Bins with these edges (sorted, without repeats) and symbols."""
        ends = np.unique(np.asarray(list(edges), np.float64))
        return cls(ends, tuple(symbols), Cells.over(ends))

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
        values = column.values
        if self.cells is not None and len(values) >= _LARGE:
            codes = self.cells.code(values)
        else:
            codes = np.searchsorted(self.edges, values, side="right").astype(np.intp)
        if column.symbols is None:
            return codes
        known = {name: self.numeric + i for i, name in enumerate(self.symbols)}
        last = self.count - 1
        lookup = np.array([0] + [known.get(name, last) for name in column.names[1:]])
        return np.where(column.symbols == 0, codes, lookup[column.symbols])

    def label(self, code: int) -> str:
        """One bin in words, to follow a column's name."""
        if code >= self.numeric:
            place = code - self.numeric
            return f"is {self.symbols[place]}" if place < len(self.symbols) else f"is {_OTHER}"
        low = None if code == 0 else float(self.edges[code - 1])
        high = None if code == len(self.edges) else float(self.edges[code])
        if low is None:
            return "is a number" if high is None else f"< {high!r}"
        if high is None:
            return f">= {low!r}"
        if high == math.nextafter(low, math.inf):
            return f"= {low!r}"
        return f"in [{low!r}, {high!r})"


def learned(columns: Sequence[Column], bins: int) -> Binning:
    """Bins for these columns: pooled quantiles, finer in the tails, atoms apart.

    Args:
        columns: what was drawn so far, all datasets pooled.
        bins: about how many bins for numbers.
    """
    values = np.concatenate(
        [c.values if c.symbols is None else c.values[c.symbols == 0] for c in columns]
    )
    values = values[:: max(1, len(values) // _ENOUGH)]
    return Binning.of(_edges(values, bins), _frequent_symbols(columns))


def _edges(values: Floats, bins: int) -> Floats:
    if len(values) == 0:
        return np.empty(0)
    distinct, times = np.unique(values, return_counts=True)
    if len(distinct) <= bins:
        return _around_atoms(distinct, distinct[times > 1])
    tails = 2.0 ** -np.arange(np.log2(bins) + 0.5, np.log2(len(values)) + 0.5, 1.0)
    levels = np.concatenate([tails, np.linspace(0, 1, bins + 1)[1:-1], 1 - tails])
    edges = np.quantile(values, np.sort(levels), method="inverted_cdf")
    atoms = distinct[times >= max(2.0, len(values) / bins)]
    return _around_atoms(_thinned(np.append(edges, distinct[-1])), atoms)


def _thinned(edges: Floats) -> Floats:
    """Sorted edges without those that almost repeat another, seen from the usual distance.

    Not from the whole range: one far value would swallow all other edges.
    """
    ends = np.unique(edges)
    if len(ends) < 3:
        return ends
    kept = [ends[0]]
    with np.errstate(over="ignore"):
        least = np.median(np.diff(ends)) * _FINEST
        for end in ends[1:]:
            if end - kept[-1] > least:
                kept.append(end)
    return np.array(kept)


def _around_atoms(edges: Floats, atoms: Floats) -> Floats:
    """Edges that give each atom a bin of its own; whole numbers need only one edge."""
    if np.all(edges == np.round(edges)) and np.all(np.abs(edges) < 2**52):
        ends = np.concatenate([edges, atoms + 1])
        return np.unique(ends)
    with np.errstate(over="ignore"):
        return np.unique(np.concatenate([edges, atoms, np.nextafter(atoms, np.inf)]))


def _frequent_symbols(columns: Sequence[Column]) -> tuple[str, ...]:
    tally: Counter[str] = Counter()
    for column in columns:
        if column.symbols is not None:
            counts = np.bincount(column.symbols, minlength=len(column.names))
            for name, count in zip(column.names, counts, strict=True):
                if name and count:
                    tally[name] += int(count)
    return tuple(name for name, _ in tally.most_common(_MOST_SYMBOLS))
