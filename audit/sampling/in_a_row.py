"""Whether runs made one after the other are more alike than runs made apart.

Noise may be kept for a while by something that no look at the black box shows: a seed
from a clock that ticks every second, a cache behind a service, a generator in C that is
seldom advanced. On either dataset runs by themselves are then no draws of one law,
independent of each other, and bets against the claim win whatever it is.

Of four runs let 1 and 2 be made in a row, 3 and 4 as well, but much later. With any symmetric
distance d compare

    near = d(1, 2) + d(3, 4)    and    apart = d(1, 3) + d(2, 4).

Where runs are independent draws of one law, exchanging runs 2 and 3 changes nothing but which
of the two is which, so that the smaller one is `near` with the probability with which it is
`apart`: a fair coin for every four runs where they differ, whatever the law. Fours that have no
run in common are independent of each other, so that the number of heads is binomial, exactly.
"""

from __future__ import annotations

import numpy as np

from audit.outcomes.column import Floats
from audit.sampling.fair_coins import heads_too_often


def more_alike_in_a_row(table: Floats, level: float = 1e-6) -> bool:
    """Whether neighbors in time are more alike, as wholes or in any part.

    Args:
        table: what came of runs by themselves on one dataset, or of calls, in the order in which
            they were made, shape (runs, parts).
        level: chance of a doubt where they are independent of each other and of one law.
    """
    half = len(table) // 4 * 2
    first, second = table[:half:2], table[1:half:2]
    third, fourth = table[half : 2 * half : 2], table[half + 1 : 2 * half : 2]
    with np.errstate(over="ignore"):
        near = _distances(first, second) + _distances(third, fourth)
        apart = _distances(first, third) + _distances(second, fourth)
    return heads_too_often((near < apart).sum(axis=0), (near > apart).sum(axis=0), level)


def _distances(one: Floats, other: Floats) -> Floats:
    """Of every part, and whether the outputs differ at all, shape (fours, parts + 1)."""
    parts = np.abs(one - other)
    return np.concatenate([parts, parts.any(axis=1, keepdims=True)], axis=1)
