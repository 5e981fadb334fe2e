"""Guesses and their prefixes, in an order that is fixed before any coin is seen."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

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


Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Guesses:
    """One guess for each coin, the most confident first, opened.

    Attributes:
        ins: for guesses "in", whether each is right; where sides do not
            matter, for all guesses.
        outs: for guesses "out"; empty where sides do not matter.
        sided: whether a prefix takes of either side what fits the coins: not
            for pairs, and not where somebody else guessed fair coins.
    """

    ins: Flags
    outs: Flags
    sided: bool = True

    def __len__(self) -> int:
        return len(self.ins) + len(self.outs)

    def right(self, prefix: Prefix) -> int:
        """Number of right guesses of a prefix."""
        return int(self.ins[: prefix.ins].sum()) + int(self.outs[: prefix.outs].sum())

    def perfect(self) -> Guesses:
        """As many guesses, all of them right."""
        return replace(self, ins=np.ones_like(self.ins), outs=np.ones_like(self.outs))


_CLOSE = 5e-4
"""Steps are halved until they are shorter; the last that failed was at most twice as long."""
_FIRST_STEP = 0.5


def largest_refuted(
    refutes: Callable[[float, float], bool], start: float, target: float, limit: float
) -> float:
    """The end of the levels from `start` on that are all refuted, short by at most 0.001.

    A bound found so is wrong with probability at most alpha: if the claim holds
    at a level between `start` and the bound, that level was refuted although it
    holds; if it holds at one below `start`, `start` was, where it holds as well.

    Args:
        refutes: whether every level of an interval is refuted; gives False
            rather than be wrong, above all for wide intervals.
        start: the first level, chosen without the data.
        target: a level worth meeting exactly: that of the claim.
        limit: no level beyond is looked at.

    Returns:
        0 where `start` itself is not refuted.
    """
    if not refutes(start, start):
        return 0.0
    reached, step = start, _FIRST_STEP
    while step >= _CLOSE and reached < limit:
        end = min(reached + step, limit)
        if reached < target < end:
            end = target
        if refutes(reached, end):
            reached, step = end, 2.0 * step
        else:
            step /= 2.0
    return reached
