"""A SQL query as a black box, run by DuckDB inside this process."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import Any

from numpy.random import Generator

from audit.blackbox.interface import Bound
from audit.blackbox.output import MOST_PARTS, taken
from audit.blackbox.postgres_server import is_address
from audit.blackbox.sql_table import create_table, outputs_of
from audit.blackbox.time_limit import Patience, TimeLimit
from audit.errors import BlackBoxError, InputError, reason_of
from audit.source_code import library

SIZE = "{size}"
"""In a query: how many rows are wanted."""


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
        self._origin = (query, database, timeout, name)
        self._query = query
        self._check_query()
        self._database = self._open(database)

    @property
    def identity(self) -> tuple[Any, ...]:
        """Everything but data and randomness that outputs depend on; a file by its contents."""
        query, database, timeout, _ = self._origin
        return query, None if database is None else Path(database), timeout

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        """Open the database anew in another process."""
        return SqlBlackBox, self._origin

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
        kinds = self._duckdb
        by_value = (
            kinds.DataError,
            kinds.InvalidInputException,
            kinds.OutOfMemoryException,
            kinds.ConstraintException,
        )
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
            raise query_error(
                self._query, "it has parameters without values; write the values into it"
            )

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
    """What a query gave.

    Args:
        outputs: one for each row.
        size: how many were asked for; None where all rows are one output.
        example: how a query gives so many.

    Raises:
        BlackBoxError: there is another number of them.
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
