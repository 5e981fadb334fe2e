"""Data files: CSV and Parquet as DataFrames, and single columns of them."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import re
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.errors import InputError, reason_of
from audit.lazy_modules import loaded_pandas as pd
from audit.validation import native, number_in

MOST_NAMES_SHOWN = 20
_COMMA = re.compile(r"\d,\d")
_LARGEST = np.iinfo(np.int64).max


def csv_table(content: bytes, path: Path, separator: str = ",") -> pd.DataFrame:
    """A CSV file.

    Its first line is a header unless one of its cells is a number; without a
    header the columns are called c0, c1, ... Blanks behind separators are dropped.

    Raises:
        InputError: it is no text, holds no rows, or rows of unequal length.
    """
    import pandas as pd

    # Later versions read numbers to the last bit without being asked.
    asked = int(pd.__version__.partition(".")[0]) < 3
    exactly: dict[str, Any] = {"float_precision": "round_trip"} if asked else {}
    text = text_of(content, path)
    first = next((line for line in text.splitlines() if line.strip()), None)
    if first is None:
        raise InputError(f"file {str(path)!r} is empty; give one with records in it", path)
    _check_separator(text, separator, path)
    with failures_named(path, "as CSV"), warnings.catch_warnings():
        # Given as a warning: that lines longer than the header lose their end.
        warnings.simplefilter("error", pd.errors.ParserWarning)
        cells = next(csv.reader([first], delimiter=separator))
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


def _check_separator(text: str, separator: str, path: Path) -> None:
    """Refuse a table as it is written where decimals have commas: semicolons between columns."""
    lines = [line for line in text.splitlines() if line.strip()]
    counts = {line.count(";") for line in lines}
    if separator == "," and len(counts) == 1 and 0 not in counts and _COMMA.search(text):
        raise InputError(
            f"file {str(path)!r} has semicolons between its columns and commas in front of "
            "decimals; write commas and points there",
            path,
        )


def parquet_table(content: bytes, path: Path) -> pd.DataFrame:
    """A Parquet file.

    Raises:
        InputError: it is none, or no library to read it is installed.
    """
    import pandas as pd

    with failures_named(path, "as Parquet"):
        try:
            return pd.read_parquet(io.BytesIO(content))
        except ImportError:
            raise InputError(
                f"file {str(path)!r} needs pyarrow to be read; pip install pyarrow", path
            ) from None


def column_of(table: pd.DataFrame, column: str, path: Path) -> pd.Series:
    """The column of that name; also by its number from 0 where there is no header.

    Raises:
        InputError: there is none; the message lists those there are.
    """
    names = [str(name) for name in table.columns]
    wanted = f"c{int(column)}" if headless(table) and _is_place(column) else column
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
    missing = column.isna()
    present = not missing.any()
    if len(column) == 0:
        return np.empty(0)
    if present and pd.api.types.is_bool_dtype(column):
        return np.asarray(column, dtype=bool)
    if not pd.api.types.is_numeric_dtype(column) or pd.api.types.is_bool_dtype(column):
        return [None if gone else _cell(v) for v, gone in zip(column, missing, strict=True)]
    if present and pd.api.types.is_integer_dtype(column) and column.max() <= _LARGEST:
        return np.asarray(column, dtype=np.int64)
    return np.asarray(column.to_numpy(dtype=np.float64, na_value=np.nan))


def _cell(value: Any) -> Any:
    """A cell as text, number or truth value of Python's own."""
    value = native(value)
    return value if isinstance(value, (str, bool, int, float)) else str(value)


def _is_place(column: str) -> bool:
    """True if a number can be that of a column."""
    return column.isascii() and column.isdecimal() and len(column) < 10


_LONGEST_SHOWN = 60
_DEEPEST = 20
"""Levels of JSON: more than any record or output has, and fewer than what numpy still sorts out."""


def content_of(path: Path) -> bytes:
    """All bytes of a file.

    Raises:
        InputError: it is not there, is a folder, or may not be read.
    """
    try:
        return path.read_bytes()
    except IsADirectoryError:
        raise InputError(f"{str(path)!r} is a folder; name a file", str(path)) from None
    except FileNotFoundError:
        raise InputError(f"file {str(path)!r} does not exist; check its path", str(path)) from None
    # ValueError: a name that no file can have.
    except (OSError, ValueError) as error:
        raise InputError(
            f"file {str(path)!r} cannot be read ({reason_of(error)}); check its path", path
        ) from error


def text_of(content: bytes, path: Path) -> str:
    """The content as UTF-8 text, without a byte order mark.

    Raises:
        InputError: it is something else; also where it holds NUL, as UTF-16 does.
    """
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
    """The array in a .npy file: numbers, truth values or text of one or two dimensions.

    Raises:
        InputError: it is no such file, holds Python objects, or another kind of array.
    """
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
    """The JSON value in a text; NaN and Infinity are numbers.

    Raises:
        InputError: it is not JSON, or nested too deep to be a dataset or an output.
    """
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"{where} is not JSON: {reason_of(error)}; mend it", text) from error
    except ValueError as error:
        raise InputError(
            f"{where} holds an integer of thousands of digits; write it as a float, such as 1e30",
            text,
        ) from error
    except RecursionError:
        raise _too_deep(text, where) from None
    if _is_deep(value):
        raise _too_deep(text, where)
    return value


def _too_deep(text: str, where: str) -> InputError:
    return InputError(f"{where} is nested more than {_DEEPEST} deep; make it flatter", text)


def _is_deep(value: Any) -> bool:
    layer = [value]
    for _ in range(_DEEPEST + 1):
        layer = [held for held in layer if isinstance(held, (list, dict))]
        if not layer:
            return False
        layer = [part for held in layer for part in _parts(held)]
    return True


def _parts(held: list[Any] | dict[str, Any]) -> Iterable[Any]:
    return held.values() if isinstance(held, dict) else held


@contextlib.contextmanager
def failures_named(path: Path, how: str) -> Iterator[None]:
    """Turn whatever a library raises while it reads a file into one line."""
    try:
        yield
    except InputError:
        raise
    # Readers fail on hostile bytes with errors of any kind, MemoryError included.
    except Exception as error:
        raise InputError(
            f"file {str(path)!r} cannot be read {how}: {reason_of(error)}", path
        ) from error


def text_shown(text: str) -> str:
    """A text in quotes, short enough for a message."""
    return repr(text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…")
