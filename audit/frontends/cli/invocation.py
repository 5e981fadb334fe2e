"""The command line as it was given, and the part of it that reproduces the result."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

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
_ONLY_SHOWN = frozenset({"--tables"})
"""Flags without a value that say what of it is shown."""


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


def _lasting(tokens: Sequence[str]) -> list[str]:
    """Tokens that change the result; those behind -- belong to somebody else."""
    end = tokens.index("--") if "--" in tokens else len(tokens)
    kept: list[str] = []
    skipped = False
    for token in tokens[:end]:
        if skipped:
            skipped = False
        elif token in _DOES_NOT_CHANGE_THE_RESULT:
            skipped = True
        elif token.partition("=")[0] not in _DOES_NOT_CHANGE_THE_RESULT | _ONLY_SHOWN:
            kept.append(token)
    return [*kept, *tokens[end:]]


def without_debug(tokens: Sequence[str]) -> tuple[bool, list[str]]:
    """Whether --debug was given, and everything else."""
    end = tokens.index("--") if "--" in tokens else len(tokens)
    ours = [token for token in tokens[:end] if token != "--debug"]
    return len(ours) < end, [*ours, *tokens[end:]]
