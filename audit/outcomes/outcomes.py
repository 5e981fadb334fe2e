"""A batch of outputs as named columns, and what can be read off its texts beside them."""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.blackbox.output import check_names
from audit.outcomes.column import Column, Floats, joined_column, missing_column, numeric_column
from audit.outcomes.symbols import MESSAGE
from audit.outcomes.text_columns import text_column

KIND = "kind of output"
_ENTRY = re.compile(r"entry (\d+) of output")
_LETTERS = 8
"""Characters of a text that take as much room as a number."""


def entry_name(place: int) -> str:
    """Name of an entry of large arrays, counted from 0 and row by row."""
    return f"entry {place} of output"


@dataclass(frozen=True, slots=True)
class Outcomes:
    """A batch of outputs.

    Attributes:
        size: number of outputs n.
        columns: the parts by name, each of length n.
        matrix: shape (n, d), all entries of outputs that are arrays of numbers,
            also those without a column; NaN behind the last entry of a shorter
            array and where the output is none; None when there is no array.
    """

    size: int
    columns: Mapping[str, Column]
    matrix: Floats | None = None

    def column(self, name: str) -> Column:
        """The column of that name, which may be an entry of a matrix, or read off a text;
        else all "missing"."""
        found = self.columns.get(name)
        if found is None and (entry := _ENTRY.fullmatch(name)):
            return self._entry(int(entry[1]))
        if found is None:
            found = text_column(self.columns, name)
        return missing_column(self.size) if found is None else found

    def _entry(self, place: int) -> Column:
        if self.matrix is None or place >= self.matrix.shape[1]:
            return missing_column(self.size)
        return numeric_column(self.matrix[:, place])

    @property
    def width(self) -> int:
        """Numbers and symbols that are held of one output, its kind aside; long texts are more."""
        entries = 0 if self.matrix is None else self.matrix.shape[1]
        letters = sum(len(name) for column in self.columns.values() for name in column.names)
        return len(self.columns) - 1 + entries + letters // (_LETTERS * max(1, self.size))

    @property
    def parts(self) -> tuple[str, ...]:
        """Readable parts of values, none if runs failed."""
        return tuple(name for name in self.columns if name not in (KIND, MESSAGE))

    @property
    def kinds(self) -> tuple[str, ...]:
        """Kinds of the outputs of this batch, each as a whole."""
        return self.columns[KIND].names[1:]

    def equals(self, other: Outcomes) -> bool:
        """True if both hold the same outputs in the same order."""
        if set(self.columns) != set(other.columns) or self.size != other.size:
            return False
        if not all(self.columns[name].equals(other.columns[name]) for name in self.columns):
            return False
        if self.matrix is None or other.matrix is None:
            return self.matrix is other.matrix
        return np.array_equal(self.matrix, other.matrix, equal_nan=True)

    def table(self) -> Floats:
        """All parts of all outputs as numbers, symbols by checksums, shape (n, parts).

        Their places would tell when each of them came first, and so when an output was made.
        """
        columns = self.columns.values()
        parts: list[NDArray[Any]] = [column.values.reshape(-1, 1) for column in columns]
        parts += [_checksums(c).reshape(-1, 1) for c in columns if c.symbols is not None]
        parts += [] if self.matrix is None else [np.nan_to_num(self.matrix, nan=0.0)]
        return np.concatenate(parts, axis=1, dtype=np.float64)

    def take(self, index: slice) -> Outcomes:
        """The same batch restricted to some draws."""
        columns = {name: column.take(index) for name, column in self.columns.items()}
        matrix = None if self.matrix is None else self.matrix[index]
        return Outcomes(len(range(self.size)[index]), columns, matrix)

    def trimmed(self) -> Outcomes:
        """The same without the symbols that no output has."""
        columns = {name: column.trimmed() for name, column in self.columns.items()}
        return Outcomes(self.size, columns, self.matrix)


Sides = tuple[Outcomes, Outcomes]
"""Outputs on D and on D'."""


def _checksums(column: Column) -> NDArray[np.int64]:
    """A number for each symbol that depends on nothing but what it is called."""
    codes = [zlib.crc32(name.encode("utf-8", "replace")) for name in column.names]
    return np.array(codes, np.int64)[column.symbols]


def joined(batches: Sequence[Outcomes]) -> Outcomes:
    """Several batches as one, their symbols merged; those without outputs add nothing.

    Raises:
        OutcomeError: their parts have too many different names.
    """
    batches = [batch for batch in batches if batch.size] or batches[:1]
    if len(batches) == 1:
        return batches[0]
    names = dict.fromkeys(name for batch in batches for name in batch.columns)
    check_names(len(names))
    columns = {name: joined_column([b.column(name) for b in batches]) for name in names}
    return Outcomes(sum(b.size for b in batches), columns, _joined_matrix(batches))


def _joined_matrix(batches: Sequence[Outcomes]) -> Floats | None:
    widths = [b.matrix.shape[1] for b in batches if b.matrix is not None]
    if not widths:
        return None
    return np.concatenate([_widened(b, max(widths)) for b in batches])


def _widened(batch: Outcomes, width: int) -> Floats:
    if batch.matrix is None:
        return np.full((batch.size, width), np.nan)
    missing = width - batch.matrix.shape[1]
    if missing == 0:
        return batch.matrix
    return np.pad(batch.matrix, ((0, 0), (0, missing)), constant_values=np.nan)
