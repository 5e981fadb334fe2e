"""The command line as it was given, and the part of it that reproduces the result."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from audit.frontends.project import FLAGS

PROGRAM = "audit"
_DOES_NOT_CHANGE_THE_RESULT = frozenset(
    {
        "--format",
        "--output",
        "--report",
        "--fail-on",
        "--progress",
        "--workers",
        "--cluster",
        "--store",
    }
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
        return shlex.join((PROGRAM, *_lasting(self.tokens)))

    def without(self, flags: Collection[str]) -> list[str]:
        """Arguments without those flags, all of which have one value."""
        return _without(self.tokens, flags)

    def repeating(self, alpha: float, seed: int, max_samples: int) -> str:
        """The same where a ledger has chosen level, seed and runs: without the ledger."""
        own = len(self.tokens) if "--" not in self.tokens else self.tokens.index("--")
        kept = _without(self.tokens[:own], _OF_A_LEDGER)
        chosen = ["--alpha", repr(alpha), "--seed", str(seed), "--max-samples", str(max_samples)]
        return Invocation((*kept, *chosen, *self.tokens[own:])).reproducing


def _lasting(tokens: Sequence[str]) -> list[str]:
    """Tokens that change the result; those behind -- belong to somebody else."""
    end = tokens.index("--") if "--" in tokens else len(tokens)
    kept = _without(tokens[:end], _DOES_NOT_CHANGE_THE_RESULT)
    return [*(token for token in kept if token not in SHOWN), *tokens[end:]]


def _without(tokens: Sequence[str], flags: Collection[str]) -> list[str]:
    """Tokens without those flags, all of which have one value."""
    kept: list[str] = []
    skipped = False
    for token in tokens:
        if skipped:
            skipped = False
        elif token in flags:
            skipped = True
        elif token.partition("=")[0] not in flags:
            kept.append(token)
    return kept


def without_debug(tokens: Sequence[str]) -> tuple[bool, list[str]]:
    """Split --debug from all other arguments."""
    end = tokens.index("--") if "--" in tokens else len(tokens)
    ours = [token for token in tokens[:end] if token != "--debug"]
    return len(ours) < end, [*ours, *tokens[end:]]


_ARGUMENT = re.compile(r"`([a-z_]+)(?:=([^`]*))?`")
_OTHER_NAMES = {"neighbors": "neighbor", "more_data": "data"}


def as_flags(message: str) -> str:
    """A message whose arguments between backticks are flags.

    `data` becomes --data, `records='dict'` --records dict, `search=False` --no-search.
    Everything else between backticks stays.
    """
    return _ARGUMENT.sub(_flag, message)


def _flag(found: re.Match[str]) -> str:
    name = _OTHER_NAMES.get(found[1], found[1]).replace("_", "-")
    if name not in FLAGS:
        return found[0]
    match found[2]:
        case None | "True":
            return f"--{name}"
        case "False":
            return f"--no-{name}"
        case value:
            return f"--{name} {value.strip(chr(39))}"
