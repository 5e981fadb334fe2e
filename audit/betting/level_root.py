"""The largest level that a wealth refutes: the root of a function that falls as levels grow."""

from __future__ import annotations

from collections.abc import Callable

from scipy.optimize import brentq

SMALLEST_LEVEL, LARGEST_LEVEL = 1e-9, 300.0
"""Levels between which bounds are looked for."""
_SMALL_LEVEL = 1e-3
_LOWEST = -1e3
_CLOSE = 1e-6

Excess = Callable[[float], float]
"""How far above its goal a wealth is at a level: falling, at last perhaps to minus infinity."""


def raised(low: float, high: float, excess: Excess) -> tuple[float, float]:
    """Levels on both sides of the root, or the last two tried where it is too far.

    Args:
        low: a level below `high`; what it is worth is not asked.
        high: the first level that is tried.
        excess: what is looked for the root of.
    """
    while excess(high) >= 0:
        low, high = high, max(1.5 * high, _SMALL_LEVEL)
        if high > LARGEST_LEVEL:
            break
    return low, high


def root_between(low: float, high: float, excess: Excess) -> float:
    """A level just below the root, where there is still no lack.

    Args:
        low: a level without a lack.
        high: one with it.
        excess: what is looked for the root of.
    """

    def bounded(level: float) -> float:
        return max(float(excess(level)), _LOWEST)

    root = float(brentq(bounded, low, high, xtol=1e-9, rtol=_CLOSE))
    return root if excess(root) >= 0 else max(low, root * (1 - 4 * _CLOSE))
