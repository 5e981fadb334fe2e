"""Probability that independent guesses cross a boundary at any prefix, by convolution."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from audit.canary.law import LOST, Floats, Law


def crossing_probability(
    blocks: Sequence[Law], totals: Sequence[Law], critical: Sequence[int]
) -> float:
    """P[the right guesses of some prefix reach its critical count], at most 1e-38 too large.

    Going back from the last prefix, V_l(n) is the probability to cross there or
    later when n guesses are right at prefix l: 1 where n is at least its critical
    count, and else the mean of V_(l+1)(n + b) over the right guesses b of the next
    block. V_l grows with n, so whatever lies below a window counts as its lowest
    number and whatever lies above as a crossing: the result can only grow.

    Args:
        blocks: law of the right guesses that each prefix adds.
        totals: law of all right guesses of each prefix.
        critical: for each prefix, the count that crosses.
    """
    low, value = 0, np.ones(1)  # V of the last prefix where it does not cross, filled below
    for place in reversed(range(len(blocks))):
        top = min(critical[place] - 1, totals[place].high)
        bottom = totals[place].low
        if top < bottom:  # all that this prefix is likely to hold crosses
            low, value = bottom, np.ones(1)
        elif place == len(blocks) - 1:
            low, value = bottom, np.append(np.zeros(top - bottom + 1), 1.0)
        else:
            mean = _averaged(low, value, blocks[place + 1], bottom, top)
            low, value = bottom, np.append(mean, 1.0)
    return min(1.0, float(_averaged(low, value, blocks[0], 0, 0)[0]) + len(blocks) * LOST)


def _averaged(low: int, value: Floats, block: Law, bottom: int, top: int) -> Floats:
    """E[V(n + b)] for n from bottom to top; V is `value` from low on, constant beyond its ends."""
    places = np.arange(bottom + block.low, top + block.high + 1) - low
    reached = value[np.clip(places, 0, len(value) - 1)]
    return np.minimum(np.correlate(reached, block.mass, "valid") + LOST, 1.0)
