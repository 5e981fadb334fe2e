"""Recorded outputs: a black box that was run elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from audit.errors import InputError
from audit.neighbors.data.files import array_of, content_of, json_of, shown, text_of
from audit.neighbors.data.tables import column_of, csv_table, parquet_table
from audit.validation import nearest_float, number_in, shape_of_numbers

_TABLE_SUFFIXES = (".csv", ".tsv", ".parquet", ".pq")
_JSON_SUFFIXES = (".json", ".jsonl", ".ndjson")

Outputs = NDArray[np.float64] | list[Any]


@dataclass(frozen=True, slots=True)
class Samples:
    """Outputs recorded on one dataset.

    Attributes:
        path: the file they were read from.
        outputs: an array of shape (n,) for numbers or (n, d) for vectors, a
            list of n outputs for anything else.
        skipped: lines or rows that were left out.
        notes: what was left out and why, one sentence each.
    """

    path: Path
    outputs: Outputs
    skipped: int = 0
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        """Number of outputs."""
        return len(self.outputs)


def read_samples(path: str | Path, column: str | None = None) -> Samples:
    """Read recorded outputs.

    The format follows from the name: .csv, .tsv and .parquet are tables, of
    which one column or all columns of numbers are read; .npy is one array;
    .jsonl has a JSON value per line and .json a list of them; anything else is
    text with an output per line. Lines of text that are no number are left out
    and counted, unless none of them is: then each is an output as it is.

    Args:
        path: the file.
        column: the column of a table, by name, or by its number from 0 where
            columns have no names.

    Raises:
        InputError: it cannot be read, holds no outputs, or has no such column.
    """
    path = Path(path)
    content = content_of(path)
    samples = _read(path, content, column)
    if len(samples) == 0:
        raise InputError(f"file {str(path)!r} holds no outputs; record some first", path)
    return samples


def _read(path: Path, content: bytes, column: str | None) -> Samples:
    suffix = path.suffix.lower()
    if suffix in _TABLE_SUFFIXES:
        return _from_table(_table(path, content, suffix), path, column)
    if column is not None:
        raise InputError(
            f"file {str(path)!r} is no table, so it has no column {shown(column)}; "
            "leave --column out, or name it .csv or .tsv",
            column,
        )
    if suffix == ".npy":
        return Samples(path, _from_array(array_of(content, path)))
    text = text_of(content, path)
    if suffix == ".json":
        return Samples(path, _from_json(text, path))
    return _from_lines(text, path, json=suffix in _JSON_SUFFIXES)


def _table(path: Path, content: bytes, suffix: str) -> pd.DataFrame:
    if suffix in (".parquet", ".pq"):
        return parquet_table(content, path)
    return csv_table(content, path, "\t" if suffix == ".tsv" else ",")


def _from_table(table: pd.DataFrame, path: Path, column: str | None) -> Samples:
    if column is not None:
        return _from_column(column_of(table, column, path), path, column)
    numeric = table.select_dtypes(["number"])
    others = [str(name) for name in table.columns if name not in set(numeric.columns)]
    if len(numeric.columns) == 0:
        raise InputError(
            f"file {str(path)!r} has no column of numbers; choose one of "
            f"{', '.join(others) or 'none'} with --column",
            path,
        )
    notes = (f"{path.name}: columns {', '.join(others)} are no numbers and were left out",)
    values = numeric.to_numpy(dtype=np.float64, na_value=np.nan)
    return Samples(path, _squeezed(values), 0, notes if others else ())


def _from_column(values: pd.Series, path: Path, name: str) -> Samples:
    """One column: numbers, leaving out cells that are none; text where none is a number."""
    if pd.api.types.is_numeric_dtype(values):
        return Samples(path, values.to_numpy(dtype=np.float64, na_value=np.nan))
    cells = ["" if gone else str(v) for v, gone in zip(values, values.isna(), strict=True)]
    return _sorted_out(cells, path, f"row {{}} of column {name}")


def _from_array(array: NDArray[Any]) -> Outputs:
    return array.tolist() if array.dtype.kind in "bU" else _squeezed(array.astype(np.float64))


def _squeezed(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Vectors of length 1 as numbers."""
    return values[:, 0] if values.ndim == 2 and values.shape[1] == 1 else values


def _from_json(text: str, path: Path) -> Outputs:
    values = json_of(text, f"file {str(path)!r}")
    if not isinstance(values, list):
        raise InputError(f"file {str(path)!r} holds no JSON list; write one of outputs", path)
    return _as_outputs(values)


def _from_lines(text: str, path: Path, *, json: bool) -> Samples:
    lines = [line.strip() for line in text.split("\n")]
    if not json:
        return _sorted_out(lines, path, "line {}")
    values, wrong = [], []
    for place, line in enumerate(lines, start=1):
        try:
            if line:
                values.append(json_of(line, line))
        except InputError:
            wrong.append(place)
    return _left_out(_as_outputs(values), wrong, lines, path, "line {}", "JSON")


def _sorted_out(cells: Sequence[str], path: Path, place: str) -> Samples:
    """Numbers among the cells, which are counted from 1; blank ones do not count."""
    numbers = [number_in(cell.strip()) for cell in cells]
    if all(number is None for number in numbers):
        return Samples(path, [cell for cell in cells if cell])
    wrong = [i for i, n in enumerate(numbers, start=1) if n is None and cells[i - 1]]
    outputs = np.array([nearest_float(number) for number in numbers if number is not None])
    return _left_out(outputs, wrong, cells, path, place, "a number")


def _left_out(
    outputs: Outputs, wrong: list[int], cells: Sequence[str], path: Path, place: str, what: str
) -> Samples:
    if not wrong:
        return Samples(path, outputs)
    where = place.format(wrong[0])
    more = f" and {len(wrong) - 1} more" if len(wrong) > 1 else ""
    note = f"{path.name}: {where} ({shown(cells[wrong[0] - 1])}){more} left out, not {what}"
    return Samples(path, outputs, len(wrong), (note,))


def _as_outputs(values: list[Any]) -> Outputs:
    """Numbers, or vectors of them of one length, as an array; else the list."""
    shape = shape_of_numbers(values)
    if shape is None or shape[1:] == (0,):
        return values
    cells = values if len(shape) == 1 else [cell for row in values for cell in row]
    return _squeezed(np.array([nearest_float(cell) for cell in cells]).reshape(shape))
