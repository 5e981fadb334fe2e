"""`audit command`: a program in any language."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from audit.blackbox.command import CommandBlackBox
from audit.frontends.cli.carrying_out import carry_out
from audit.frontends.cli.datasets import dataset_arguments
from audit.frontends.cli.flags import BudgetFlags, ClaimFlags, DataFlags, NameFlag, OutputFlags
from audit.frontends.cli.invocation import Invocation


def command(
    *words: Annotated[
        str,
        Parameter(
            name="PROGRAM",
            negative="",
            allow_leading_hyphen=False,
            help="the program and its arguments, behind --; {data} {output} {epsilon} {size} "
            "{seed} are filled in",
        ),
    ],
    claim: ClaimFlags = ClaimFlags(),
    data: DataFlags = DataFlags(),
    budget: BudgetFlags = BudgetFlags(),
    named: NameFlag = NameFlag(),
    output: OutputFlags = OutputFlags(),
    invocation: Annotated[Invocation, Parameter(parse=False)],
) -> int:
    """Run a program again and again, deliver the result."""
    box = CommandBlackBox(words, claim.epsilon, budget.timeout, records=data.records)
    arguments = dataset_arguments(claim, data) | claim.given() | named.given()
    return carry_out(box, arguments, budget, output, invocation)
