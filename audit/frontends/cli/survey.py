"""The whole catalogue under audit, one mechanism after the other or in several processes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from shlex import join

from audit.errors import AuditError, reason_of
from audit.frontends.cli.argument_names import as_flags
from audit.frontends.cli.budget_flags import BudgetFlags
from audit.frontends.cli.catalogs import entry_named
from audit.frontends.cli.folding import printing_folded
from audit.frontends.cli.invocation import PROGRAM
from audit.report.write import write_page
from audit.run_audit import run
from audit.sampling.workers.processes import in_parallel
from audit.verdict.result import AuditResult

_NOT_PART_OF_ONE = frozenset({"workers", "cluster", "store"})


@dataclass(frozen=True, slots=True)
class Surveyed:
    """Result for one mechanism.

    Attributes:
        name: its name in the catalogue.
        result: what its audit found, None when it failed.
        problem: why it failed, in one line.
    """

    name: str
    result: AuditResult | None
    problem: str = ""


def surveyed(
    names: Sequence[str], budget: BudgetFlags, search: bool | None, folder: Path | None = None
) -> Iterator[Surveyed]:
    """Audit mechanisms of the catalogue and write their reports if a folder is named.

    Results come in the order of the names, and are the same for any number of workers.

    Args:
        names: which.
        budget: for each of them; at most `workers` processes share the mechanisms.
        search: whether to look beyond the pairs given.
        folder: folder of the reports, or None.
    """
    # Workers that were started earlier may have another current folder.
    folder = None if folder is None else folder.absolute()
    budget = replace(budget, store=_absolute(budget.store), ledger=_absolute(budget.ledger))
    tasks = (partial(audit_one, name, budget, search, folder) for name in names)
    yield from in_parallel(min(budget.workers, len(names)), tasks)


def _absolute(path: str | None) -> str | None:
    return None if path is None else str(Path(path).absolute())


def audit_one(name: str, budget: BudgetFlags, search: bool | None, folder: Path | None) -> Surveyed:
    """Audit one mechanism and write its report; an error is a result, the survey goes on."""
    try:
        with printing_folded(name):
            entry = entry_named(name)
            result = run(
                entry,
                search=search,
                **budget.given(),
                shared=True,
                command=command_for(name, budget, search),
            )
            result = _repeated(result, name, budget, search)
            if folder is not None:
                write_page(result, folder)
    except AuditError as error:
        return Surveyed(name, None, as_flags(str(error)))
    except Exception as error:
        return Surveyed(name, None, f"internal error: {reason_of(error)}")
    return Surveyed(name, result)


def _repeated(
    result: AuditResult, name: str, budget: BudgetFlags, search: bool | None
) -> AuditResult:
    """The result with a command that gives the same numbers, also without its ledger."""
    if result.standing is None:
        return result
    alone = replace(
        budget,
        ledger=None,
        alpha=result.alpha,
        seed=result.seed,
        max_samples=result.standing.runs,
    )
    return replace(result, command=command_for(name, alone, search))


def command_for(name: str, budget: BudgetFlags, search: bool | None) -> str:
    """The command line that audits one mechanism in the same way."""
    usual, words = BudgetFlags(), [PROGRAM, name]
    for known in fields(BudgetFlags):
        value = getattr(budget, known.name)
        if known.name in _NOT_PART_OF_ONE or value == getattr(usual, known.name):
            continue
        flag = f"--{known.name.replace('_', '-')}"
        values = value if isinstance(value, tuple) else (value,)
        words += [flag] if value is True else [word for v in values for word in (flag, str(v))]
    if search is not None:
        words.append("--search" if search else "--no-search")
    return join(words)
