"""`audit python`: a function of somebody's own."""

from __future__ import annotations

import inspect
from typing import Annotated, Any

from cyclopts import Parameter

from audit.blackbox.callables import load_callable
from audit.blackbox.python import released_by
from audit.frontends.cli.budget_flags import BudgetFlags
from audit.frontends.cli.carrying_out import carry_out
from audit.frontends.cli.claim_flags import ClaimFlags
from audit.frontends.cli.data_flags import DataFlags
from audit.frontends.cli.datasets import dataset_arguments
from audit.frontends.cli.folding import stdout_to_stderr
from audit.frontends.cli.invocation import Invocation
from audit.frontends.cli.output_flags import NameFlag, OutputFlags


def command(
    address: Annotated[
        str, Parameter(help="FILE.py:FUNCTION or package.module:function", show=True)
    ],
    /,
    *,
    claim: ClaimFlags = ClaimFlags(),
    data: DataFlags = DataFlags(),
    budget: BudgetFlags = BudgetFlags(),
    named: NameFlag = NameFlag(),
    output: OutputFlags = OutputFlags(),
    invocation: Annotated[Invocation, Parameter(parse=False)],
) -> int:
    """Load a function, audit it, deliver the result."""
    arguments = dataset_arguments(claim, data) | claim.given() | {"name": address} | named.given()
    with stdout_to_stderr():
        mechanism = _instance(load_callable(address))
    return carry_out(mechanism, arguments, budget, output, invocation)


def _instance(found: Any) -> Any:
    """A class without arguments stands for its instance, which knows its own claim."""
    if not inspect.isclass(found):
        return found
    called = released_by(found)
    return getattr(called, "__self__", called)
