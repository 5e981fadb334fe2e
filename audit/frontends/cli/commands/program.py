"""`audit command`: a program in any language."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from audit.blackbox.command import CommandBlackBox
from audit.blackbox.interface import BlackBox
from audit.blackbox.served import ServedBlackBox
from audit.frontends.cli.budget_flags import BudgetFlags
from audit.frontends.cli.carrying_out import carry_out
from audit.frontends.cli.claim_flags import ClaimFlags
from audit.frontends.cli.data_flags import DATA, DataFlags
from audit.frontends.cli.datasets import dataset_arguments
from audit.frontends.cli.invocation import Invocation
from audit.frontends.cli.output_flags import NameFlag, OutputFlags


def command(
    *words: Annotated[
        str,
        Parameter(
            name="PROGRAM",
            negative="",
            allow_leading_hyphen=False,
            help="the program and its arguments, after --; {data} {output} {epsilon} {size} "
            "{seed} are filled in",
        ),
    ],
    serve: Annotated[
        bool,
        Parameter(
            group=DATA,
            negative="",
            help="the program keeps running: it reads one JSON object a line, with data, size and "
            "seed, and writes one JSON list of outputs a line",
        ),
    ] = False,
    claim: ClaimFlags = ClaimFlags(),
    data: DataFlags = DataFlags(),
    budget: BudgetFlags = BudgetFlags(),
    named: NameFlag = NameFlag(),
    output: OutputFlags = OutputFlags(),
    invocation: Annotated[Invocation, Parameter(parse=False)],
) -> int:
    """Run a program many times, or ask one that keeps running; deliver the result."""
    epsilon, timeout = claim.epsilon, budget.timeout
    box: BlackBox = (
        ServedBlackBox(words, epsilon, timeout)
        if serve
        else CommandBlackBox(words, epsilon, timeout, records=data.records)
    )
    arguments = dataset_arguments(claim, data) | claim.given() | named.given()
    return carry_out(box, arguments, budget, output, invocation)
