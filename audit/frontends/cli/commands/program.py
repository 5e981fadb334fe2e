"""`audit command`: a program in any language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from cyclopts import Group, Parameter

from audit.blackbox.command import CommandBlackBox
from audit.blackbox.interface import BlackBox
from audit.blackbox.served import ServedBlackBox
from audit.errors import InputError
from audit.frontends.cli.carrying_out import carry_out
from audit.frontends.cli.datasets import dataset_arguments
from audit.frontends.cli.flags import BudgetFlags, ClaimFlags, DataFlags, NameFlag, OutputFlags
from audit.frontends.cli.invocation import Invocation

PROGRAM = Group("Program")


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
    serve: Annotated[
        bool,
        Parameter(
            group=PROGRAM,
            negative="",
            help="the program stays: it reads one JSON object a line, with data, size and seed, "
            "and writes one JSON list of outputs a line",
        ),
    ] = False,
    claim: ClaimFlags = ClaimFlags(),
    data: DataFlags = DataFlags(),
    budget: BudgetFlags = BudgetFlags(),
    named: NameFlag = NameFlag(),
    output: OutputFlags = OutputFlags(),
    invocation: Annotated[Invocation, Parameter(parse=False)],
) -> int:
    """Run a program again and again, or ask one that stays; deliver the result."""
    box = _served(words, claim, data, budget) if serve else _run_anew(words, claim, data, budget)
    arguments = dataset_arguments(claim, data) | claim.given() | named.given()
    return carry_out(box, arguments, budget, output, invocation)


def _run_anew(
    words: Sequence[str], claim: ClaimFlags, data: DataFlags, budget: BudgetFlags
) -> BlackBox:
    return CommandBlackBox(words, claim.epsilon, budget.timeout, records=data.records)


def _served(
    words: Sequence[str], claim: ClaimFlags, data: DataFlags, budget: BudgetFlags
) -> BlackBox:
    if data.records is not None:
        raise InputError(
            f"--records {data.records} is for programs that read a file; one that stays gets "
            "records as JSON, a table as a list of objects, so leave it out",
            data.records,
        )
    return ServedBlackBox(words, claim.epsilon, budget.timeout)
