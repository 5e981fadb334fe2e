"""A SQL query as a black box, run by a PostgreSQL server."""

from __future__ import annotations

import weakref
from collections import OrderedDict
from collections.abc import Callable
from itertools import count
from typing import Any

from numpy.random import Generator

from audit.blackbox.asked_again import AskedAgain
from audit.blackbox.interface import RunTimeout
from audit.blackbox.isolation.time_limit import Patience, TimeLimit
from audit.blackbox.output_copy import taken
from audit.blackbox.output_size import MOST_PARTS
from audit.blackbox.postgres_server import PostgresServer, run
from audit.blackbox.postgres_table import create_table
from audit.blackbox.sql import SIZE, QueryError, check_rows
from audit.blackbox.sql_result import outputs_of
from audit.errors import BlackBoxError, reason_of

_MOST_OPEN = 4
"""Connections that one process holds; a server has a hundred for everybody."""
_LATER = 1.5
"""Where the server does not keep the time-out, this many times it is waited for."""

Drawn = tuple["BoundPostgresQuery", float, int]


class PostgresBlackBox:
    """A query that draws its own noise with random() of PostgreSQL.

    The dataset is the temporary table `data`, which stands before a table of that name; the
    other tables of the database can be read and not changed. Every query runs in a
    transaction of its own, which is taken back. The result is read as from DuckDB (see
    `SqlBlackBox`), also with {size} in the query.

    Each query starts with setseed, and one process runs it. Functions of the server may
    have randomness of their own: the first queries are run again, and where the answers
    differ, what bets win is confirmed in blocks of calls.

    Outputs are also: an error that depends on values (overflow, a cast, RAISE), a time-out,
    and a connection that the server closed while it still takes others.

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
        self._origin = (query, database, timeout, name)
        self._numbers = count()
        self._open: OrderedDict[int, Any] = OrderedDict()
        self._again, self._asked = AskedAgain(), dict[bytes, Drawn]()
        self._checks_seed = self.seeded

    @property
    def identity(self) -> tuple[Any, ...]:
        """What its outputs depend on besides data and randomness, without anything secret."""
        return "postgresql", self._query, self._server.shown, self._limit.seconds

    @property
    def ignores_seed(self) -> bool:
        """Whether the same data and seed were ever seen to give other outputs."""
        return self._again.differed

    @property
    def lives(self) -> bool:
        """Whether it may keep something between calls that nobody here can see."""
        return self._again.differed

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        """In another process connections are opened anew, and secrets read there."""
        return _copy, self._origin

    def bind(self, data: Any) -> BoundPostgresQuery:
        """See `BlackBox.bind`; the dataset becomes a table of a connection of its own."""
        bound = BoundPostgresQuery(self, data, next(self._numbers))
        # Not the box, which may hold what it is to be told of.
        weakref.finalize(bound, _close, self._open, bound.number)
        self._connection(bound)
        return bound

    def output(self, bound: BoundPostgresQuery, rng: Generator, size: int) -> Any:
        """What one query gives (see `BoundBox.draw`).

        Args:
            bound: the dataset.
            rng: source of the seed.
            size: outputs wanted.

        Returns:
            One output, or with `many` a list of `size` outputs.

        Raises:
            Exception: whatever is an output by its type.
            QueryError: the database cannot run it, whatever the data.
            BlackBoxError: the result has another number of rows, or the server is gone.
        """
        seed = 2.0 * rng.random() - 1.0
        outputs = self._patience.run(self._drawn, bound, seed, size)
        self._compare((bound, seed, size), outputs)
        if self.many:
            return check_rows(outputs, size, "FROM generate_series(1, {size})")
        return taken(outputs[0] if len(outputs) == 1 else outputs)

    def prepare(self, bound: BoundPostgresQuery) -> None:
        """Make the table of a dataset, if it is not there.

        Args:
            bound: the dataset.

        Raises:
            BlackBoxError: it cannot be a table, or the server is gone.
        """
        self._connection(bound)

    def _compare(self, drawn: Drawn, outputs: list[Any]) -> None:
        """Ask the first questions again, once there are enough of them."""
        if self._checks_seed and not self._again.full:
            question = f"{drawn[0].number} {drawn[1:]}".encode()
            self._asked[question] = drawn
            self._again.note(question, repr(outputs).encode())
            if self._again.answers(self._ask) is not None:
                self._asked.clear()

    def _ask(self, question: bytes) -> bytes:
        return repr(self._drawn(*self._asked[question])).encode()

    def _drawn(self, bound: BoundPostgresQuery, seed: float, size: int) -> list[Any]:
        """Outputs, after which the connection is as it was before, or closed."""
        errors = self._server.sqlalchemy.exc
        connection = self._connection(bound)
        try:
            found: list[Any] = self._limit.run(self._rows, connection, seed, size, times=_LATER)
            connection.rollback()
        except errors.DBAPIError as error:
            self._settle(bound, error)
            told = self._server.told(error)
            raise (self._query_error(error) if told is None else told) from None
        except BaseException as error:
            # Nobody knows what else will come over it.
            _close(self._open, bound.number)
            if isinstance(error, RunTimeout):
                raise RunTimeout(f"no output within {self._limit.seconds:g} s") from None
            raise
        return found

    def _settle(self, bound: BoundPostgresQuery, error: Any) -> None:
        try:
            self._open[bound.number].rollback()
        except self._server.sqlalchemy.exc.SQLAlchemyError:
            _close(self._open, bound.number)
        if error.connection_invalidated:
            _close(self._open, bound.number)

    def _rows(self, connection: Any, seed: float, size: int) -> list[Any]:
        query = self._query.replace(SIZE, str(size))
        run(connection, f"SELECT setseed({seed!r})")
        # No more than can be of use: a result may have more rows than fit into memory.
        run(connection, f"DECLARE audited NO SCROLL CURSOR FOR {query}")
        found = run(connection, f"FETCH {max(size, MOST_PARTS) + 1} FROM audited")
        names = [column[0] for column in found.cursor.description]
        return outputs_of(names, [tuple(row) for row in found.fetchall()])

    def _connection(self, bound: BoundPostgresQuery) -> Any:
        """The connection on which the dataset is a table, made or found."""
        found = self._open.pop(bound.number, None)
        if found is None:
            found = self._with_table(bound.data)
        self._open[bound.number] = found
        while len(self._open) > _MOST_OPEN:
            _close(self._open, next(iter(self._open)))
        return found

    def _with_table(self, data: Any) -> Any:
        server = self._server
        connection = server.connection()
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
        reason = reason_of(error.orig)
        return QueryError(f"query {self._query!r} cannot be run: {reason}", self._query)


class BoundPostgresQuery:
    """A query and its dataset.

    Attributes:
        box: runs the query.
        data: the dataset.
        number: by which the box knows its connection.
    """

    __slots__ = ("__weakref__", "box", "data", "number")

    def __init__(self, box: PostgresBlackBox, data: Any, number: int) -> None:
        self.box, self.data, self.number = box, data, number

    def draw(self, rng: Generator, size: int) -> Any:
        """See `BoundBox.draw`."""
        return self.box.output(self, rng, size)

    def ready(self) -> Callable[[Generator, int], Any]:
        """What is left of `draw` once its table is there, whose making is not to be timed."""
        self.box.prepare(self)
        return self.draw


def _close(connections: OrderedDict[int, Any], number: int) -> None:
    connection = connections.pop(number, None)
    if connection is not None:
        connection.invalidate()
        connection.close()


def _copy(*origin: Any) -> PostgresBlackBox:
    """A copy for a worker: whether the seed is followed, the original has found out."""
    box = PostgresBlackBox(*origin)
    box._checks_seed = False
    return box
