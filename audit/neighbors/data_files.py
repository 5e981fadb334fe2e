"""Data files: CSV and Parquet as DataFrames, and single columns of them."""

from __future__ import annotations

import csv
import io
import json
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
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
    """The lines of a CSV file that are not blank; there are some, separated as they should be."""
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


TABLES: dict[str, Callable[[bytes, Path], pd.DataFrame]] = {
    ".csv": csv_table,
    ".tsv": partial(csv_table, separator="\t"),
    ".parquet": parquet_table,
    ".pq": parquet_table,
}
"""Readers of tables by the ending of a file's name."""


def column_of(table: pd.DataFrame, column: str, path: Path) -> pd.Series:
    """The column of that name; also by its number from 0 where there is no header.

    Raises:
        InputError: there is none; the message lists those there are.
    """
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
    # Readers fail on hostile bytes with errors of any kind, MemoryError included.
    except Exception as error:
        raise InputError(
            f"file {str(path)!r} cannot be read {how}: {reason_of(error)}", path
        ) from error


def text_shown(text: str) -> str:
    """A text in quotes, short enough for a message."""
    return repr(text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…")
