"""Data files, and the dataset that a caller gives, as a black box receives it."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.errors import InputError, reason_of
from audit.lazy_modules import loaded_pandas as pd
from audit.validation import native, number_in, shape_of_numbers

MOST_NAMES_SHOWN = 20
_COMMA = re.compile(r"\d,\d")
_LARGEST = np.iinfo(np.int64).max


def csv_table(content: bytes, path: Path, separator: str = ",") -> pd.DataFrame:
    """A CSV file; InputError at what is no text, has no rows, or rows of unequal length.

    Its first line is a header unless one of its cells is a number; without a
    header the columns are called c0, c1, ... Blanks behind separators are dropped.
    """
    import pandas as pd

    # Later versions read numbers to the last bit without being asked.
    old = int(pd.__version__.partition(".")[0]) < 3
    exactly: dict[str, Any] = {"float_precision": "round_trip"} if old else {}
    text = text_of(content, path)
    lines = _checked_lines(text, path, separator)
    with failures_named(path, "as CSV"), warnings.catch_warnings():
        # Given as a warning: that lines longer than the header lose their end.
        warnings.simplefilter("error", pd.errors.ParserWarning)
        cells = next(csv.reader(lines[:1], delimiter=separator))
        headed = not any(number_in(cell.strip()) is not None for cell in cells)
        table = pd.read_csv(
            io.StringIO(text),
            sep=separator,
            header=0 if headed else None,
            index_col=False,
            skipinitialspace=True,
            low_memory=False,
            **exactly,
        )
    if not headed:
        table.columns = pd.Index([f"c{i}" for i in range(len(table.columns))])
    return table


def _checked_lines(text: str, path: Path, separator: str) -> list[str]:
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        raise InputError(f"file {str(path)!r} is empty; give one with records in it", path)
    semicolons = {line.count(";") for line in lines}
    if separator == "," and len(semicolons) == 1 and 0 not in semicolons and _COMMA.search(text):
        raise InputError(
            f"file {str(path)!r} has semicolons between its columns and commas in front of "
            "decimals; write commas and points there",
            path,
        )
    return lines


def parquet_table(content: bytes, path: Path) -> pd.DataFrame:
    """A Parquet file."""
    import pandas as pd

    with failures_named(path, "as Parquet"):
        try:
            return pd.read_parquet(io.BytesIO(content))
        except ImportError:
            raise InputError(
                f"file {str(path)!r} needs pyarrow to be read; pip install pyarrow", path
            ) from None


TABLES: dict[str, Callable[[bytes, Path], pd.DataFrame]] = {
    ".csv": csv_table,
    ".tsv": partial(csv_table, separator="\t"),
    ".parquet": parquet_table,
    ".pq": parquet_table,
}
"""Readers of tables by the ending of a file's name."""


def column_of(table: pd.DataFrame, column: str, path: Path) -> pd.Series:
    """The column of that name; also by its number from 0 where there is no header."""
    names = [str(name) for name in table.columns]
    place = column.isascii() and column.isdecimal() and len(column) < 10
    wanted = f"c{int(column)}" if place and headless(table) else column
    if wanted not in names:
        listed = ", ".join(names[:MOST_NAMES_SHOWN]) + (" and more" * (len(names) > 20))
        raise InputError(
            f"file {str(path)!r} has no column {text_shown(column)}; it has {listed or 'none'}",
            column,
        )
    return table.iloc[:, names.index(wanted)]


def headless(table: pd.DataFrame) -> bool:
    """True if the columns have the names that they get without a header."""
    return [str(name) for name in table.columns] == [f"c{i}" for i in range(len(table.columns))]


def values_of(column: pd.Series) -> NDArray[Any] | list[Any]:
    """A column as int64, float64 or bool array, else as a list with None for missing cells."""
    types, missing = pd.api.types, column.isna()
    present, truths = not missing.any(), types.is_bool_dtype(column)
    if len(column) == 0:
        return np.empty(0)
    if present and truths:
        return np.asarray(column, dtype=bool)
    if truths or not types.is_numeric_dtype(column):
        cells = zip(map(native, column), missing, strict=True)
        plain = (str, bool, int, float)
        return [None if gone else v if isinstance(v, plain) else str(v) for v, gone in cells]
    if present and types.is_integer_dtype(column) and column.max() <= _LARGEST:
        return np.asarray(column, dtype=np.int64)
    return np.asarray(column.to_numpy(dtype=np.float64, na_value=np.nan))


_LONGEST_SHOWN = 60
_DEEPEST = 20
"""Levels of JSON: more than any record or output has, and fewer than what numpy still sorts out."""


def content_of(path: Path) -> bytes:
    """All bytes of a file."""
    try:
        return path.read_bytes()
    except IsADirectoryError:
        raise InputError(f"{str(path)!r} is a folder; name a file", str(path)) from None
    except FileNotFoundError:
        raise InputError(f"file {str(path)!r} does not exist; check its path", str(path)) from None
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise InputError(
            f"file {str(path)!r} cannot be read ({reason_of(error)}); check its path", path
        ) from error


def text_of(content: bytes, path: Path) -> str:
    """The content as UTF-8 text, without a byte order mark; NUL, as in UTF-16, is refused."""
    try:
        text = content.decode("utf-8-sig")
        wrong = content.find(b"\0")
    except UnicodeDecodeError as error:
        wrong = error.start
    if wrong >= 0:
        raise InputError(
            f"file {str(path)!r} is not UTF-8 text (at byte {wrong}); "
            "convert it, or use .npy or .parquet for binary files",
            path,
        )
    return text


def array_of(content: bytes, path: Path) -> NDArray[Any]:
    """The array in a .npy file: numbers, truth values or text of one or two dimensions."""
    with failures_named(path, "as .npy (arrays of Python objects are never loaded)"):
        array = np.lib.format.read_array(io.BytesIO(content), allow_pickle=False)
    if array.ndim not in (1, 2) or array.dtype.kind not in "biufU":
        shape = " x ".join(map(str, array.shape)) or "scalar"
        raise InputError(
            f"file {str(path)!r} holds a {shape} array of {array.dtype}; "
            "use numbers or text in one or two dimensions",
            path,
        )
    return array


def json_of(text: str, where: str) -> Any:
    """The JSON value in a text; NaN and Infinity are numbers."""
    try:
        value = json.loads(text)
        deep = _is_deep(value)
    except json.JSONDecodeError as error:
        raise InputError(f"{where} is not JSON: {reason_of(error)}; mend it", text) from error
    except ValueError as error:
        raise InputError(
            f"{where} holds an integer of thousands of digits; write it as a float, such as 1e30",
            text,
        ) from error
    except RecursionError:
        deep = True
    if deep:
        raise InputError(f"{where} is nested more than {_DEEPEST} deep; make it flatter", text)
    return value


def json_lines_of(text: str, where: str) -> list[Any]:
    """The JSON values in lines of which some may be blank."""
    lines = enumerate(text.split("\n"), start=1)
    return [json_of(line, f"line {place} of {where}") for place, line in lines if line.strip()]


def _is_deep(value: Any) -> bool:
    layer = [value]
    for _ in range(_DEEPEST + 1):
        held = [part for part in layer if isinstance(part, (list, dict))]
        layer = [part for one in held for part in (one.values() if isinstance(one, dict) else one)]
        if not held:
            return False
    return True


@contextmanager
def failures_named(path: Path, how: str) -> Iterator[None]:
    """Turn whatever a library raises while it reads a file into one line."""
    try:
        yield
    except InputError:
        raise
    except Exception as error:  # readers fail on hostile bytes in any way, also by MemoryError
        raise InputError(
            f"file {str(path)!r} cannot be read {how}: {reason_of(error)}", path
        ) from error


def text_shown(text: str) -> str:
    """A text in quotes, short enough for a message."""
    return repr(text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…")


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
    content, suffix = content_of(path), path.suffix.lower()
    where = f"file {str(path)!r}"
    if suffix in TABLES:
        return _from_table(TABLES[suffix](content, path), path, column)
    if suffix == ".npy":
        return _column_of_rows(_from_array(array_of(content, path), where), where, column)
    text = text_of(content, path)
    if suffix == ".json" or (suffix not in (".txt", ".jsonl") and text.lstrip()[:1] == "["):
        return _from_json(text, where, column)
    if suffix == ".jsonl":
        return _from_list(json_lines_of(text, where), where, column)
    if suffix != ".txt" and "," in text.lstrip().partition("\n")[0]:
        return _from_table(csv_table(content, path), path, column)
    return _column_of_rows(_from_lines(text, where), where, column)


def _from_table(table: pd.DataFrame, path: Path, column: str | None) -> Any:
    return table if column is None else values_of(column_of(table, column, path))


def _from_array(array: NDArray[Any], where: str) -> Any:
    kind = array.dtype.kind
    if kind == "U":
        return array.tolist()
    if kind == "u" and array.size and int(array.max()) > _LARGEST:
        raise InputError(f"{where} holds integers beyond 64 bits; use floats for them", where)
    return array.astype({"b": np.bool_, "f": np.float64}.get(kind, np.int64))


def _from_lines(text: str, where: str) -> Any:
    lines = [*enumerate(map(str.strip, text.split("\n")), start=1)]
    for place, line in lines:
        if line and number_in(line) is None:
            raise InputError(
                f"line {place} of {where} is {text_shown(line)}, not a number; "
                "write one number per line, or use CSV for a table and JSON for text",
                line,
            )
    return _array_of([number_in(line) for _, line in lines if line], where)


def _from_json(text: str, where: str, column: str | None) -> Any:
    values = json_of(text, where)
    if not isinstance(values, list):
        raise InputError(f"{where} is no JSON list; write for example [1, 2, 3]", values)
    return _from_list(values, where, column)


def _from_list(values: list[Any], where: str, column: str | None) -> Any:
    if column is not None and values and all(isinstance(v, dict) and column in v for v in values):
        values, column = [v[column] for v in values], None
    shape = shape_of_numbers(values)
    if shape is None:
        return _column_of_rows(values, where, column)
    cells = values if len(shape) == 1 else list(chain.from_iterable(values))
    return _column_of_rows(_array_of(cells, where).reshape(shape), where, column)


def _array_of(numbers: list[Any], where: str) -> NDArray[Any]:
    kind = np.int64 if numbers and all(isinstance(n, int) for n in numbers) else np.float64
    try:
        return np.array(numbers, dtype=kind)
    except OverflowError:
        raise InputError(
            f"{where} holds an integer beyond 64 bits; write it as a float, such as 1e30", where
        ) from None


def _column_of_rows(data: Any, where: str, column: str | None) -> Any:
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
