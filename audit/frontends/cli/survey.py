"""The whole catalogue under audit, one mechanism after the other or in several processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from shlex import join
from tempfile import TemporaryDirectory

from cyclopts import CycloptsError

from audit.engine.run import run
from audit.errors import AuditError, reason_of
from audit.frontends.cli.catalogs import entry_named
from audit.frontends.cli.flags import BudgetFlags
from audit.frontends.cli.folding import printing_folded
from audit.frontends.cli.invocation import PROGRAM, SHOWN, Invocation, as_flags, split
from audit.frontends.cli.main import flags_of_command, line_about, parsed
from audit.frontends.cli.targets import Target
from audit.progress import nobody
from audit.report.restore import read_document, restore
from audit.report.write import write_page, write_report
from audit.sampling.workers import in_parallel
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

    def result() -> AuditResult:
        with printing_folded(name):
            found = run(
                entry_named(name),
                search=search,
                **budget.given(),
                shared=True,
                command=command_for(name, budget, search),
                on_event=nobody,
            )
            found = _repeated(found, name, budget, search)
            if folder is not None:
                write_page(found, folder)
        return found

    return _kept(name, result)


def _kept(name: str, audit: Callable[[], AuditResult]) -> Surveyed:
    """The result of an audit, or its error in one line."""
    try:
        return Surveyed(name, audit())
    except AuditError as error:
        problem = as_flags(str(error))
    except CycloptsError as error:
        problem = line_about(error)
    except Exception as error:
        problem = f"internal error: {reason_of(error)}"
    return Surveyed(name, None, " ".join(problem.split()))


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


_NOT_OF_ONE = frozenset(
    {"--config", "--format", "--output", "--report", "--progress", "--workers", "--store"}
)
_PLACES = ("--ledger",)
"""Flags that name a file, which is looked for where the program was called."""


def given_to_all(invocation: Invocation) -> tuple[str, ...]:
    """The flags on the command line that are those of every target."""
    tokens = [token for token in invocation.without(_NOT_OF_ONE)[1:] if token not in SHOWN]
    for place, token in enumerate(tokens[:-1]):
        if token in _PLACES:
            tokens[place + 1] = str(Path(tokens[place + 1]).absolute())
    return tuple(tokens)


def audited(
    targets: Sequence[Target],
    given: Sequence[str],
    workers: int,
    folder: Path | None,
    store: Path | None,
) -> Iterator[Surveyed]:
    """Audit targets and write their reports if a folder is named.

    Results come in the order of the targets, and are the same for any number of workers.

    Args:
        targets: which.
        given: flags for all of them.
        workers: at most so many processes share the targets.
        folder: folder of the reports, or None.
        store: a folder for finished batches, a file for each target; None for none.
    """
    # A worker may have been started elsewhere.
    targets = [replace(target, file=target.file.absolute()) for target in targets]
    folder = None if folder is None else folder.absolute()
    kept = None if store is None else store.absolute()
    tasks = (partial(audit_target, target, given, folder, kept) for target in targets)
    yield from in_parallel(min(workers, len(targets)), tasks)


def audit_target(
    target: Target, given: Sequence[str], folder: Path | None, store: Path | None
) -> Surveyed:
    """Audit one and write its report; an error is kept, it does not end the others.

    Files that it names are looked for beside the file that it is written in.
    """

    def result() -> AuditResult:
        with TemporaryDirectory() as place, chdir(target.file.parent):
            written = Path(place, "result.json")
            own, others = split(target.tokens(flags_of_command(target.command), given))
            delivery = _delivery(target, written, store)
            parsed([*own, *delivery, *others], settings=False)()
            found = restore(read_document(written), target.name)
        if folder is not None:
            write_report(found, folder, again=True)
        return found

    return _kept(target.name, result)


def _delivery(target: Target, written: Path, store: Path | None) -> list[str]:
    words = ["--format", "json", "--output", str(written), "--progress", "off"]
    if store is not None and target.kind != "samples":
        store.mkdir(parents=True, exist_ok=True)
        words += ["--store", str(store / f"{target.name}.db")]
    return words
