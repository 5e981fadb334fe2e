"""The dataset that a caller gives, as a black box receives it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.errors import InputError
from audit.lazy_modules import loaded_pandas as pd
from audit.neighbors.data_files import (
    TABLES,
    array_of,
    column_of,
    content_of,
    csv_table,
    json_lines_of,
    json_of,
    text_of,
    text_shown,
    values_of,
)
from audit.validation import number_in, shape_of_numbers


def read_data(given: str, column: str | None = None) -> Any:
    """The dataset in a JSON list or a file.

    Args:
        given: a JSON list; or the path of a file: .csv, .tsv, .parquet, .npy,
            .json, .jsonl, .txt with one number per line, or any other text of
            one of these kinds.
        column: the one column of a table to take, by name, or by its number
            from 0 where columns have no names.

    Returns:
        Numbers as an array of shape (records,), int64 where all are integers,
        else float64; rows of equal length as one of shape (records, columns);
        an empty list as an empty float array; other lists as lists; a table as
        a DataFrame, one column of it as an array where it holds numbers or
        truth values, else as a list.

    Raises:
        InputError: it is neither, or no such dataset.
    """
    if given and os.path.exists(given):  # unlike Path.exists, False for names that cannot be
        return _read_file(Path(given), column)
    if given.lstrip()[:1] not in ("[", "{") or not given.lstrip():
        raise InputError(
            f"data {text_shown(given)} is neither a JSON list nor a file that exists; "
            "write for example [1, 2, 3], or check the path",
            given,
        )
    return _from_json(given, f"data {text_shown(given)}", column)


def _read_file(path: Path, column: str | None) -> Any:
    content = content_of(path)
    suffix = path.suffix.lower()
    where = f"file {str(path)!r}"
    if suffix in TABLES:
        return _from_table(TABLES[suffix](content, path), path, column)
    if suffix == ".npy":
        return _column_of_rows(_from_array(array_of(content, path), where), where, column)
    text = text_of(content, path)
    if suffix == ".json" or (suffix not in (".txt", ".jsonl") and text.lstrip()[:1] == "["):
        return _from_json(text, where, column)
    if suffix == ".jsonl":
        return _from_json_lines(text, where, column)
    if suffix != ".txt" and "," in text.lstrip().partition("\n")[0]:
        return _from_table(csv_table(content, path), path, column)
    return _column_of_rows(_from_lines(text, where), where, column)


def _from_table(table: pd.DataFrame, path: Path, column: str | None) -> Any:
    return table if column is None else values_of(column_of(table, column, path))


def _from_array(array: NDArray[Any], where: str) -> Any:
    kind = array.dtype.kind
    if kind == "U":
        return array.tolist()
    if kind == "u" and array.size and int(array.max()) > np.iinfo(np.int64).max:
        raise InputError(f"{where} holds integers beyond 64 bits; use floats for them", where)
    return array.astype({"b": np.bool_, "f": np.float64}.get(kind, np.int64))


def _from_lines(text: str, where: str) -> Any:
    """One number per line; blank lines do not count."""
    numbers = []
    for place, line in enumerate(map(str.strip, text.split("\n")), start=1):
        number = number_in(line)
        if number is None and line:
            raise InputError(
                f"line {place} of {where} is {text_shown(line)}, not a number; "
                "write one number per line, or use CSV for a table and JSON for text",
                line,
            )
        if number is not None:
            numbers.append(number)
    return _array_of(numbers, where)


def _from_json(text: str, where: str, column: str | None) -> Any:
    values = json_of(text, where)
    if not isinstance(values, list):
        raise InputError(f"{where} is no JSON list; write for example [1, 2, 3]", values)
    return _from_list(values, where, column)


def _from_json_lines(text: str, where: str, column: str | None) -> Any:
    return _from_list(json_lines_of(text, where), where, column)


def _from_list(values: list[Any], where: str, column: str | None) -> Any:
    """A list of numbers or of rows of them as an array, any other list as it is."""
    if column is not None and values and all(isinstance(v, dict) and column in v for v in values):
        values, column = [v[column] for v in values], None
    return _column_of_rows(_array_if_numbers(values, where), where, column)


def _array_if_numbers(values: list[Any], where: str) -> Any:
    """A list of numbers or of rows of them as an array, any other list as it is."""
    shape = shape_of_numbers(values)
    if shape is None:
        return values
    cells = values if len(shape) == 1 else [cell for row in values for cell in row]
    return _array_of(cells, where).reshape(shape)


def _array_of(numbers: list[Any], where: str) -> NDArray[Any]:
    """Integers as int64, else float64."""
    kind = np.int64 if numbers and all(isinstance(n, int) for n in numbers) else np.float64
    try:
        return np.array(numbers, dtype=kind)
    except OverflowError:
        raise InputError(
            f"{where} holds an integer beyond 64 bits; write it as a float, such as 1e30", where
        ) from None


def _column_of_rows(data: Any, where: str, column: str | None) -> Any:
    """All of it, or one column of an array of rows by its number from 0."""
    if column is None:
        return data
    if not (isinstance(data, np.ndarray) and data.ndim == 2):
        raise InputError(
            f"{where} is no table, so it has no column {text_shown(column)}; leave `column` out",
            column,
        )
    number = number_in(column)
    if not (isinstance(number, int) and 0 <= number < data.shape[1]):
        raise InputError(
            f"{where} has no column {text_shown(column)}; its columns are 0 to {data.shape[1] - 1}",
            column,
        )
    return data[:, number].copy()
