"""One audit from its flags to its exit code, the same for every kind of black box."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

from audit.case import check_time
from audit.declaration import Entry
from audit.engine.run import run
from audit.errors import AuditError, InputError, Interrupted, reason_of
from audit.frontends import github
from audit.frontends.cli.flags import AuditFlags, BudgetFlags
from audit.frontends.cli.folding import printing_folded, say, whole
from audit.frontends.cli.invocation import Invocation
from audit.frontends.cli.output import INTERRUPTED, check_writable, deliver
from audit.frontends.cli.progress import progress
from audit.neighbors.data_files import read_data
from audit.sampling.ledger import check_kept
from audit.validation import as_flag, check_amounts
from audit.verdict.result import AuditResult

_SPEAKS_FOR_ITSELF = (".json", ".jsonl", ".npy", ".parquet", ".pq")
"""Files of these kinds say what they hold; a mechanism's own reader is not asked."""


def dataset_arguments(flags: AuditFlags) -> dict[str, Any]:
    """Claim, data, neighbors, relation, domain, search, name and the rest as they were given.

    Raises:
        ClaimError: there is no such claim.
        InputError: a dataset cannot be read, or the name is blank.
    """
    return {"claim": flags.claim.claim} | _read(flags, read_data)


def entry_arguments(entry: Entry, flags: AuditFlags) -> dict[str, Any]:
    """The same without a claim for a mechanism of the catalogue, which may have a file layout.

    Raises:
        InputError: a dataset cannot be read, or the name is blank.
    """
    arguments = _read(flags, partial(_read_for, entry))
    if not flags.data.data:
        # The entry's D is named where its own neighbors are of another relation or replaced.
        related = flags.claim.relation in (None, entry.relation)
        return arguments | {"data": None if related and not flags.data.neighbor else entry.data}
    alone = len(flags.data.data) == 1 and not flags.data.neighbor
    return arguments | _classic(entry, arguments) if alone else arguments


def _read(flags: AuditFlags, read: Callable[[str, str | None], Any]) -> dict[str, Any]:
    """Arguments of `audit.run` about the datasets; the first, and those after it if there are any.

    A dataset is read from its text or file, and a column.
    """
    data = flags.data
    if data.column is not None and not data.data and not data.neighbor:
        raise InputError(
            f"--column {data.column!r} needs a table to take it from; give --data", data.column
        )
    first, *others = [read(given, data.column) for given in data.data] or [None]
    return {
        "relation": flags.claim.relation,
        "data": first,
        **({"more_data": others} if others else {}),
        "neighbors": [read(neighbor, data.column) for neighbor in data.neighbor],
        "domain": data.domain,
        "special": data.special,
        "search": data.search,
        "records": data.records,
        **flags.named.given(),
    }


def _classic(entry: Entry, arguments: dict[str, Any]) -> dict[str, Any]:
    """The mechanism's own choice of D1, D2, ... for somebody's data."""
    if entry.classic is None or arguments["relation"] not in (None, entry.relation):
        return {}
    searched = arguments["search"]
    if searched is None:
        searched = (arguments["domain"] or entry.domain) is not None
    with _failures_named(entry):
        return {"neighbors": list(entry.classic(arguments["data"])), "search": searched}


@contextmanager
def _failures_named(entry: Entry) -> Iterator[None]:
    """Turn what a mechanism's own code raises at somebody's data into one line."""
    try:
        yield
    except AuditError:
        raise
    except Exception as error:
        raise InputError(
            f"{entry.name} cannot use what --data names ({reason_of(error)}); give records of the "
            "kind that it has by itself",
            error,
        ) from error


def _read_for(entry: Entry, given: str, column: str | None) -> Any:
    suffix = os.path.splitext(given)[1].lower()
    named = bool(given) and os.path.isfile(given)
    if entry.reader is None or column is not None or not named or suffix in _SPEAKS_FOR_ITSELF:
        return read_data(given, column)
    with _failures_named(entry):
        found, notes = entry.reader(given)
    for note in notes:
        say(note)
    return found


def carry_out(
    mechanism: Any, arguments: dict[str, Any], flags: AuditFlags, invocation: Invocation
) -> int:
    """Audit a mechanism, with arguments about claim and datasets; deliver the result.

    Returns the exit code.

    Raises:
        AuditError: an argument makes no sense, or the black box cannot be run.
    """
    budget, output = flags.budget, flags.output
    check_writable(output, budget.store, budget.ledger)
    check_budget(budget)
    try:
        with (
            printing_folded(),
            executor_at(budget.cluster, budget.workers) as (executor, workers),
            progress(output.progress, budget.max_samples) as on_event,
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
        deliver(repeated(interrupt.result, invocation.repeating), output)
        return INTERRUPTED
    result = repeated(result, invocation.repeating)
    github.show([result], whole)
    return deliver(result, output)


def repeated(result: AuditResult, command: Callable[[float, int, int], str]) -> AuditResult:
    """The result with a command of its level, seed and runs, which needs no ledger."""
    if result.standing is None:
        return result
    return replace(result, command=command(result.alpha, result.seed, result.standing.runs))


_AMOUNTS = ("alpha", "bins", "max_samples", "seed", "workers", "timeout")


def check_budget(budget: BudgetFlags) -> None:
    """Refuse budgets that make no sense, with an `InputError`, once before any work is done."""
    check_amounts(as_flag, **{name: getattr(budget, name) for name in _AMOUNTS})
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
    """The workers of a scheduler as an executor, and how many there are; none without an address.

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
