"""Connections to a PostgreSQL database, and what its errors mean."""

from __future__ import annotations

import os
import re
import socket
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from audit.blackbox.interface import RunTimeout
from audit.errors import BlackBoxError, InputError, reason_of
from audit.source_code import library
from audit.validation import filled

_SCHEMES = frozenset({"postgres", "postgresql", "postgresql+psycopg"})
_SECRET = ("password", "sslpassword")
_IS_ADDRESS = re.compile(r"\$|[A-Za-z][\w+.-]*://")
_CONNECTING = 10
"""Seconds to connect in."""
_COMING_BACK = 15.0
"""Seconds that a server has to take connections again after it has closed one."""
_BY_VALUE = ("21", "22", "23", "53", "54", "P0")
"""Classes of errors that come from values: outputs by their type, as exceptions are."""
_AS_IT_IS = {"no_parameters": True}
"""Signs of per cent in a statement stand for themselves."""
_TIME_IS_UP = "57014"
_GONE = ("08", "57P")


class ConnectionLost(Exception):
    """The server closed the connection while it ran a query, and takes others since."""

    outcome_name = "connection closed"


def is_address(database: str) -> bool:
    """True if this is the address of a server, or $NAME for one, and no file."""
    return _IS_ADDRESS.match(database) is not None


def run(connection: Any, statement: str) -> Any:
    """The result of a statement as it is written."""
    return connection.exec_driver_sql(statement, execution_options=_AS_IT_IS)


class PostgresServer:
    """A PostgreSQL database that connections are opened to.

    Attributes:
        sqlalchemy: the library.
        shown: its address without anything secret.
    """

    def __init__(self, database: str, seconds: float | None) -> None:
        """Read the address (see `PostgresBlackBox`); nobody is asked yet.

        A statement may take so many seconds, None for no limit.

        Raises:
            InputError: it is none, it shows a password, or something is not installed.
        """
        needed = "a query of PostgreSQL", "SQLAlchemy and psycopg", "postgresql"
        library("psycopg", *needed)
        self.sqlalchemy = library("sqlalchemy", *needed)
        url = self._read(database)
        secrets = [url.password, *(url.query.get(name) for name in _SECRET)]
        self._secrets = [f"{secret}" for secret in secrets if secret]
        if self._secrets and not database.startswith("$"):
            raise InputError(
                "the address of the database holds a password, which every result would show; put "
                "the address into an environment variable and give --database '$VARIABLE', or the "
                "password into PGPASSWORD or a .pgpass file"
            )
        bare = url.set(drivername="postgresql", password=None).difference_update_query(_SECRET)
        self.shown: str = bare.render_as_string()
        self._seconds = seconds
        self._engine = self.sqlalchemy.create_engine(
            url.set(drivername="postgresql+psycopg"),
            poolclass=self.sqlalchemy.pool.NullPool,
            connect_args={"connect_timeout": _CONNECTING, "prepare_threshold": None},
        )

    def connection(self) -> Any:
        """A new connection that follows the seed: one process runs its queries.

        Raises:
            BlackBoxError: there is none to be had.
        """
        try:
            return self._opened()
        except self.sqlalchemy.exc.SQLAlchemyError as error:
            raise BlackBoxError(
                f"no connection to {self.shown} ({self.reason(error)}); check that the server runs "
                "and who may connect",
                self.shown,
            ) from None

    def _opened(self) -> Any:
        opened = self._engine.connect()
        most = 0 if self._seconds is None else max(1, round(1000 * self._seconds))
        run(opened, f"SET statement_timeout = {most}")
        run(opened, "SET max_parallel_workers_per_gather = 0")
        opened.commit()
        return opened

    def another(self) -> Any:
        """One more connection to a server that has taken some: it may be about to start again.

        Raises:
            BlackBoxError: it takes no other.
        """
        deadline = time.monotonic() + _COMING_BACK
        while True:
            try:
                return self._opened()
            except self.sqlalchemy.exc.SQLAlchemyError as error:
                if time.monotonic() > deadline:
                    raise BlackBoxError(
                        f"{self.shown} takes no connection any more ({self.reason(error)}); start "
                        "the server again, and with `store` the same command goes on where "
                        "it stopped",
                        self.shown,
                    ) from None
            time.sleep(0.5)

    def told(self, error: Any) -> Exception | None:
        """Error of an audit for a `sqlalchemy.exc.DBAPIError` of a query.

        Returns:
            An output by its type, or what ends the audit; None where the query is to blame.
        """
        state = getattr(error.orig, "sqlstate", None) or ""
        if state == _TIME_IS_UP:
            return RunTimeout(f"no output within {self._seconds:g} s")
        if error.connection_invalidated or state.startswith(_GONE):
            return self._lost(error)
        by_value = state.startswith(_BY_VALUE) or isinstance(error, self.sqlalchemy.exc.DataError)
        return error.orig if by_value else None

    def reason(self, error: Exception) -> str:
        """An error of SQLAlchemy in one line, in the words of the server, without secrets."""
        words = reason_of(getattr(error, "orig", None) or error)
        for secret in self._secrets:
            words = words.replace(secret, "***")
        return words

    def _lost(self, error: Any) -> Exception:
        """A connection that was closed is an output where the server is still, or again, there."""
        try:
            self.another().close()
        except BlackBoxError as gone:
            return gone
        return ConnectionLost(self.reason(error))

    def _read(self, database: str) -> Any:
        try:
            url = self.sqlalchemy.make_url(filled(database))
        except (self.sqlalchemy.exc.ArgumentError, ValueError):
            url = None
        if url is None or url.drivername not in _SCHEMES:
            # Whatever stands there may hold a password.
            raise InputError(
                "--database is neither a DuckDB file nor an address such as "
                "postgresql://user@localhost:5432/name, nor $VARIABLE with one"
            )
        return url


_MOST_IDLE = 4
"""Connections that one process holds for later; a server has a hundred for everybody."""


class Connections:
    """Connections by the number of the dataset that is a table of theirs.

    One that nobody uses is kept for the same dataset: as many as were ever used at the same
    time, but four at least, of which those of the dataset that was asked for longest ago end
    first. So eight threads have sixteen at most.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._idle: OrderedDict[int, list[Any]] = OrderedDict()
        self._used, self._most = 0, _MOST_IDLE

    @contextmanager
    def borrowed(self, number: int, opened: Callable[[], Any]) -> Iterator[Any]:
        """One that nobody else uses meanwhile, with the table of a dataset; opened if none is left.

        What ends the context by an exception, or leaves a connection invalidated, ends that
        connection: nobody knows what else will come over it.
        """
        found = self._taken(number)
        try:
            found = opened() if found is None else found
            yield found
        except BaseException:
            self._give_back(number, found, keep=False)
            raise
        self._give_back(number, found, keep=not found.invalidated)

    def forget(self, number: int) -> None:
        """End what is kept for a dataset that nobody will ask about again."""
        with self._lock:
            ended = self._idle.pop(number, [])
        for connection in ended:
            _end(connection)

    def _taken(self, number: int) -> Any | None:
        with self._lock:
            self._used += 1
            self._most = max(self._most, self._used)
            kept = self._idle.get(number)
            if kept:
                self._idle.move_to_end(number)
                return kept.pop()
            surplus = self._surplus(self._most - 1)
        for connection in surplus:
            _end(connection)
        return None

    def _give_back(self, number: int, connection: Any | None, keep: bool) -> None:
        with self._lock:
            self._used -= 1
            if keep:
                self._idle.setdefault(number, []).append(connection)
                self._idle.move_to_end(number)
            surplus = self._surplus(self._most)
        for one in surplus if keep or connection is None else [connection, *surplus]:
            _end(one)

    def _surplus(self, most: int) -> list[Any]:
        """Those that are too many, which are kept no longer."""
        surplus = []
        while sum(map(len, self._idle.values())) > most:
            number, kept = next(iter(self._idle.items()))
            surplus += [kept.pop()] if kept else []
            if not kept:
                del self._idle[number]
        return surplus


def shut(connection: Any) -> None:
    """End a connection for whoever waits for what comes over it, in another thread."""
    number = connection.connection.dbapi_connection.pgconn.socket
    with socket.socket(fileno=os.dup(number)) as held:
        held.shutdown(socket.SHUT_RDWR)


def _end(connection: Any) -> None:
    connection.invalidate()
    connection.close()
