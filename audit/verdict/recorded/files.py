"""Recorded outputs: files of a black box that was run elsewhere, each output read by itself.

What an output is read as depends on that output alone, never on the others of
its file. Were a file of numbers read in one way and a file with a single word
among them in another, the same number would be two different outputs, and a
mechanism that keeps its claim would be accused. For the same reason nothing that
may be an output is left out: of what remains, the odds are others than claimed.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from audit.errors import InputError
from audit.neighbors.data_files import (
    MOST_NAMES_SHOWN,
    TABLES,
    array_of,
    column_of,
    content_of,
    json_of,
    text_of,
    text_shown,
)
from audit.validation import is_number, native, nearest_float, number_in
from audit.verdict.recorded.recording import Outputs, Recording, gathered


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


_JSON_SUFFIXES = (".json", ".jsonl", ".ndjson")


def read_samples(path: str | Path, column: str | None = None) -> Recording:
    """Read recorded outputs.

    The format follows from the name: .csv, .tsv and .parquet are tables, of
    which one column or whole rows are read; .npy is one array; .jsonl has a
    JSON value per line and .json a list of them, of which one field of objects
    may be read; anything else is text with an output per line, a number or a text.
    Blank lines do not count, nor does a first line that is no number where the
    second one is: a header.

    Args:
        path: the file.
        column: the column of a table, by name, or by its number from 0 where
            columns have no names; or the field of objects in JSON.

    Raises:
        InputError: it cannot be read, holds no outputs, has no such column, or its first
            line is a list or an object in JSON and another line is none.
    """
    path = Path(path)
    content = content_of(path)
    samples = _read(path, content, column)
    if not len(samples):
        raise InputError(f"file {str(path)!r} holds no outputs; record some first", path)
    return samples


def _read(path: Path, content: bytes, column: str | None) -> Recording:
    suffix = path.suffix.lower()
    if suffix in TABLES:
        return _from_table(TABLES[suffix](content, path), path, column)
    if column is not None and suffix not in _JSON_SUFFIXES:
        raise InputError(
            f"file {str(path)!r} is no table, so it has no column {text_shown(column)}; "
            "leave --column out, or name it .csv, .tsv or .jsonl",
            column,
        )
    if suffix == ".npy":
        return Recording("D", str(path), _from_array(array_of(content, path)))
    text = text_of(content, path)
    if suffix == ".json":
        return Recording("D", str(path), _from_json(text, path, column))
    lines = [line.strip() for line in text.split("\n")]
    if suffix in _JSON_SUFFIXES:
        return _from_json_lines(lines, path, column)
    return _from_lines(lines, path)


def _from_table(table: pd.DataFrame, path: Path, column: str | None) -> Recording:
    chosen = table if column is None else column_of(table, column, path).to_frame()
    columns = [of_column(chosen.iloc[:, place]) for place in range(chosen.shape[1])]
    outputs = of_rows(columns) if columns else []
    texts = _texts_among_numbers(outputs, range(1, len(outputs) + 1))
    notes = _said(texts, path, "row", "a number")
    if column is None:
        notes = (*notes, *_of_commas(table, path))
    names = tuple(map(str, chosen.columns)) if len(columns) > 1 else ()
    return Recording("D", str(path), outputs, names, notes)


def _of_commas(table: pd.DataFrame, path: Path) -> tuple[str, ...]:
    """Warning about a table without names whose rows may be numbers with a decimal comma."""
    headless = list(table.columns) == ["c0", "c1"]
    if path.suffix.lower() != ".csv" or not headless or not len(table):
        return ()
    if not all(pd.api.types.is_integer_dtype(kind) for kind in table.dtypes):
        return ()
    first = ",".join(map(str, table.iloc[0]))
    note = (
        f"{path.name}: rows such as {first} were read as two numbers each; where the comma stands "
        "in front of decimals, write a point, or name the file .txt"
    )
    return (note,)


def _from_array(array: NDArray[Any]) -> Outputs:
    if array.dtype.kind in "bU":
        held: list[Any] = array.tolist()
        return held
    values = array.astype(np.float64)
    return values[:, 0] if values.ndim == 2 and values.shape[1] == 1 else values


def _from_json(text: str, path: Path, column: str | None) -> Outputs:
    values = json_of(text, f"file {str(path)!r}")
    if not isinstance(values, list):
        raise InputError(f"file {str(path)!r} holds no JSON list; write one of outputs", path)
    places = [f"entry {place} of file {str(path)!r}" for place in range(1, len(values) + 1)]
    return gathered(
        [_output_in(value, column, place) for value, place in zip(values, places, strict=True)]
    )


def _output_in(value: Any, column: str | None, where: str) -> Any:
    """The output that a JSON value is, or that one of its fields is."""
    if column is None:
        return of_json(value)
    if not isinstance(value, dict):
        raise InputError(
            f"{where} is no JSON object, so it has no field {text_shown(column)}; leave --column "
            "out",
            column,
        )
    if column not in value:
        listed = ", ".join(list(value)[:MOST_NAMES_SHOWN]) or "none"
        raise InputError(f"{where} has no field {text_shown(column)}; it has {listed}", column)
    return of_json(value[column])


def _from_json_lines(lines: Sequence[str], path: Path, column: str | None) -> Recording:
    outputs: list[Any] = []
    wrong: list[tuple[int, str]] = []
    strict = column is not None
    for place, line in enumerate(lines, start=1):
        if not line:
            continue
        where = f"line {place} of file {str(path)!r}"
        try:
            value = json_of(line, where)
        except InputError:
            if strict:
                raise
            outputs.append(line)
            wrong.append((place, line))
        else:
            strict = strict or (not outputs and isinstance(value, (list, dict)))
            outputs.append(_output_in(value, column, where))
    if wrong and len(wrong) == len(outputs):
        raise InputError(
            f"file {str(path)!r} has no line of JSON; write a value per line, or name it .txt", path
        )
    return Recording("D", str(path), gathered(outputs), (), _said(wrong, path, "line", "JSON"))


def _from_lines(lines: Sequence[str], path: Path) -> Recording:
    """One output a line, a header left out."""
    places = [place for place, line in enumerate(lines, start=1) if line]
    outputs: list[Any] = [of_text(lines[place - 1]) for place in places]
    blank = len(range(places[0], places[-1])) + 1 - len(places) if places else 0
    notes = [f"{path.name}: {blank} blank lines between others do not count"] if blank else []
    if [isinstance(output, str) for output in outputs[:2]] == [True, False]:
        notes.append(
            f"{path.name}: line {places[0]} ({text_shown(outputs[0])}) was taken for a header"
        )
        outputs, places = outputs[1:], places[1:]
    texts = _texts_among_numbers(outputs, places)
    notes += _said(texts, path, "line", "a number")
    return Recording("D", str(path), gathered(outputs), (), tuple(notes))


def _texts_among_numbers(outputs: Outputs, places: Sequence[int]) -> list[tuple[int, str]]:
    """Places of texts among numbers; none if all outputs are of one kind."""
    if isinstance(outputs, np.ndarray):
        return []
    found = [(p, text) for p, text in zip(places, outputs, strict=True) if isinstance(text, str)]
    return found if len(found) < len(outputs) else []


def _said(
    found: Sequence[tuple[int, str]], path: Path, place: str, expected: str
) -> tuple[str, ...]:
    """One sentence about outputs that are not what the others are."""
    if not found:
        return ()
    first, text = found[0]
    more = f" and {len(found) - 1} more" if len(found) > 1 else ""
    return (
        f"{path.name}: {place} {first} ({text_shown(text)}){more} read as text, not {expected}",
    )
