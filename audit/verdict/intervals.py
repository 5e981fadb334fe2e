"""Exact intervals for the tables that people read.

All bounds of a family hold together with the stated confidence, by Bonferroni.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from audit.claims import Lines
from audit.jsonable import Record
from audit.lazy_modules import special

_SMALLEST_ALPHA = 1e-60
"""Quantiles farther out are not found reliably; bounds of 0 and 1 always hold."""


def clopper_pearson(
    counts: NDArray[np.int64], draws: int, alpha: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Lower and upper ends of the two-sided Clopper-Pearson intervals at 1 - alpha.

    Args:
        counts: of successes, shape (k,).
        draws: how many there were for each count.
        alpha: chance that an interval misses, half of it at either end.

    Returns:
        Shape (k,) each.
    """
    if alpha < _SMALLEST_ALPHA:
        return np.zeros(len(counts)), np.ones(len(counts))
    # Quantiles of beta distributions; with either end at 0 or 1 the inverse is not defined.
    low = special.betaincinv(np.maximum(counts, 1), draws - counts + 1, alpha / 2.0)
    high = special.betainccinv(counts + 1, np.maximum(draws - counts, 1), alpha / 2.0)
    return np.where(counts == 0, 0.0, low), np.where(counts == draws, 1.0, high)


def proportion(count: int, draws: int, alpha: float) -> Estimate:
    """A probability with its two-sided Clopper-Pearson interval at 1 - alpha."""
    return proportions(np.array([count]), draws, alpha)[0]


def proportions(counts: NDArray[np.int64], draws: int, alpha: float) -> list[Estimate]:
    """Several probabilities, each with its own interval at 1 - alpha."""
    bounds = clopper_pearson(counts, draws, alpha)
    return [
        Estimate(int(count) / draws, float(low), float(high))
        for count, low, high in zip(counts, *bounds, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two probabilities with bounds that hold together, and what follows for their ratios.

    Attributes:
        p: on D.
        q: on the neighbor.
    """

    p: Estimate
    q: Estimate

    @property
    def ratio(self) -> Estimate:
        """p/q."""
        return _ratio(self.p, self.q)

    @property
    def reverse(self) -> Estimate:
        """q/p."""
        return _ratio(self.q, self.p)

    def breaks(self, lines: Lines) -> bool:
        """True if the bounds lie beyond a line of the claim, either way."""
        return any(
            left.low > slope * right.high + offset
            for slope, offset in lines
            for left, right in ((self.p, self.q), (self.q, self.p))
        )


def mixture(parts: Sequence[Sequence[Comparison]], draws: Sequence[int]) -> list[Comparison]:
    """D against a mixture of several neighbors, each in proportion to its draws.

    Where the bounds of all of them hold, so do their means, however the draws on one neighbor
    depend on those on another: so these cost no part of alpha.

    Args:
        parts: by neighbor, its bins compared with the same draws of D.
        draws: on each neighbor.
    """
    weights = np.array(draws) / sum(draws)
    mixed = []
    for held in zip(*parts, strict=True):
        means = weights @ [(c.q.estimate, c.q.low, c.q.high) for c in held]
        mixed.append(Comparison(held[0].p, Estimate(*map(float, means))))
    return mixed


def _ratio(left: Estimate, right: Estimate) -> Estimate:
    high = quotient(left.high, right.low)
    return Estimate(quotient(left.estimate, right.estimate), quotient(left.low, right.high), high)


def compare(
    left: NDArray[np.int64], right: NDArray[np.int64], alpha: float, families: int = 1
) -> list[Comparison]:
    """Compare the frequencies of each bin on two sides.

    Args:
        left: counts on D, shape (bins,).
        right: counts on the neighbor, shape (bins,).
        alpha: chance that any bound of any family misses.
        families: how many such tables share alpha.

    Returns:
        One comparison a bin; four one-sided bounds each, at alpha over their number.
    """
    each = 2.0 * alpha / (4.0 * len(left) * families)
    sides = (proportions(counts, int(counts.sum()), each) for counts in (left, right))
    return [Comparison(p, q) for p, q in zip(*sides, strict=True)]


@dataclass(frozen=True, slots=True)
class Estimate(Record):
    """A probability or a ratio with its confidence interval."""

    estimate: float
    low: float
    high: float


def quotient(p: float, q: float) -> float:
    """p/q for probabilities, infinite when only q is 0, 1 when both are."""
    if q > 0:
        return p / q
    return math.inf if p > 0 else 1.0
