"""Many audits, one after the other or in several processes: of the catalogue, or of targets.

Targets stand in a file of their own, each as the command line that audits it:

[defaults]
epsilon = 1

[audits.count]
python = "release.py:noisy_count"
domain = "int:0:9"
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import chdir
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from shlex import join
from tempfile import TemporaryDirectory
from typing import Any

from audit.engine.run import run
from audit.errors import InputError, shown
from audit.frontends.cli.carrying_out import repeated
from audit.frontends.cli.flags import BudgetFlags
from audit.frontends.cli.folding import printing_folded
from audit.frontends.cli.invocation import (
    OF_ALL,
    PROGRAM,
    SHOWN,
    Invocation,
    flags_of_tables,
    split,
    without,
)
from audit.frontends.cli.listing import entry_named
from audit.frontends.cli.main import flags_of_command, line_about, parsed
from audit.progress import nobody
from audit.report.restore import read_document, restore
from audit.report.write import file_name, write_page, write_report
from audit.sampling.workers import in_parallel
from audit.verdict.result import AuditResult

_KINDS = ("python", "command", "http", "sql", "samples", "mechanism")
"""What is audited; of all but a mechanism of the catalogue also the command's name."""


@dataclass(frozen=True, slots=True)
class Target:
    """One audit of many.

    Attributes:
        name: what results and reports call it.
        kind: of what is audited, as `_KINDS` has them.
        what: it, in words of the command line.
        tables: its own flags and those of all, the more particular ones first.
        file: where it is written.
    """

    name: str
    kind: str
    what: tuple[str, ...]
    tables: tuple[Mapping[str, Any], ...]
    file: Path

    @property
    def command(self) -> str:
        """The command that audits it."""
        return self.what[0] if self.kind == "mechanism" else self.kind

    def tokens(self, flags: Mapping[str, bool], given: Sequence[str]) -> list[str]:
        """The command line: flags that are given for all targets take precedence.

        Of each flag that the command takes `flags` knows whether it is one without a value.

        Raises:
            InputError: it has a flag that the command does not take, or a value that is none.
        """
        for key in self.tables[0]:
            if key in OF_ALL or f"--{key}" not in flags:
                known = sorted(flag.removeprefix("--") for flag in flags)
                near = difflib.get_close_matches(key, known, n=1)
                told = f"did you mean {near[0]}?" if near and near[0] != key else "leave it out"
                raise InputError(f"{self.file}: {self.name} has no place for {key!r}; {told}", key)
        more = flags_of_tables(self.tables, flags, given, f"{self.file}: {self.name}")
        own = [*given, *more, "--name", self.name]
        if self.kind == "command":
            return [self.kind, *own, "--", *self.what]
        return [self.command, *(() if self.kind == "mechanism" else self.what), *own]


def targets_in(path: Path) -> list[Target]:
    """The targets of a file of TOML, or of all such files of a folder.

    Raises:
        InputError: there is none, or one of them makes no sense.
    """
    files = sorted(path.glob("*.toml")) if path.is_dir() else [path]
    found = [target for file in files for target in _targets(file)]
    if not found:
        raise InputError(f"--config {str(path)!r} holds no [audits.NAME]; write one", path)
    _check_names(found, path)
    return found


def _targets(file: Path) -> Iterable[Target]:
    document = _read(file)
    if unknown := document.keys() - {"defaults", "audits"}:
        raise InputError(
            f"{file}: {min(unknown)!r} is neither [defaults] nor [audits.NAME]", unknown
        )
    defaults, audits = _table(file, document, "defaults"), _table(file, document, "audits")
    return [_target(file, name, _table(file, audits, name), defaults) for name in audits]


def _read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise InputError(
            f"--config {str(file)!r} cannot be read ({error.strerror}); check the path", file
        ) from None
    except ValueError as error:  # what is no TOML, no UTF-8, or no name of a file
        raise InputError(
            f"--config {str(file)!r} cannot be read as TOML: {error}; mend it there", file
        ) from None


def _table(file: Path, document: Mapping[str, Any], name: str) -> dict[str, Any]:
    table = document.get(name, {})
    if not isinstance(table, dict):
        raise InputError(f"{file}: {name} is {shown(table)}, not a table; write [{name}]", table)
    return table


def _target(file: Path, name: str, table: Mapping[str, Any], defaults: Mapping[str, Any]) -> Target:
    kinds = [kind for kind in _KINDS if kind in table]
    if len(kinds) != 1:
        raise InputError(
            f"{file}: {name} has {' and '.join(kinds) or 'nothing to audit'}; give one of "
            f"{', '.join(_KINDS)}",
            table,
        )
    words = _words(kinds[0], table[kinds[0]], f"{file}: {name}")
    own = {key: value for key, value in table.items() if key != kinds[0]}
    return Target(name, kinds[0], words, (own, defaults), file)


def _words(kind: str, what: Any, place: str) -> tuple[str, ...]:
    """The words of a program or the files of samples; one word of another kind."""
    several = kind in ("command", "samples")
    words = what if several and isinstance(what, list) else [what]
    if not words or not all(isinstance(word, str) and word for word in words):
        expected = "a list of words" if several else "a text"
        raise InputError(f"{place}: {kind} is {shown(what)}, not {expected}", what)
    return tuple(words)


def _check_names(targets: Sequence[Target], path: Path) -> None:
    """Names are those of reports, so that no two may be the same there."""
    known: dict[str, Target] = {}
    for target in targets:
        other = known.setdefault(file_name(target.name).lower(), target)
        if other is not target:
            raise InputError(
                f"--config {str(path)!r}: {other.name!r} and {target.name!r} would have reports of "
                "one name; rename one of them",
                path,
            )


_NOT_PART_OF_ONE = frozenset({"workers", "cluster", "store"})


@dataclass(frozen=True, slots=True)
class Surveyed:
    """Result of an audit by the name of its mechanism or target, or in one line why it failed."""

    name: str
    result: AuditResult | None
    problem: str = ""


def surveyed(
    names: Sequence[str], budget: BudgetFlags, search: bool | None, folder: Path | None = None
) -> Iterator[Surveyed]:
    """Audit mechanisms of the catalogue and write their reports if a folder is named.

    Results come in the order of the names, and are the same for any number of workers. Each
    mechanism has the budget; at most `workers` processes share the mechanisms.
    """
    # Workers that were started earlier may have another current folder.
    folder, store = folder and folder.absolute(), _absolute(budget.store)
    budget = replace(budget, store=store, ledger=_absolute(budget.ledger))
    tasks = (partial(_kept, name, audit_one, name, budget, search, folder) for name in names)
    yield from in_parallel(min(budget.workers, len(names)), tasks)


def _absolute(path: str | None) -> str | None:
    return None if path is None else str(Path(path).absolute())


def audit_one(
    name: str, budget: BudgetFlags, search: bool | None, folder: Path | None
) -> AuditResult:
    """Audit one mechanism and write its report."""

    def alone(alpha: float, seed: int, runs: int) -> str:
        without_ledger = replace(budget, ledger=None, alpha=alpha, seed=seed, max_samples=runs)
        return command_for(name, without_ledger, search)

    with printing_folded(name):
        found = run(
            entry_named(name),
            search=search,
            **budget.given(),
            shared=True,
            command=command_for(name, budget, search),
            on_event=nobody,
        )
        found = repeated(found, alone)
        if folder is not None:
            write_page(found, folder)
    return found


def _kept(name: str, audit: Callable[..., AuditResult], *arguments: Any) -> Surveyed:
    """The result of an audit, or its error in one line: the survey goes on."""
    try:
        return Surveyed(name, audit(*arguments))
    except Exception as error:
        return Surveyed(name, None, " ".join(line_about(error).split()))


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


def given_to_all(invocation: Invocation) -> tuple[str, ...]:
    """The flags on the command line that are those of every target; a ledger by its whole path."""
    tokens = [t for t in without(invocation.tokens, _NOT_OF_ONE)[1:] if t not in SHOWN]
    for place, token in enumerate(tokens[:-1]):
        if token == "--ledger":
            tokens[place + 1] = str(Path(tokens[place + 1]).absolute())
    return tuple(tokens)


def audited(
    targets: Sequence[Target],
    given: Sequence[str],
    workers: int,
    folder: Path | None,
    store: Path | None,
) -> Iterator[Surveyed]:
    """Audit targets with flags for all of them, as `surveyed` does mechanisms.

    The store is a folder for finished batches, with a file for each target.
    """
    # A worker may have been started elsewhere.
    targets = [replace(target, file=target.file.absolute()) for target in targets]
    places = folder and folder.absolute(), store and store.absolute()
    tasks = (partial(_kept, t.name, audit_target, t, given, *places) for t in targets)
    yield from in_parallel(min(workers, len(targets)), tasks)


def audit_target(
    target: Target, given: Sequence[str], folder: Path | None, store: Path | None
) -> AuditResult:
    """Audit one and write its report.

    Files that it names are looked for beside the file that it is written in.
    """
    with TemporaryDirectory() as place, chdir(target.file.parent):
        written = Path(place, "result.json")
        own, others = split(target.tokens(flags_of_command(target.command), given))
        delivery = ["--format", "json", "--output", str(written), "--progress", "off"]
        if store is not None and target.kind != "samples":
            store.mkdir(parents=True, exist_ok=True)
            delivery += ["--store", str(store / f"{target.name}.db")]
        parsed([*own, *delivery, *others], settings=False)()
        found = restore(read_document(written), target.name)
    if folder is not None:
        write_report(found, folder, again=True)
    return found
