"""Laws of how many guesses are right, on the window that holds all but 1e-40 of them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

LOST = 4e-40
"""At most this much lies outside of a window, on both sides of both binomials."""

_LOG_LOST = -math.log(LOST / 8.0)
_NEGLIGIBLE = 110.0
"""Ends of a window whose numbers are e^-110 times as likely as the likeliest are cut off."""


@dataclass(frozen=True, slots=True)
class Law:
    """Law of the number of right guesses among independent ones.

    Attributes:
        low: the smallest number in the window.
        mass: probability of low, low + 1, ..., shape (window,).
    """

    low: int
    mass: Floats

    @property
    def high(self) -> int:
        """The largest number in the window."""
        return self.low + len(self.mass) - 1

    def tails(self) -> Floats:
        """At least P[X >= low], P[X >= low + 1], ..., each by at most `LOST` too large."""
        return np.minimum(self.mass[::-1].cumsum()[::-1] + LOST, 1.0)

    def tail(self, count: int) -> float:
        """At least P[X >= count]."""
        if count <= self.low:
            return 1.0
        return LOST if count > self.high else float(self.tails()[count - self.low])

    def critical(self, level: float) -> int:
        """The smallest count whose `tail` is at most the level; high + 1 where none is."""
        below = self.tails() <= level
        return self.low + (int(below.argmax()) if below.any() else len(below))


@lru_cache(maxsize=512)
def law_of(ins: int, outs: int, rate_in: float, rate_out: float) -> Law:
    """The law of the sum of two independent binomials.

    The window is that of Bernstein's inequality: a sum of independent
    indicators with variance v is farther than t from its mean, on one side,
    with probability at most exp(-t² / (2 (v + t/3))).

    Args:
        ins: guesses that are right with probability `rate_in`.
        outs: guesses that are right with probability `rate_out`.
        rate_in: in (0, 1]; the chance at a large epsilon may be no float below 1.
        rate_out: in (0, 1].
    """
    if rate_in == rate_out:
        return _binomial(ins + outs, rate_in)
    left, right = _binomial(ins, rate_in), _binomial(outs, rate_out)
    return Law(left.low + right.low, np.convolve(left.mass, right.mass))


def _binomial(count: int, rate: float) -> Law:
    """Probabilities from the ratios of neighbors: b (k - b) / (b + 1) apart, then normalized."""
    if rate >= 1.0:
        return Law(count, np.ones(1))
    mean, reach = count * rate, _spread(count * rate * (1.0 - rate))
    low, high = max(0, math.floor(mean - reach)), min(count, math.ceil(mean + reach))
    right = np.arange(low, high)
    odds = math.log(rate) - math.log1p(-rate)
    logs = np.append(0.0, np.cumsum(np.log((count - right) / (right + 1.0)) + odds))
    kept = np.flatnonzero(logs >= logs.max() - _NEGLIGIBLE)
    mass = np.exp(logs[kept[0] : kept[-1] + 1] - logs.max())
    return Law(low + int(kept[0]), mass / mass.sum())


def _spread(variance: float) -> float:
    """The t of Bernstein's inequality at which an eighth of `LOST` is left on one side."""
    third = _LOG_LOST / 3.0
    return third + math.sqrt(third**2 + 2.0 * _LOG_LOST * variance)
