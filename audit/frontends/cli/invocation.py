"""The command line as it was given, and the part of it that reproduces the result."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Sequence
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
