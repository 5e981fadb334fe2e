"""Targets in a file of their own, each as the command line that audits it.

[defaults]
epsilon = 1

[audits.count]
python = "release.py:noisy_count"
domain = "int:0:9"
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from audit.errors import InputError, shown
from audit.frontends.cli.invocation import OF_ALL, flags_of_tables
from audit.report.write import file_name

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
        """The command line.

        Args:
            flags: those that the command takes, and whether each is one without a value.
            given: flags for all targets, which take precedence.

        Raises:
            InputError: it has a flag that the command does not take, or a value that is none.
        """
        self._check(self.tables[0], flags)
        more = flags_of_tables(self.tables, flags, given, f"{self.file}: {self.name}")
        own = [*given, *more, "--name", self.name]
        if self.kind == "command":
            return [self.kind, *own, "--", *self.what]
        return [self.command, *(() if self.kind == "mechanism" else self.what), *own]

    def _check(self, table: Mapping[str, Any], flags: Collection[str]) -> None:
        for key in table:
            if key in OF_ALL or f"--{key}" not in flags:
                known = sorted(flag.removeprefix("--") for flag in flags)
                near = difflib.get_close_matches(key, known, n=1)
                told = f"did you mean {near[0]}?" if near and near[0] != key else "leave it out"
                raise InputError(f"{self.file}: {self.name} has no place for {key!r}; {told}", key)


def targets_in(path: Path) -> list[Target]:
    """The targets of a file, or of all files of a folder.

    Args:
        path: a file of TOML, or a folder with such.

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
    unknown = document.keys() - {"defaults", "audits"}
    if unknown:
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
    (kind,) = kinds
    words = _words(kind, table[kind], f"{file}: {name}")
    own = {key: value for key, value in table.items() if key != kind}
    return Target(name, kind, words, (own, defaults), file)


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
