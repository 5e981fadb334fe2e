"""CSV and Parquet files as DataFrames, and single columns of them."""

from __future__ import annotations

import csv
import io
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.errors import InputError
from audit.lazy_modules import loaded_pandas as pd
from audit.neighbors.data.files import failures_named, shown, text_of
from audit.validation import native, number_in

_MOST_NAMES_SHOWN = 20
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
    """Refuse a table as it is written where decimals have commas: semicolons between columns.

    Raises:
        InputError: every line has as many semicolons, and there are commas between digits.
    """
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
    headless = names == [f"c{i}" for i in range(len(names))]
    wanted = f"c{int(column)}" if headless and _is_place(column) else column
    if wanted not in names:
        listed = ", ".join(names[:_MOST_NAMES_SHOWN]) + (" and more" * (len(names) > 20))
        raise InputError(
            f"file {str(path)!r} has no column {shown(column)}; it has {listed or 'none'}", column
        )
    return table.iloc[:, names.index(wanted)]


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
