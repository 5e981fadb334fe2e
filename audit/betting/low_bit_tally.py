"""Bets on low bits count numbers: an output that is none tells nothing of low bits.

That a number is absent on one side alone may break the claim, which the bets against the
claim see; it is no leak of floating-point numbers. So no event on low bits holds an absence,
and an absence opposite to a number of the event counts as one of the event, too:

    x - a y - b   with y = 1 in place of 0 where D' gave no number and x = 1.

No payoff grows by that, so whoever keeps the claim is flagged no more often than by the
bets as they were, however draws depend on each other. Where the low bits of numbers have one
law r on both sides, and D and D' give numbers with probability p and q independently of each
other, the expected payoff is r (p (1 - a (1 - q)) - a q) - b = r (p (1 - a) - a q (1 - p)) - b,
which is no more than 0 for a >= 1: nothing is earned by absences.
"""

from __future__ import annotations

import numpy as np

from audit.betting.e_process import Floats, tallies
from audit.betting.events import Bets
from audit.outcomes.counting import Counts

Tally = tuple[Floats, Floats]

_MOVED = (((1, 0),), ((2, 0), (7, 4)))
"""Of single and of double bets: outcomes that an absence must not pay, and what they count as."""


def low_bit_bets(bets: Bets, numeric: int) -> Bets:
    """Those of some bets whose events hold numbers alone.

    Args:
        bets: on the bins of a column.
        numeric: how many of its bins hold numbers; the others come behind them.
    """
    held = np.zeros((len(bets.orders), bets.orders.shape[1] + 1), np.int64)
    np.cumsum(bets.orders >= numeric, axis=1, out=held[:, 1:])

    def among_numbers(order: Counts, start: Counts, stop: Counts) -> Counts:
        return np.flatnonzero(held[order, stop] == held[order, start])

    single = among_numbers(*bets.spans.T)
    order, *ends = bets.joined.T
    double = np.intersect1d(among_numbers(order, *ends[:2]), among_numbers(order, *ends[2:]))
    kept = np.append(single, len(bets.spans) + double)
    weight = bets.weight[kept]
    return Bets.of(
        bets.orders,
        bets.spans[single],
        bets.joined[double],
        weight / weight.sum(),
        bets.ranked[kept],
    )


def low_bit_tallies(joint: Counts, bets: Bets, numeric: int) -> Tally:
    """Counts that decide each bet, as `tallies` has them, but that no absence pays.

    Args:
        joint: shape (bins, bins), pairs by the bin on D and the bin on D'.
        bets: on events that hold numbers alone.
        numeric: how many of the bins hold numbers.
    """
    present = np.zeros_like(joint)
    present[:numeric, :numeric] = joint[:numeric, :numeric]
    whole = tallies(present, bets)
    if present.sum() == joint.sum():
        return whole
    beside = tallies(joint - present, bets)
    for part, moves in zip(beside, _MOVED, strict=True):
        for paid, unpaid in moves:
            part[..., unpaid] += part[..., paid]
            part[..., paid] = 0.0
    return whole[0] + beside[0], whole[1] + beside[1]
