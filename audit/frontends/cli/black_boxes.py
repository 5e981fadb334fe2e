"""`audit python`, `command`, `sql` and `http`: audits of black boxes."""

from __future__ import annotations

from typing import Annotated, Any

from cyclopts import Parameter

from audit.blackbox.command import CommandBlackBox
from audit.blackbox.http import HttpBlackBox
from audit.blackbox.interface import BlackBox
from audit.blackbox.postgres import PostgresBlackBox
from audit.blackbox.postgres_server import is_address
from audit.blackbox.python import PythonBlackBox
from audit.blackbox.served import ServedBlackBox
from audit.blackbox.sql import SqlBlackBox, frame_of
from audit.frontends.cli.carrying_out import carry_out, check_budget, dataset_arguments
from audit.frontends.cli.flags import DATA, AuditFlags, helped
from audit.frontends.cli.folding import stdout_to_stderr
from audit.frontends.cli.invocation import Call

Shown = Annotated[str, Parameter(show=True)]
OfData = Annotated[str | None, Parameter(group=DATA)]


@helped
def python(address: Shown, /, *, flags: AuditFlags = AuditFlags(), invocation: Call) -> int:
    """Load a function, audit it, deliver the result.

    Args:
        address: FILE.py:FUNCTION or package.module:function.
        flags: of the audit.
        invocation: the command line.
    """
    check_budget(flags.budget)
    arguments = {"name": address} | dataset_arguments(flags)
    with stdout_to_stderr():
        box = PythonBlackBox.at(address, flags.budget.timeout, flags.data.records, address)
    return carry_out(box, arguments, flags, invocation)


@helped
def command(
    *words: Annotated[str, Parameter(name="PROGRAM", negative="", allow_leading_hyphen=False)],
    serve: Annotated[bool, Parameter(group=DATA, negative="")] = False,
    flags: AuditFlags = AuditFlags(),
    invocation: Call,
) -> int:
    """Run a program many times, or ask one that keeps running; deliver the result.

    Args:
        words: the program and its arguments, after --; {data} {output} {epsilon} {size} {seed} are
            filled in.
        serve: the program keeps running: it reads one JSON object a line, with data, size and
            seed, and writes one JSON list of outputs a line.
        flags: of the audit.
        invocation: the command line.
    """
    epsilon, timeout = flags.claim.epsilon, flags.budget.timeout
    box: BlackBox = (
        ServedBlackBox(words, epsilon, timeout)
        if serve
        else CommandBlackBox(words, epsilon, timeout, records=flags.data.records)
    )
    return carry_out(box, dataset_arguments(flags), flags, invocation)


@helped
def sql(
    query: Shown, /, *, database: OfData = None, flags: AuditFlags = AuditFlags(), invocation: Call
) -> int:
    """Run a query again and again, deliver the result.

    Args:
        query: one SELECT statement; the dataset is its table `data`.
        database: DuckDB file with further tables, opened for reading; or a PostgreSQL server that
            runs the query: postgresql://USER@HOST/NAME, or '$VARIABLE' for one from the
            environment, which no result shows.
        flags: of the audit.
        invocation: the command line.
    """
    box: BlackBox = (
        PostgresBlackBox(query, database, flags.budget.timeout)
        if database is not None and is_address(database)
        else SqlBlackBox(query, database, flags.budget.timeout)
    )
    return carry_out(box, _tables(dataset_arguments(flags)), flags, invocation)


def _tables(arguments: dict[str, Any]) -> dict[str, Any]:
    """Rows with named columns as tables, so that those without rows have the columns too."""

    def table(rows: Any) -> Any:
        named = isinstance(rows, list) and rows and isinstance(rows[0], dict)
        return frame_of(rows) if named else rows

    several = [key for key in ("neighbors", "more_data") if key in arguments]
    lists = {key: list(map(table, arguments[key])) for key in several}
    return arguments | lists | {"data": table(arguments.get("data"))}


@helped
def http(
    url: Annotated[str | None, Parameter(show=True)] = None,
    /,
    *,
    url_template: OfData = None,
    header: Annotated[list[str] | None, Parameter(group=DATA, negative="")] = None,
    bearer_env: OfData = None,
    rate: Annotated[float | None, Parameter(group=DATA)] = None,
    flags: AuditFlags = AuditFlags(),
    invocation: Call,
) -> int:
    """Ask a service again and again, deliver the result.

    Args:
        url: where to POST, such as http://127.0.0.1:8000/count.
        url_template: GET this address instead, with {data} {size} {seed} {epsilon} filled in.
        header: 'NAME: VALUE' with every request, or 'NAME: $VARIABLE' for a value from the
            environment, which no result shows (repeatable).
        bearer_env: environment variable that holds the bearer token.
        rate: requests a second at most, by all workers together.
        flags: of the audit.
        invocation: the command line.
    """
    box = HttpBlackBox(
        url,
        template=url_template,
        headers=header or (),
        bearer=bearer_env,
        rate=rate,
        epsilon=flags.claim.epsilon,
        timeout=flags.budget.timeout,
    )
    return carry_out(box, dataset_arguments(flags), flags, invocation)
