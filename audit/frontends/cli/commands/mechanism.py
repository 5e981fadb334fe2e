"""`audit MECHANISM`: a mechanism of the catalogue, its parameters as flags."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from cyclopts import Parameter

from audit.declaration import Entry
from audit.frontends.cli.budget_flags import BudgetFlags
from audit.frontends.cli.carrying_out import carry_out
from audit.frontends.cli.data_flags import DataFlags
from audit.frontends.cli.datasets import entry_arguments
from audit.frontends.cli.invocation import Invocation
from audit.frontends.cli.output_flags import NameFlag, OutputFlags
from audit.frontends.cli.parameters import claim_arguments, claim_flags_of, flags_of, rebuilt


def command_for(entry: Entry) -> Callable[..., int]:
    """The command that audits an entry."""
    own_flags, claim_flags = flags_of(entry.mechanism), claim_flags_of(entry.mechanism)
    own_default, claim_default = own_flags(), claim_flags()

    def audited(
        *,
        own: Any = own_default,
        claim: Any = claim_default,
        data: DataFlags = DataFlags(),
        budget: BudgetFlags = BudgetFlags(),
        named: NameFlag = NameFlag(),
        output: OutputFlags = OutputFlags(),
        invocation: Annotated[Invocation, Parameter(parse=False)],
    ) -> int:
        chosen = rebuilt(entry, own, claim)
        arguments = entry_arguments(entry, claim, data) | claim_arguments(chosen.mechanism, claim)
        return carry_out(chosen, arguments | named.given(), budget, output, invocation)

    flattened = Parameter(name="*")
    audited.__annotations__ |= {
        "own": Annotated[own_flags, flattened],
        "claim": Annotated[claim_flags, flattened],
    }
    audited.__doc__ = f"Audit {entry.name}: {entry.summary}."
    return audited


def examples(entry: Entry) -> tuple[str, ...]:
    """Command lines worth trying."""
    return (
        f"audit {entry.name}",
        f"audit {entry.name} --report reports",
        f"audit {entry.name} --max-samples 2000000 --format json",
    )
