"""`audit samples`: outputs that were recorded elsewhere."""

from __future__ import annotations

from dataclasses import fields
from typing import Annotated

from cyclopts import Parameter

from audit.errors import InputError
from audit.frontends.cli.carrying_out import check_budget
from audit.frontends.cli.flags import AuditFlags, BudgetFlags, DataFlags
from audit.frontends.cli.folding import say
from audit.frontends.cli.invocation import Call
from audit.frontends.cli.output import check_writable, deliver
from audit.relation import Relation
from audit.verdict.recorded.run import samples

_ABOUT_DRAWING = (
    *("assume", "max_samples", "max_seconds", "until", "seed", "workers"),
    *("timeout", "cluster", "store", "ledger", "timing"),
)


def command(
    *files: Annotated[
        str,
        Parameter(
            name="FILE", negative="", help="outputs on D, then those on D1, D2, ...; one per line"
        ),
    ],
    shuffle: Annotated[
        int | None,
        Parameter(
            name="--shuffle",
            negative="",
            help="seed of a random order of the lines; for independent draws that were sorted "
            "or grouped afterwards",
        ),
    ] = None,
    flags: AuditFlags = AuditFlags(),
    invocation: Call,
) -> int:
    """Audit recorded outputs, deliver the result."""
    claim, data, budget = flags.claim, flags.data, flags.budget
    check_writable(flags.output)
    check_budget(budget)
    _check(data, budget)
    result = samples(
        files,
        claim.claim,
        relation=claim.relation or Relation.ADD_REMOVE,
        bins=budget.bins,
        alpha=budget.alpha,
        column=data.column,
        null=budget.null,
        shuffle=shuffle,
        command=invocation.reproducing,
        **flags.named.given(),
    )
    return deliver(result, flags.output)


def _check(data: DataFlags, budget: BudgetFlags) -> None:
    """Refuse flags that contradict the files; tell which others say nothing about them."""
    given = [f.name for f in fields(data) if getattr(data, f.name) not in (None, (), False)]
    refused = [f"--{name}" for name in given if name != "column"]
    if refused:
        raise InputError(
            f"{refused[0]} has no place here: the recorded files are all there is; leave it out",
            refused,
        )
    for name in _ABOUT_DRAWING:
        if getattr(budget, name) != getattr(BudgetFlags(), name):
            say(f"--{name.replace('_', '-')} changes nothing: recorded outputs are not drawn")
