"""One audit from its flags to its exit code, the same for every kind of black box."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from audit.case import check_time
from audit.engine.run import run
from audit.errors import InputError, Interrupted, reason_of
from audit.frontends import github
from audit.frontends.cli.budget_flags import BudgetFlags
from audit.frontends.cli.delivery import INTERRUPTED, check_writable, deliver
from audit.frontends.cli.folding import printing_folded, say, whole
from audit.frontends.cli.invocation import Invocation
from audit.frontends.cli.output_flags import OutputFlags
from audit.frontends.cli.progress import progress
from audit.sampling.ledger import check_kept
from audit.validation import as_flag, check_amounts
from audit.verdict.result import AuditResult


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
    check_writable(output, budget.store, budget.ledger)
    check_budget(budget)
    try:
        with (
            printing_folded(),
            executor_at(budget.cluster, budget.workers) as (executor, workers),
            progress(output.progress, budget.max_samples, budget.max_seconds) as on_event,
        ):
            result = run(
                mechanism,
                **arguments,
                **budget.given(),
                workers=workers,
                executor=executor,
                command=invocation.reproducing,
                on_event=on_event,
            )
    except Interrupted as interrupt:
        say("interrupted; this is the evidence so far")
        deliver(_repeated(interrupt.result, invocation), output)
        return INTERRUPTED
    result = _repeated(result, invocation)
    github.show([result], whole)
    return deliver(result, output)


def _repeated(result: AuditResult, invocation: Invocation) -> AuditResult:
    """The result with a command that gives the same numbers, also without its ledger."""
    standing = result.standing
    if standing is None:
        return result
    command = invocation.repeating(result.alpha, result.seed, standing.runs)
    return replace(result, command=command)


def check_budget(budget: BudgetFlags) -> None:
    """Refuse budgets that make no sense, before any work is done; once, also in a survey.

    Raises:
        InputError: a number is out of its range, or there are two kinds of workers.
    """
    check_amounts(
        as_flag,
        alpha=budget.alpha,
        bins=budget.bins,
        max_samples=budget.max_samples,
        seed=budget.seed,
        workers=budget.workers,
        timeout=budget.timeout,
    )
    check_time(budget.max_seconds, budget.store, budget.timing, as_flag)
    check_kept(budget.ledger, budget.store, budget.null)
    if budget.cluster is not None and budget.workers > 1:
        raise InputError(
            f"--workers {budget.workers} and --cluster {budget.cluster!r} say two things; give one "
            "of them",
            budget,
        )


_PATIENCE = 5
"""Seconds to wait for a scheduler."""


@contextmanager
def executor_at(address: str | None, workers: int) -> Iterator[tuple[Executor | None, int]]:
    """The workers of a scheduler as an executor, and how many there are.

    Where no address is given there is none, and as many workers as were asked for.

    Raises:
        InputError: Dask is not installed, or nothing answers there.
    """
    if address is None:
        yield None, workers
        return
    try:
        distributed = importlib.import_module("distributed")
    except ImportError:
        raise InputError(
            f"--cluster {address!r} needs Dask; install it with: pip install 'dp-audit[cluster]'",
            address,
        ) from None
    try:
        client = distributed.Client(address, timeout=_PATIENCE)
    except (OSError, ValueError, TypeError) as error:
        raise InputError(
            f"--cluster {address!r} does not answer ({reason_of(error)}); give the address of a "
            "running scheduler, as tcp://host:8786",
            address,
        ) from error
    with client:
        yield client.get_executor(), max(1, sum(client.nthreads().values()))
