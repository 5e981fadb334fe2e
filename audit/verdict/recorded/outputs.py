"""Outputs of a recorded file, each read by itself.

What an output is read as depends on that output alone, never on the others of
its file. Were a file of numbers read in one way and a file with a single word
among them in another, the same number would be two different outputs, and a
mechanism that keeps its claim would be accused. For the same reason nothing that
may be an output is left out: of what remains, the odds are others than claimed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from audit.validation import is_number, native, nearest_float, number_in

Outputs = NDArray[np.float64] | list[Any]
"""An array of shape (n,) for numbers or (n, d) for vectors, a list of n outputs for anything
else; in a list too, numbers are np.float64 and vectors of numbers arrays of one axis."""


def of_text(text: str) -> np.float64 | str:
    """The number that a text is, else the text."""
    number = number_in(text.strip())
    return text if number is None else np.float64(nearest_float(number))


def of_json(value: Any) -> Any:
    """A number, a vector where it is a list of one number or more, else the value itself."""
    if is_number(value):
        return np.float64(nearest_float(value))
    if isinstance(value, list) and value and all(map(is_number, value)):
        return np.array([nearest_float(entry) for entry in value])
    return value


def of_row(cells: Sequence[Any]) -> Any:
    """A vector where all cells of a row are numbers, else the list of them."""
    if all(isinstance(cell, np.float64) for cell in cells):
        return np.array(cells)
    return list(cells)


def of_column(column: pd.Series) -> Outputs:
    """A column of a table: numbers and texts, NaN where a cell is empty.

    Zeros have no sign: where a column has whole numbers alone, "-0" has lost it to its reader.
    """
    if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
        return np.asarray(column.to_numpy(dtype=np.float64, na_value=np.nan)) + 0.0
    empty = np.float64(np.nan)
    return [
        empty if gone else _of_cell(native(value))
        for value, gone in zip(column, column.isna(), strict=True)
    ]


def _of_cell(value: Any) -> Any:
    """Truth values are one text however they are written: where a column has no others, the
    reader of tables has already made one of all ways."""
    if is_number(value):
        return np.float64(nearest_float(value)) + 0.0
    text = str(value)
    if text.casefold() in ("true", "false"):
        return text.capitalize()
    read = of_text(text)
    return read + 0.0 if isinstance(read, np.float64) else read


def of_rows(columns: Sequence[Outputs]) -> Outputs:
    """The rows of a table, column by column."""
    if len(columns) == 1:
        return gathered(list(columns[0]))
    if all(isinstance(column, np.ndarray) for column in columns):
        return np.column_stack(columns)
    return gathered([of_row(cells) for cells in zip(*columns, strict=True)])


def gathered(outputs: list[Any]) -> Outputs:
    """The same outputs as one array where they are numbers, or vectors of one length."""
    kinds = set(map(type, outputs))
    if kinds == {np.float64}:
        return np.array(outputs)
    if kinds == {np.ndarray} and len(set(map(len, outputs))) == 1:
        return np.stack(outputs)
    return outputs


def kinds_of(outputs: Outputs) -> set[str]:
    """Kinds of the outputs, in words: files of the same kinds can be compared."""
    if isinstance(outputs, np.ndarray):
        return {_kind_of(output) for output in outputs[:1]}
    return set(map(_kind_of, outputs))


def _kind_of(output: Any) -> str:
    if isinstance(output, np.ndarray):
        return f"a vector of {len(output)} numbers" if len(output) > 1 else "a vector of one number"
    if isinstance(output, list):
        return f"a list of {len(output)}"
    return _KINDS.get(type(output), type(output).__name__)


_KINDS = {
    np.float64: "a number",
    str: "a text",
    bool: "a truth value",
    dict: "an object with keys",
    type(None): "null",
}
