"""The largest level that a wealth refutes: the root of a function that falls as levels grow."""

from __future__ import annotations

import math
from collections.abc import Callable

from audit.claim_kind import LARGEST_EPSILON

SMALLEST_LEVEL = 1e-9
"""From which on bounds are looked for, up to the largest that a claim may have."""
_SMALL_LEVEL = 1e-3
_LOWEST = -1e3
_CLOSE = 1e-6
_SMALLEST_STEP = 1e-9
_AIM = 0.999
"""Of the width that is asked for: rounding then never leaves a hair more, and a further step."""

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
        if high > LARGEST_EPSILON:
            break
    return low, high


def root_between(low: float, high: float, excess: Excess) -> float:
    """A level just below the root, where there is still no lack.

    Args:
        low: a level without a lack.
        high: one with it.
        excess: what is looked for the root of.
    """

    return around(low, high, lambda level: max(float(excess(level)), _LOWEST))[0]


def around(low: float, high: float, excess: Excess, close: float = _CLOSE) -> tuple[float, float]:
    """Levels on both sides of a root and next to each other: no lack at the first.

    They are found by the ITP method (Oliveira and Takahashi 2020, ACM TOMS 47:5, Algorithm 1
    with kappa_1 = 0.2 / (high - low), kappa_2 = 2, n_0 = 1): about as fast as the secant where
    the function is smooth, and never in more than one step more than bisection. SciPy's own
    root finders take a tenth of a second to load, which every audit would wait for.

    Args:
        low: a level without a lack.
        high: one with it.
        excess: finite at both.
        close: how far apart they may be, as a part of `high`.
    """
    here, there = excess(low), excess(high)
    width = max(_SMALLEST_STEP, close * high)
    steps, slack = max(0, math.ceil(math.log2((high - low) / width))) + 1, 0.2 / (high - low)
    while high - low > width:
        middle, length = (low + high) / 2.0, high - low
        secant = (low * there - high * here) / (there - here)
        away = math.copysign(1.0, middle - secant)
        shifted = secant + away * min(slack * length**2, abs(middle - secant))
        reach = max(0.0, _AIM * width * 2.0**steps - length) / 2.0
        tried = middle - away * min(reach, abs(middle - shifted))
        steps -= 1
        if (value := excess(tried)) >= 0.0:
            low, here = tried, value
        else:
            high, there = tried, value
    return low, high
