"""`audit http`: a web service."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from audit.blackbox.http import HttpBlackBox
from audit.frontends.cli.budget_flags import BudgetFlags
from audit.frontends.cli.carrying_out import carry_out
from audit.frontends.cli.claim_flags import ClaimFlags
from audit.frontends.cli.data_flags import DATA, DataFlags
from audit.frontends.cli.datasets import dataset_arguments
from audit.frontends.cli.invocation import Invocation
from audit.frontends.cli.output_flags import NameFlag, OutputFlags


def command(
    url: Annotated[
        str | None, Parameter(help="where to POST, such as http://127.0.0.1:8000/count", show=True)
    ] = None,
    /,
    *,
    url_template: Annotated[
        str | None,
        Parameter(
            group=DATA,
            help="GET this address instead, with {data} {size} {seed} {epsilon} filled in",
        ),
    ] = None,
    header: Annotated[
        list[str] | None,
        Parameter(
            group=DATA,
            negative="",
            help="'NAME: VALUE' with every request, or 'NAME: $VARIABLE' for a value from the "
            "environment, which no result shows (repeatable)",
        ),
    ] = None,
    bearer_env: Annotated[
        str | None,
        Parameter(group=DATA, help="environment variable that holds the bearer token"),
    ] = None,
    rate: Annotated[
        float | None,
        Parameter(group=DATA, help="requests a second at most, by all workers together"),
    ] = None,
    claim: ClaimFlags = ClaimFlags(),
    data: DataFlags = DataFlags(),
    budget: BudgetFlags = BudgetFlags(),
    named: NameFlag = NameFlag(),
    output: OutputFlags = OutputFlags(),
    invocation: Annotated[Invocation, Parameter(parse=False)],
) -> int:
    """Ask a service again and again, deliver the result."""
    box = HttpBlackBox(
        url,
        template=url_template,
        headers=header or (),
        bearer=bearer_env,
        rate=rate,
        epsilon=claim.epsilon,
        timeout=budget.timeout,
    )
    arguments = dataset_arguments(claim, data) | claim.given() | named.given()
    return carry_out(box, arguments, budget, output, invocation)
