"""Prefixes of the canaries in the order in which they are opened, fixed before any coin is seen."""

from __future__ import annotations

import math
from dataclasses import dataclass

_FEWEST = 8
"""No prefix is shorter: so few right guesses could refute nothing worth refuting."""

_STEP = 0.5**0.25
"""Each prefix is this part of the next: finer ones are hardly apart, coarser ones miss the best."""
_SPARSE_STEP = 1.0 / 3.0
"""Where prefixes share alpha between them instead of one boundary, there are fewer."""


@dataclass(frozen=True, slots=True)
class Prefix:
    """The most confident guesses of either side.

    Attributes:
        ins: how many of the guesses "in" it holds.
        outs: how many of the guesses "out".
    """

    ins: int
    outs: int

    @property
    def size(self) -> int:
        """All guesses of the prefix."""
        return self.ins + self.outs

    def beyond(self, shorter: Prefix) -> Prefix:
        """The block of guesses that it holds and a shorter one does not."""
        return Prefix(self.ins - shorter.ins, self.outs - shorter.outs)


NOTHING = Prefix(0, 0)


def prefixes_of(ins: int, outs: int) -> tuple[Prefix, ...]:
    """All of the guesses, 84 percent of them, 71, 59, half, and so on, down to eight.

    Args:
        ins: guesses "in", at least 0.
        outs: guesses "out", at least 0; one guess in all at least.

    Returns:
        From the shortest to the whole, each holding all that is in those before.
    """
    return _cut(ins, outs, _STEP)


def sparse_prefixes_of(ins: int, outs: int) -> tuple[Prefix, ...]:
    """All of the guesses, a third of them, a ninth, and so on, down to eight."""
    return _cut(ins, outs, _SPARSE_STEP)


def _cut(ins: int, outs: int, factor: float) -> tuple[Prefix, ...]:
    steps = math.floor(math.log(max((ins + outs) / _FEWEST, 1.0)) / -math.log(factor) + 1e-9)
    shares = (factor**step for step in range(steps, -1, -1))
    return tuple(dict.fromkeys(Prefix(math.ceil(ins * s), math.ceil(outs * s)) for s in shares))


def blocks_of(prefixes: tuple[Prefix, ...]) -> tuple[Prefix, ...]:
    """Guesses that each prefix adds to the one before."""
    shorter = (NOTHING, *prefixes)
    return tuple(prefix.beyond(s) for prefix, s in zip(prefixes, shorter, strict=False))
