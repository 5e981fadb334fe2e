"""`audit sql`: a query with noise of its own."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from audit.blackbox.interface import BlackBox
from audit.blackbox.postgres import PostgresBlackBox
from audit.blackbox.postgres_server import is_address
from audit.blackbox.sql import SqlBlackBox
from audit.frontends.cli.budget_flags import BudgetFlags
from audit.frontends.cli.carrying_out import carry_out
from audit.frontends.cli.claim_flags import ClaimFlags
from audit.frontends.cli.data_flags import DATA, DataFlags
from audit.frontends.cli.datasets import dataset_arguments
from audit.frontends.cli.invocation import Invocation
from audit.frontends.cli.output_flags import NameFlag, OutputFlags


def command(
    query: Annotated[
        str, Parameter(help="one SELECT statement; the dataset is its table `data`", show=True)
    ],
    /,
    *,
    database: Annotated[
        str | None,
        Parameter(
            group=DATA,
            help="DuckDB file with further tables, opened for reading; or a PostgreSQL server that "
            "runs the query: postgresql://USER@HOST/NAME, or '$VARIABLE' for one from the "
            "environment, which no result shows",
        ),
    ] = None,
    claim: ClaimFlags = ClaimFlags(),
    data: DataFlags = DataFlags(),
    budget: BudgetFlags = BudgetFlags(),
    named: NameFlag = NameFlag(),
    output: OutputFlags = OutputFlags(),
    invocation: Annotated[Invocation, Parameter(parse=False)],
) -> int:
    """Run a query again and again, deliver the result."""
    box: BlackBox = (
        PostgresBlackBox(query, database, budget.timeout)
        if database is not None and is_address(database)
        else SqlBlackBox(query, database, budget.timeout)
    )
    arguments = dataset_arguments(claim, data) | claim.given() | named.given()
    return carry_out(box, arguments, budget, output, invocation)
