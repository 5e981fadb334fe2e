"""A SQL query as a black box, run by a PostgreSQL server."""

from __future__ import annotations

import datetime
import weakref
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from itertools import count
from typing import Any, NamedTuple

from numpy.random import Generator

from audit.blackbox.interface import Bound, RunTimeout
from audit.blackbox.output import MOST_PARTS
from audit.blackbox.postgres_server import Connections, PostgresServer, run, shut
from audit.blackbox.sql import (
    SIZE,
    TYPES,
    QueryError,
    checked_frame,
    columns_of,
    frame_of,
    outputs_of,
    query_error,
    result_of,
    text_of,
)
from audit.blackbox.time_limit import CutOff, Patience, TimeLimit
from audit.errors import BlackBoxError, reason_of
from audit.lazy_modules import loaded_pandas as pd
from audit.validation import is_number, native

_LATER = 1.5
"""Where the server does not keep the time-out, this many times it is waited for."""


class PostgresBlackBox:
    """A query that draws its own noise with random() of PostgreSQL.

    The dataset is the temporary table `data`, which stands before a table of that name; the
    other tables of the database can be read and not changed. Every query runs in a
    transaction of its own, which is taken back. The result is read as from DuckDB (see
    `SqlBlackBox`), also with {size} in the query.

    Each query starts with setseed, and one process of the server runs it. Functions of the
    server may have randomness of their own, and keep state: queries are assumed to be
    independent. Those that take long are run over several connections at the same time.

    Outputs are also: an error that depends on values (overflow, a cast, RAISE), a time-out,
    and a connection that the server closed while it still takes others.

    Attributes:
        name: how results call it.
        seeded: whether two datasets can share the randomness of a query.
        many: whether {size} is in the query.
        takes_seed: every query starts with one.
        starts: every call plans and starts a query.
        abroad: nobody sees what the server keeps.
    """

    takes_seed = True
    starts = True
    abroad = True
    at_once = True

    def __init__(
        self, query: str, database: str, timeout: float | None = 10.0, name: str = "query"
    ) -> None:
        """Connect once.

        Args:
            query: one SELECT statement.
            database: postgresql://USER@HOST:PORT/NAME, or $NAME for an environment variable
                with that. A password may stand in the variable only, or where PostgreSQL's
                own programs look for it.
            timeout: seconds for one query, None for no limit.
            name: how results call it.

        Raises:
            InputError: that is no such address, it shows a password, or SQLAlchemy or
                psycopg is not installed.
            BlackBoxError: there is no connection to be had.
        """
        self._limit = TimeLimit(timeout)
        self._server = PostgresServer(database, timeout)
        self._server.connection().close()
        self.name = name
        self.many = SIZE in query
        self.seeded = not self.many
        self._query = query.strip().rstrip(";")
        self._patience = Patience(name, timeout)
        self._numbers = count()
        self._connections = Connections()

    @property
    def identity(self) -> tuple[Any, ...]:
        """Everything but data and randomness that outputs depend on, without secrets."""
        return "postgresql", self._query, self._server.shown, self._limit.seconds

    def bind(self, data: Any) -> Bound:
        """See `BlackBox.bind`; the dataset becomes a table of a connection of its own."""
        table = _Table(next(self._numbers), data)
        bound = Bound(
            partial(self._draw, table), partial(self._asked, table), partial(self._ready, table)
        )
        # Not the box, which may hold what it is to be told of.
        weakref.finalize(bound, self._connections.forget, table.number)
        self._prepare(table)
        return bound

    def _ready(self, table: _Table) -> Callable[[Generator, int], Any]:
        """Rest of a draw on a new connection with its table, neither of which is to be timed.

        A process of the server that runs the queries on one dataset alone may be slower than
        that of the other for reasons of its own, such as a busy core.
        """
        self._prepare(table)
        return partial(self._draw, table)

    def _draw(self, table: _Table, rng: Generator, size: int) -> Any:
        return self._asked(table, rng, size)()

    def _asked(self, table: _Table, rng: Generator, size: int = 1) -> Callable[[], Any]:
        """One query; what is returned runs it (see `BoundBox.draw`)."""
        return partial(self._output, table, 2.0 * rng.random() - 1.0, size)

    def _output(self, table: _Table, seed: float, size: int) -> Any:
        with self._patience:
            outputs = self._drawn(table, seed, size)
        rows = size if self.many else None
        return result_of(outputs, rows, "FROM generate_series(1, {size})")

    def _prepare(self, table: _Table) -> None:
        """Make the table of a dataset on a new connection, and end those that it had.

        Raises:
            BlackBoxError: it cannot be a table, or the server is gone.
        """
        self._connections.forget(table.number)
        with self._borrowed(table):
            pass

    def _drawn(self, table: _Table, seed: float, size: int) -> list[Any]:
        """Outputs, after which the connection is as it was before, or closed."""
        with self._borrowed(table) as connection:
            try:
                found = self._in_time(connection, seed, size)
                connection.rollback()
                return found
            except self._server.sqlalchemy.exc.DBAPIError as error:
                failed = error
                self._settle(connection, error)
        told = self._server.told(failed)
        raise (self._query_error(failed) if told is None else told) from None

    def _in_time(self, connection: Any, seed: float, size: int) -> list[Any]:
        """Outputs, or RunTimeout where not even the server kept the time-out."""
        seconds = self._limit.seconds
        cut = CutOff(None if seconds is None else _LATER * seconds)
        cut.opened(partial(shut, connection))
        try:
            with cut.watched():
                found: list[Any] = self._limit.run(self._rows, connection, seed, size, times=_LATER)
        except (RunTimeout, self._server.sqlalchemy.exc.DBAPIError) as error:
            if cut.late or isinstance(error, RunTimeout):
                raise RunTimeout(f"no output within {seconds:g} s") from None
            raise
        cut.check(seconds)
        return found

    def _settle(self, connection: Any, error: Any) -> None:
        """Take the transaction back; a connection over which that cannot be done is no good."""
        try:
            connection.rollback()
        except self._server.sqlalchemy.exc.SQLAlchemyError:
            connection.invalidate()
        if error.connection_invalidated:
            connection.invalidate()

    def _rows(self, connection: Any, seed: float, size: int) -> list[Any]:
        query = self._query.replace(SIZE, str(size))
        run(connection, f"SELECT setseed({seed!r})")
        # No more than can be of use: a result may have more rows than fit into memory.
        run(connection, f"DECLARE audited NO SCROLL CURSOR FOR {query}")
        found = run(connection, f"FETCH {max(size, MOST_PARTS) + 1} FROM audited")
        names = [column[0] for column in found.cursor.description]
        return outputs_of(names, [tuple(row) for row in found.fetchall()])

    def _borrowed(self, table: _Table) -> AbstractContextManager[Any]:
        return self._connections.borrowed(table.number, partial(self._with_table, table.data))

    def _with_table(self, data: Any) -> Any:
        server = self._server
        connection = server.another()
        try:
            create_table(connection, server.sqlalchemy, data)
            connection.commit()
        except (server.sqlalchemy.exc.SQLAlchemyError, ValueError) as error:
            connection.close()
            raise BlackBoxError(
                f"the dataset cannot be the temporary table data ({server.reason(error)})", data
            ) from None
        except BlackBoxError:
            connection.close()
            raise
        run(connection, "SET default_transaction_read_only = on")
        connection.commit()
        self._check_query(connection)
        return connection

    def _check_query(self, connection: Any) -> None:
        """Refuse what is not one query: inside of brackets nothing else can stand."""
        query = self._query.replace(SIZE, "1")
        try:
            run(connection, f"EXPLAIN SELECT * FROM (\n{query}\n) AS audited")
            connection.rollback()
        except self._server.sqlalchemy.exc.DBAPIError as error:
            connection.close()
            raise self._query_error(error) from None

    def _query_error(self, error: Any) -> QueryError:
        return query_error(self._query, reason_of(error.orig))


class _Table(NamedTuple):
    """A dataset, and the number by which its connections are known."""

    number: int
    data: Any


_OF_KIND = {**TYPES, "M": "TIMESTAMP"}


def create_table(connection: Any, sqlalchemy: Any, data: Any) -> None:
    """Make the temporary table `data` hold the dataset, as long as the connection lives.

    Its columns are those that a query run by DuckDB finds (see `sql.create_table`),
    of types double precision, bigint, numeric(20), boolean, timestamp and text.

    Raises:
        BlackBoxError, ValueError: the dataset cannot be a table, or holds text that is none.
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
    cells = [
        None if pd.api.types.is_scalar(cell) and pd.isna(cell) else native(cell)
        for cell in series.tolist()
    ]
    kind = _OF_KIND.get(getattr(series.dtype, "kind", "O")) or _kind_of(cells)
    if kind != "VARCHAR":
        return kind, cells
    dated = (cell.isoformat() if isinstance(cell, datetime.date) else cell for cell in cells)
    return kind, [*map(text_of, dated)]


def _kind_of(cells: list[Any]) -> str:
    held = [cell for cell in cells if cell is not None]
    if held and all(isinstance(cell, bool) for cell in held):
        return "BOOLEAN"
    if held and all(map(is_number, held)):
        return "BIGINT" if all(isinstance(cell, int) for cell in held) else "DOUBLE"
    return "VARCHAR"


def _type(sqlalchemy: Any, kind: str) -> Any:
    return {
        "DOUBLE": sqlalchemy.Double,
        "BIGINT": sqlalchemy.BigInteger,
        "UBIGINT": sqlalchemy.Numeric(20, 0),
        "BOOLEAN": sqlalchemy.Boolean,
        "TIMESTAMP": sqlalchemy.DateTime,
        "VARCHAR": sqlalchemy.Text,
    }[kind]
