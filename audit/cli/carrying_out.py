"""One audit from its flags to its exit code, the same for every kind of black box."""

from __future__ import annotations

from typing import Any

from audit.cli.delivery import check_writable, deliver
from audit.cli.flags import BudgetFlags, OutputFlags
from audit.cli.invocation import Invocation
from audit.cli.progress import progress
from audit.cli.streams import say, stdout_to_stderr
from audit.errors import InputError
from audit.running import run


def carry_out(
    mechanism: Any,
    arguments: dict[str, Any],
    budget: BudgetFlags,
    output: OutputFlags,
    invocation: Invocation,
) -> int:
    """Audit a mechanism and deliver the result.

    Args:
        mechanism: whatever `audit.run` takes.
        arguments: what it is told about claim and datasets.
        budget: how much work, at which level.
        output: where the result goes.
        invocation: the command line.

    Returns:
        The exit code.

    Raises:
        AuditError: an argument makes no sense, or the black box cannot be run.
    """
    check_writable(output)
    check_budget(budget)
    with stdout_to_stderr(), progress(output.progress, budget.max_samples) as tell:
        result = run(
            mechanism,
            **arguments,
            max_samples=budget.max_samples,
            alpha=budget.alpha,
            bins=budget.bins,
            seed=budget.seed,
            workers=budget.workers,
            timeout=budget.timeout,
            null=budget.null,
            command=invocation.reproducing,
            tell=tell,
            warn=say,
        )
    return deliver(result, output)


def check_budget(budget: BudgetFlags) -> None:
    """Refuse what this version cannot do, before it is done in part.

    Raises:
        InputError: there is no store yet, or no worker.
    """
    if budget.store is not None:
        raise InputError(
            f"--store {budget.store!r} is not available in this version; leave it out and give "
            "--max-samples what one sitting allows",
            budget.store,
        )
    if budget.workers < 1:
        raise InputError(f"--workers {budget.workers} is less than 1; give 1 or more", budget)
