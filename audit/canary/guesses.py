"""Guesses in the order in which they are opened, and which of them are right."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from audit.canary.prefixes import Prefix

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
