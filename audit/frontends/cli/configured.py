"""The targets of a file under audit, one after the other or in several processes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import chdir
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from cyclopts import CycloptsError

from audit.errors import AuditError, reason_of
from audit.frontends.cli.argument_names import as_flags
from audit.frontends.cli.invocation import SHOWN, Invocation
from audit.frontends.cli.main import flags_of_command, parsed
from audit.frontends.cli.survey import Surveyed
from audit.frontends.cli.targets import Target
from audit.frontends.cli.usage import line_about
from audit.report.restore import read_document, restore
from audit.report.write import write_report
from audit.sampling.workers.processes import in_parallel

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
    try:
        with TemporaryDirectory() as place, chdir(target.file.parent):
            written = Path(place, "result.json")
            tokens = target.tokens(flags_of_command(target.command), given)
            parsed(_with(tokens, _delivery(target, written, store)), settings=False)()
            result = restore(read_document(written), target.name)
        if folder is not None:
            write_report(result, folder, again=True)
    except AuditError as error:
        return Surveyed(target.name, None, as_flags(" ".join(str(error).split())))
    except CycloptsError as error:
        return Surveyed(target.name, None, " ".join(line_about(error).split()))
    except Exception as error:
        return Surveyed(target.name, None, f"internal error: {reason_of(error)}")
    return Surveyed(target.name, result)


def _delivery(target: Target, written: Path, store: Path | None) -> list[str]:
    words = ["--format", "json", "--output", str(written), "--progress", "off"]
    if store is not None and target.kind != "samples":
        store.mkdir(parents=True, exist_ok=True)
        words += ["--store", str(store / f"{target.name}.db")]
    return words


def _with(tokens: Sequence[str], more: Sequence[str]) -> list[str]:
    """Flags behind those that are there, but before a program."""
    end = tokens.index("--") if "--" in tokens else len(tokens)
    return [*tokens[:end], *more, *tokens[end:]]
