"""Whether runs made one after the other are more alike than runs made apart.

Noise may be kept for a while by something that no look at the black box shows: a seed
from a clock that ticks every second, a cache behind a service, a generator in C that is
seldom advanced. On either dataset runs by themselves are then no draws of one law,
independent of each other, and bets against the claim win whatever it is.

Of four runs let 1 and 2 be made in a row, 3 and 4 as well, but much later, and ask of any part of
the output whether run 2 lies on the same side of run 4 as run 1 does of run 3. Where runs are
independent draws of one law, exchanging runs 2 and 4 changes nothing but the answer: where
both differ it is a fair coin, whatever the law, and whatever runs 1 and 3 were. Fours that have no
run in common are independent of each other, so that the number of heads is binomial, exactly.
What the first two have in common, and the last two have not, shows as heads.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from audit.outcomes.column import Floats
from audit.sampling.heads import heads_too_often

LEVEL = 2e-6
"""Chance of a doubt where the single runs on both sides are independent of each other."""


def any_more_alike(tables: Sequence[Floats], level: float = LEVEL) -> bool:
    """Whether neighbors in time are more alike in any of several tables, which share the level."""
    return any(more_alike_in_a_row(table, level / len(tables)) for table in tables)


def more_alike_in_a_row(table: Floats, level: float = LEVEL) -> bool:
    """Whether neighbors in time are more alike in any part.

    Parts that only ever grow are left out: they count the calls, or tell the time.

    Args:
        table: what came of runs by themselves on one dataset, or of calls, in the order in which
            they were made, shape (runs, parts).
        level: chance of a doubt where they are independent of each other and of one law.
    """
    half = len(table) // 4 * 2
    if not half:
        return False
    first, second = table[:half:2], table[1:half:2]
    third, fourth = table[half : 2 * half : 2], table[half + 1 : 2 * half : 2]
    sides = _signs(first, third) * _signs(second, fourth)
    sides[:, (table[1:] > table[:-1]).all(axis=0)] = 0
    return heads_too_often((sides > 0).sum(axis=0), (sides < 0).sum(axis=0), level)


def _signs(one: Floats, other: Floats) -> NDArray[np.int8]:
    """Which of two numbers is larger; no difference is taken, which might leave the floats."""
    return (one > other).astype(np.int8) - (one < other).astype(np.int8)
