"""The largest level such that it and all below it are refuted."""

from __future__ import annotations

from collections.abc import Callable

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
