"""A SQL query as a black box, run by DuckDB inside this process, and datasets as its tables."""

from __future__ import annotations

import datetime
import json
import math
import os
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from audit.blackbox.interface import Bound
from audit.blackbox.output import MOST_PARTS, taken
from audit.blackbox.postgres_server import is_address
from audit.blackbox.time_limit import Patience, TimeLimit
from audit.errors import BlackBoxError, InputError, reason_of
from audit.lazy_modules import loaded_pandas as pd
from audit.source_code import library
from audit.validation import is_number

SIZE = "{size}"
"""In a query: how many rows are wanted."""
_BY_VALUE = ("DataError", "InvalidInputException", "OutOfMemoryException", "ConstraintException")


class QueryError(BlackBoxError, InputError):
    """A query that the database cannot run, whatever the data."""


def query_error(query: str, reason: str) -> QueryError:
    """The error for a query that cannot be run for this reason."""
    return QueryError(f"query {query!r} cannot be run: {reason}", query)


class SqlBlackBox:
    """A query that draws its own noise with random().

    The dataset is the table `data` (see `create_table`); tables of the database
    file stand beside it and cannot be changed. The result is the output: one
    cell is a value, one row a dict by column, other numbers of rows a list of
    these. With {size} in the query, it must have that many rows, one output each.

    Everything follows from the generator: the database runs in one thread, and
    each query starts with setseed. An error that depends on values (overflow, a
    cast) is an output.

    With {size}, two datasets must not share randomness: where a query draws
    more for one of them, output i of one side would share noise with output
    i + 1 of the other, and nothing that DuckDB shows would tell.

    Attributes:
        name: how results call it.
        seeded: whether two datasets can share the randomness of a query.
        many: whether {size} is in the query.
        takes_seed: every query starts with one.
        starts: every call plans and starts a query.
    """

    takes_seed = True
    starts = True

    def __init__(
        self,
        query: str,
        database: str | Path | None = None,
        timeout: float | None = 10.0,
        name: str = "query",
    ) -> None:
        """Read the query and open the database.

        Args:
            query: one SELECT statement.
            database: a DuckDB file with further tables, opened for reading.
            timeout: seconds for one query, None for no limit (see `TimeLimit`).
            name: how results call it.

        Raises:
            InputError: DuckDB is not installed, the file is not a database of
                its, or the query is not one SELECT statement.
        """
        self.name = name
        self.many = SIZE in query
        self.seeded = not self.many
        self._duckdb = library("duckdb", "a query", "DuckDB", "sql")
        self._limit = TimeLimit(timeout)
        self._patience = Patience(name, timeout)
        self._identity = query, None if database is None else Path(database), timeout
        self._query = query
        self._check_query()
        self._database = self._open(database)

    @property
    def identity(self) -> tuple[Any, ...]:
        """Everything but data and randomness that outputs depend on; a file by its contents."""
        return self._identity

    def bind(self, data: Any) -> Bound:
        """See `BlackBox.bind`; the dataset becomes a table of a connection of its own."""
        connection = self._database.cursor()
        try:
            create_table(connection, data)
        except (self._duckdb.Error, ValueError) as error:
            raise BlackBoxError(
                f"the dataset cannot be a table ({reason_of(error)})", data
            ) from error
        return Bound(partial(self._draw, connection))

    def _draw(self, connection: Any, rng: Generator, size: int) -> Any:
        connection.execute("SELECT setseed(?)", [2.0 * rng.random() - 1.0])
        try:
            with self._patience:
                outputs = self._limit.run(self._run, connection, size)
        except RuntimeError:
            # The way in which DuckDB reports Ctrl-C.
            raise KeyboardInterrupt from None
        except self._duckdb.Error as error:
            raise self._sorted(error) from error
        return result_of(outputs, size if self.many else None, "FROM range({size})")

    def _run(self, connection: Any, size: int) -> list[Any]:
        found = connection.execute(self._query.replace(SIZE, str(size)))
        # No more than can be of use: a result may have more rows than fit into memory.
        rows = found.fetchmany(max(size, MOST_PARTS) + 1)
        return outputs_of([column[0] for column in found.description], rows)

    def _sorted(self, error: Exception) -> Exception:
        """The error itself where it is an output, else one that ends the audit."""
        by_value = tuple(getattr(self._duckdb, name) for name in _BY_VALUE)
        return error if isinstance(error, by_value) else query_error(self._query, reason_of(error))

    def _check_query(self) -> None:
        try:
            statements = self._duckdb.extract_statements(self._query.replace(SIZE, "1"))
        except TypeError:  # bytes of the command line that are no UTF-8
            raise query_error(self._query, "it is not UTF-8 text") from None
        except self._duckdb.Error as error:
            raise query_error(self._query, reason_of(error)) from error
        if [s.type for s in statements] != [self._duckdb.StatementType.SELECT]:
            raise query_error(self._query, "it is not one SELECT statement")
        if statements[0].named_parameters:
            without = "it has parameters without values; write the values into it"
            raise query_error(self._query, without)

    def _open(self, database: str | Path | None) -> Any:
        # With more threads, the same seed would not give the same numbers.
        config = {"threads": 1}
        if database is None:
            return self._duckdb.connect(config=config)
        if is_address(f"{database}"):
            # It may hold a password, which nobody should see.
            raise InputError("DuckDB opens files; an address is for audit.boxes.PostgresBlackBox")
        if not os.path.isfile(database):
            raise InputError(f"database {str(database)!r} is not a file; check its path", database)
        try:
            return self._duckdb.connect(str(database), read_only=True, config=config)
        except self._duckdb.Error as error:
            raise InputError(
                f"database {str(database)!r} cannot be opened: {reason_of(error)}", database
            ) from error


def result_of(outputs: list[Any], size: int | None, example: str) -> Any:
    """Result of a query that gave an output for each row; with no size all rows are one output.

    Raises:
        BlackBoxError: there are not `size` rows; the message has the example of a query.
    """
    if size is None:
        return taken(outputs[0] if len(outputs) == 1 else outputs)
    if len(outputs) != size:
        most = max(size, MOST_PARTS)
        gave = f"more than {most}" if len(outputs) > most else str(len(outputs))
        raise BlackBoxError(
            f"the query gave {gave} rows where {size} outputs were asked for; "
            f"let it give {{size}} rows, as with: {example}",
            size,
        )
    return outputs


TYPES = {"f": "DOUBLE", "i": "BIGINT", "u": "UBIGINT", "b": "BOOLEAN"}


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
    """A table whose columns are called by text; BlackBoxError where it has none."""
    if len(data.columns) == 0:
        raise BlackBoxError("the dataset has no columns, so it cannot be a table", data)
    return data.rename(columns=str)


Columns = dict[str, tuple[str, list[Any]]]
"""Type and values of each column by its name."""


def _create_from_columns(connection: Any, columns: Columns) -> None:
    selected, values = [], []
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
    if isinstance(data, np.ndarray) and data.dtype.kind in TYPES:
        return _columns_of_array(data)
    records = list(data) if isinstance(data, (list, tuple, np.ndarray)) else [data]
    if records and _are_rows(records):
        return None
    if records and (all(map(is_number, records)) or all(isinstance(r, bool) for r in records)):
        return _columns_of_array(np.array(records))
    return {"value": ("VARCHAR", [text_of(record) for record in records])}


def _columns_of_array(array: NDArray[Any]) -> Columns:
    kind = TYPES.get(array.dtype.kind)
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
    plain = record.tolist() if isinstance(record, (np.ndarray, np.generic)) else record
    try:
        return json.dumps(plain)
    except (TypeError, ValueError):
        raise BlackBoxError(
            f"a record of type {type(record).__name__} cannot be part of a table; "
            "use numbers, text, or rows of them",
            record,
        ) from None


_AS_TEXT = (datetime.date, datetime.time, datetime.timedelta, UUID)


def outputs_of(names: list[str], rows: list[tuple[Any, ...]]) -> list[Any]:
    """One output per row: its only cell, or a dict by the names of the columns."""
    if len(names) == 1:
        return [_value_of(value) for (value,) in rows]
    keys = _distinct(names)
    return [dict(zip(keys, map(_value_of, row), strict=True)) for row in rows]


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
