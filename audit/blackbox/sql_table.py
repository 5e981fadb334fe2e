"""A dataset as the table `data` of a DuckDB connection."""

from __future__ import annotations

import datetime
import json
import math
from decimal import Decimal
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from audit.errors import BlackBoxError
from audit.lazy_modules import loaded_pandas as pd
from audit.validation import is_number

_TYPES = {"f": "DOUBLE", "i": "BIGINT", "u": "UBIGINT", "b": "BOOLEAN"}


def create_table(connection: Any, data: Any) -> None:
    """Make the temporary table `data` hold the dataset.

    Numbers and text are its one column `value`, rows of equal length its
    columns c0, c1, ...; a DataFrame keeps its columns, and its missing cells
    are NULL. NaN among numbers stays NaN. A list of mixed values is text, with
    what is not text written as JSON.

    Raises:
        BlackBoxError: the dataset cannot be a table.
    """
    if not isinstance(data, pd.DataFrame):
        columns = columns_of(data)
        if columns is not None:
            _create_from_columns(connection, columns)
            return
        data = frame_of(data)
    frame = checked_frame(data)
    connection.register("audited_frame", frame)
    connection.execute("CREATE TEMP TABLE data AS SELECT * FROM audited_frame")
    connection.unregister("audited_frame")


def frame_of(rows: Any) -> pd.DataFrame:
    """Rows of equal length, or dicts, as pandas sorts them out."""
    import pandas as pd

    frame = pd.DataFrame([list(row) if isinstance(row, tuple) else row for row in rows])
    return frame.rename(columns={name: f"c{name}" for name in frame if isinstance(name, int)})


def checked_frame(data: pd.DataFrame) -> pd.DataFrame:
    """A table whose columns are called by text.

    Raises:
        BlackBoxError: it has none.
    """
    if len(data.columns) == 0:
        raise BlackBoxError("the dataset has no columns, so it cannot be a table", data)
    return data.rename(columns=str)


Columns = dict[str, tuple[str, list[Any]]]
"""Type and values of each column by its name."""


def _create_from_columns(connection: Any, columns: Columns) -> None:
    selected = []
    values = []
    for name, (kind, entries) in columns.items():
        # Neither through a DataFrame nor, before DuckDB 2.0, as numbers: NaN would become NULL,
        # which aggregates leave out.
        as_text = kind == "DOUBLE" and any(map(math.isnan, entries))
        selected.append(f"unnest(?::{'VARCHAR' if as_text else kind}[])::{kind} AS {name}")
        values.append([*map(repr, entries)] if as_text else entries)
    connection.execute(f"CREATE TEMP TABLE data AS SELECT {', '.join(selected)}", values)


def columns_of(data: Any) -> Columns | None:
    """The dataset as columns, None for a list of rows that pandas should sort out.

    Raises:
        BlackBoxError: the dataset cannot be a table.
    """
    if isinstance(data, pd.Series):
        data = data.to_numpy()
    if isinstance(data, np.ndarray) and data.dtype.kind in _TYPES:
        return _columns_of_array(data)
    records = list(data) if isinstance(data, (list, tuple, np.ndarray)) else [data]
    if records and _are_rows(records):
        return None
    if records and (all(map(is_number, records)) or all(isinstance(r, bool) for r in records)):
        return _columns_of_array(np.array(records))
    return {"value": ("VARCHAR", [text_of(record) for record in records])}


def _columns_of_array(array: NDArray[Any]) -> Columns:
    kind = _TYPES.get(array.dtype.kind)
    if kind is None or array.ndim > 2 or (array.ndim == 2 and array.shape[1] == 0):
        shape = " x ".join(map(str, array.shape))
        raise BlackBoxError(
            f"a {shape} array of {array.dtype} cannot be a table; "
            "use one number, or one row of numbers, per record",
            array,
        )
    if array.ndim < 2:
        return {"value": (kind, np.atleast_1d(array).tolist())}
    return {f"c{i}": (kind, column.tolist()) for i, column in enumerate(array.T)}


def _are_rows(records: list[Any]) -> bool:
    lists = all(isinstance(record, (list, tuple)) and len(record) for record in records)
    return (lists and len({len(record) for record in records}) == 1) or all(
        isinstance(record, dict) and record for record in records
    )


def text_of(record: Any) -> str | None:
    """A record as text, what is not text as JSON; None stays None.

    Raises:
        BlackBoxError: it cannot be part of a table.
        ValueError: text that no database can hold.
    """
    if record is None:
        return None
    if isinstance(record, str):
        record.encode()  # lone surrogates are a ValueError here, whatever DuckDB makes of them
        return record
    try:
        return json.dumps(
            record.tolist() if isinstance(record, (np.ndarray, np.generic)) else record
        )
    except (TypeError, ValueError):
        raise BlackBoxError(
            f"a record of type {type(record).__name__} cannot be part of a table; "
            "use numbers, text, or rows of them",
            record,
        ) from None


_AS_TEXT = (datetime.date, datetime.time, datetime.timedelta, UUID)


def outputs_of(names: list[str], rows: list[tuple[Any, ...]]) -> list[Any]:
    """One output per row: its only cell, or a dict by the names of the columns."""
    keys = _distinct(names)
    return [_output(keys, row) for row in rows]


def _output(names: list[str], row: tuple[Any, ...]) -> Any:
    values = [_value_of(value) for value in row]
    return values[0] if len(values) == 1 else dict(zip(names, values, strict=True))


def _value_of(value: Any) -> Any:
    """A cell as a kind of value that outputs are made of."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, _AS_TEXT):
        return str(value)
    if isinstance(value, (list, tuple)):
        return [_value_of(entry) for entry in value]
    if isinstance(value, dict):
        return {_value_of(key): _value_of(entry) for key, entry in value.items()}
    return value


def _distinct(names: list[str]) -> list[str]:
    """Column names with a number behind those that repeat."""
    return [
        name if name not in names[:i] else f"{name}_{names[:i].count(name)}"
        for i, name in enumerate(names)
    ]
