"""The command line: as it was given, completed by settings of a project, and repeated.

Settings become part of the command line, so that the command in a report repeats the
audit wherever it is run.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, get_args

from cyclopts import App, Parameter

from audit.errors import InputError
from audit.frontends.project import FLAGS, nearest, settings_in, where

PROGRAM = "audit"
_DOES_NOT_CHANGE_THE_RESULT = frozenset(
    {"--format", "--output", "--report", "--fail-on", "--progress"}
    | {"--workers", "--cluster", "--store"}
)
"""Flags with one value that say where the result goes or how it is computed."""
_OF_A_LEDGER = frozenset({"--ledger", "--alpha", "--seed", "--max-samples"})
"""Flags with one value that a ledger stands for, or decides."""
SHOWN = frozenset({"--verbose", "-v", "--quiet", "-q"})
"""Flags without a value that choose how much of the result is shown."""


@dataclass(frozen=True, slots=True)
class Invocation:
    """One call of the program.

    Attributes:
        tokens: what stands behind its name, without --debug.
    """

    tokens: tuple[str, ...]

    @property
    def reproducing(self) -> str:
        """The command line that gives the same result again."""
        own, others = split(self.tokens)
        kept = without(own, _DOES_NOT_CHANGE_THE_RESULT)
        lasting = (token for token in kept if token not in SHOWN)
        return shlex.join((PROGRAM, *lasting, *others))

    def repeating(self, alpha: float, seed: int, max_samples: int) -> str:
        """The same where a ledger has chosen level, seed and runs: without the ledger."""
        own, others = split(self.tokens)
        kept = without(own, _OF_A_LEDGER)
        chosen = ["--alpha", repr(alpha), "--seed", str(seed), "--max-samples", str(max_samples)]
        return Invocation((*kept, *chosen, *others)).reproducing


Call = Annotated[Invocation, Parameter(parse=False)]
"""The call that a command is told of."""


def split(tokens: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Tokens before --, and those from it on, which belong to somebody else."""
    end = tokens.index("--") if "--" in tokens else len(tokens)
    return tokens[:end], tokens[end:]


def without(tokens: Sequence[str], flags: Collection[str]) -> list[str]:
    """Tokens without those flags, all of which have one value."""
    kept, rest = [], iter(tokens)
    for token in rest:
        if token in flags:
            next(rest, None)
        elif token.partition("=")[0] not in flags:
            kept.append(token)
    return kept


def without_debug(tokens: Sequence[str]) -> tuple[bool, list[str]]:
    """Split --debug from all other arguments."""
    own, others = split(tokens)
    return "--debug" in own, [*(token for token in own if token != "--debug"), *others]


_LINE_BREAK = re.compile(r"\s*[\n\r]\s*")


def in_one_line(tokens: Sequence[str]) -> list[str]:
    """Tokens whose domain is in one line, also if it was copied from several indented ones."""
    own, others = split(tokens)
    names = ["", *own]
    return [
        _LINE_BREAK.sub(" ", token) if "--domain" in (name, token.partition("=")[0]) else token
        for name, token in zip(names, own, strict=False)
    ] + [*others]


_ARGUMENT = re.compile(r"`([a-z_]+)(?:=([^`]*))?`")
_OF_CANARIES = ("assignment", "probability", "lower-is-member")
_OTHER_NAMES = {"neighbors": "neighbor", "more_data": "data"}


def as_flags(message: str) -> str:
    """A message whose arguments between backticks are flags.

    `data` becomes --data, `records='dict'` --records dict, `search=False` --no-search,
    `assume=('independent-calls',)` --assume independent-calls.
    Everything else between backticks stays.
    """
    return _ARGUMENT.sub(_flag, message)


def _flag(found: re.Match[str]) -> str:
    name = _OTHER_NAMES.get(found[1], found[1]).replace("_", "-")
    if name not in FLAGS + _OF_CANARIES:
        return found[0]
    value = (found[2] or "True").strip("(',)")
    return {"True": f"--{name}", "False": f"--no-{name}"}.get(value, f"--{name} {value}")


_CLAIMS = ("epsilon", "delta", "rho", "mu", "renyi", "profile")
"""Whoever states one of them states the whole claim."""
_AS_JSON = ("data", "neighbor")
_LISTS = ("assume",)
"""Flags that may be repeated, with a list of texts in the table."""
_ONLY_SHOWN = ("--help", "-h", "--version")
OF_ALL = ("format", "output", "report", "progress", "verbose", "quiet", "workers", "name")
"""Flags that only all audits of a file together can have."""
_DELIVERED = (*OF_ALL, "store")
"""What a project says of one audit, and not of each of many."""


def with_settings(app: App, tokens: Sequence[str]) -> list[str]:
    """A command line completed by the settings of the project around the working directory.

    Its first token is the command, whose flags the app knows.

    Raises:
        InputError: the settings cannot be read.
    """
    shown = tokens[0].startswith("-") or any(token in _ONLY_SHOWN for token in split(tokens)[0])
    # Targets of a file are completed one by one: what their file says comes first.
    if shown or (tokens[0] == "all" and "config" in _given(tokens)):
        return list(tokens)
    file, table = _project()
    if file is None or not table or tokens[0] not in app:
        return list(tokens)
    own, others = split(tokens)
    more = _flags(table, flags_of(app, tokens[0]), _given(tokens), where(file))
    return [*own, *more, *others]


def _project() -> tuple[Path | None, dict[str, Any]]:
    """The file of the project around the working directory, if any, and its settings."""
    file = nearest(Path.cwd())
    return file, {} if file is None else settings_in(file) or {}


def flags_of(app: App, command: str) -> dict[str, bool]:
    """The flags that a command takes, and whether each is one without a value."""
    return {
        name: bool in (argument.hint, *get_args(argument.hint))
        for argument in app[command].assemble_argument_collection()
        for name in argument.names
        if name.startswith("--")
    }


def flags_of_tables(
    tables: Sequence[Mapping[str, Any]],
    flags: Mapping[str, bool],
    tokens: Sequence[str],
    place: str,
) -> list[str]:
    """Tables of settings as flags behind the tokens that were given, then those of the project.

    The more particular tables come first; messages call them by `place`.

    Raises:
        InputError: a value is none, or the settings of the project cannot be read.
    """
    found: list[str] = []
    usual = {name: value for name, value in _project()[1].items() if name not in _DELIVERED}
    for table in (*tables, usual):
        found += _flags(table, flags, _given([*tokens, *found]), place)
    return found


def _given(tokens: Sequence[str]) -> set[str]:
    """Names of flags on the command line, without dashes and negation."""
    flags = (token.partition("=")[0] for token in split(tokens)[0] if token.startswith("--"))
    return {flag.removeprefix("--").removeprefix("no-") for flag in flags}


def _flags(
    table: Mapping[str, Any], flags: Mapping[str, bool], given: Collection[str], place: str
) -> list[str]:
    taken = {*given, *(_CLAIMS if any(name in given for name in _CLAIMS) else ())}
    wanted = (name for name in table if f"--{name}" in flags and name not in taken)
    return [token for name in wanted for token in _as_setting(name, table[name], flags, place)]


def _as_setting(name: str, value: Any, flags: Mapping[str, bool], place: str) -> list[str]:
    alone = flags[f"--{name}"]
    if alone and isinstance(value, bool):
        chosen = f"--{name}" if value else f"--no-{name}"
        return [chosen] if chosen in flags else []
    if alone or isinstance(value, bool):
        expected = "true or false" if alone else "its value, as --help shows it"
        raise InputError(f"{place}: {name} = {_toml(value)} is none; write {expected}", value)
    values = _values(name, value)
    if values is None:
        raise InputError(f"{place}: {name} {value!r} is no value of --{name}; see --help", value)
    return [part for one in values for part in (f"--{name}", one)]


def _values(name: str, value: Any) -> list[str] | None:
    """Values of a flag, which is repeated for each; None if the setting is no value of it."""
    if isinstance(value, (str, int, float)):
        return [str(value)]
    if not isinstance(value, list):
        return None
    if name in _AS_JSON:
        datasets = value if name == "neighbor" else [value]
        return [one if isinstance(one, str) else json.dumps(one) for one in datasets]
    return value if name in _LISTS and all(isinstance(one, str) for one in value) else None


def origin_of(line: str, tokens: Sequence[str]) -> str:
    """Place of the wrong value in the project's settings, to stand behind a message.

    It is empty where the settings have no part in the message.
    """
    try:
        file, table = _project()
    except (OSError, InputError):
        return ""
    if file is None or str(file) in line:
        return ""
    given = _given(tokens)
    named = {name: name.replace("-", "[-_]") for name in table if name not in given}
    blamed = [
        f"{name} = {_toml(table[name])}"
        for name, either in named.items()
        if re.search(rf"(?<![\w-])(--)?{either}(?![\w-])", line) and str(table[name]) in line
    ]
    return f"; {' and '.join(blamed)} stands in {where(file)}" if blamed else ""


def _toml(value: Any) -> str:
    if isinstance(value, float):
        return repr(value)
    return json.dumps(value, ensure_ascii=False, default=str)
