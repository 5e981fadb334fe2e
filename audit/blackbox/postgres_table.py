"""A dataset as the temporary table `data` of a PostgreSQL connection."""

from __future__ import annotations

import datetime
from typing import Any

from audit.blackbox.sql_table import checked_frame, columns_of, frame_of, text_of
from audit.frames import loaded_pandas as pd
from audit.validation import is_number, native

_OF_KIND = {"f": "DOUBLE", "i": "BIGINT", "u": "UBIGINT", "b": "BOOLEAN", "M": "TIMESTAMP"}


def create_table(connection: Any, sqlalchemy: Any, data: Any) -> None:
    """Make the temporary table `data` hold the dataset.

    Its columns are those that a query run by DuckDB finds (see `sql_table.create_table`),
    of types double precision, bigint, numeric(20), boolean, timestamp and text.

    Args:
        connection: in a transaction; the table lives as long as it does.
        sqlalchemy: the library.
        data: the dataset.

    Raises:
        BlackBoxError: the dataset cannot be a table.
        ValueError: it holds text that is none.
        sqlalchemy.exc.DBAPIError: the server refuses it.
    """
    found = None if isinstance(data, pd.DataFrame) else columns_of(data)
    if found is not None:
        columns = [(name, *column) for name, column in found.items()]
    else:
        columns = _columns_in(data if isinstance(data, pd.DataFrame) else frame_of(data))
    # Whatever columns are called, in here they have keys of their own.
    table = sqlalchemy.Table(
        "data",
        sqlalchemy.MetaData(),
        *(
            sqlalchemy.Column(name, _type(sqlalchemy, kind), key=f"c{place}")
            for place, (name, kind, _) in enumerate(columns)
        ),
        prefixes=["TEMPORARY"],
    )
    connection.execute(sqlalchemy.schema.CreateTable(table))
    rows = zip(*(values for _, _, values in columns), strict=True)
    records = [{f"c{place}": value for place, value in enumerate(row)} for row in rows]
    if records:
        connection.execute(table.insert(), records)


def _columns_in(frame: pd.DataFrame) -> list[tuple[str, str, list[Any]]]:
    """Name, type and values of each column; missing cells are None."""
    frame = checked_frame(frame)
    return [(str(name), *_column(frame.iloc[:, at])) for at, name in enumerate(frame.columns)]


def _column(series: pd.Series) -> tuple[str, list[Any]]:
    cells = [None if _is_missing(cell) else native(cell) for cell in series.tolist()]
    kind = _OF_KIND.get(getattr(series.dtype, "kind", "O")) or _kind_of(cells)
    return kind, [*map(_text, cells)] if kind == "VARCHAR" else cells


def _text(cell: Any) -> str | None:
    return cell.isoformat() if isinstance(cell, datetime.date) else text_of(cell)


def _kind_of(cells: list[Any]) -> str:
    """The type of a column that may hold anything."""
    held = [cell for cell in cells if cell is not None]
    if held and all(isinstance(cell, bool) for cell in held):
        return "BOOLEAN"
    if held and all(map(is_number, held)):
        return "BIGINT" if all(isinstance(cell, int) for cell in held) else "DOUBLE"
    return "VARCHAR"


def _is_missing(cell: Any) -> bool:
    return cell is None or (pd.api.types.is_scalar(cell) and bool(pd.isna(cell)))


def _type(sqlalchemy: Any, kind: str) -> Any:
    return {
        "DOUBLE": sqlalchemy.Double,
        "BIGINT": sqlalchemy.BigInteger,
        "UBIGINT": sqlalchemy.Numeric(20, 0),
        "BOOLEAN": sqlalchemy.Boolean,
        "TIMESTAMP": sqlalchemy.DateTime,
        "VARCHAR": sqlalchemy.Text,
    }[kind]
