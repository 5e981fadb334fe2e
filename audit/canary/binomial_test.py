"""An exact test of one line of a claim by one event, on two independent samples.

There are n draws on either side, all independent of each other, and an event that was chosen
beforehand. The line (a, b) promises P[E on its own side] <= a P[E on the other side] + b.

X of the n draws on its own side show the event, Bin(n, p), and Y of those on the other side,
Bin(n, q), with p <= a q + b. Outcomes are ordered by the approximate bound L(X, Y) that they give:
the largest level of the claim whose line has a z-score of at least z. That order does not depend
on the level that is tested. The p-value of a level is the largest chance, under its line, of an
outcome with L(X, Y) >= L(x, y) for the counts x and y that were seen (Barnard 1947; bounds from an
order of outcomes: Buehler 1957). As the line promises less at larger levels, p-values rise with
the level, and the largest level with a p-value of at most alpha is a lower bound, wrong with
probability at most alpha.

Those outcomes are X >= least[Y], with `least` nondecreasing; their chance R(p, q) rises with p and
falls with q. So it is largest where p = a q + b, for 0 <= q <= (1 - b)/a, and for q between u and v
it is no larger than R(a v + b, u). The largest of these over a partition is a bound on the
p-value, however coarse the partition.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from audit.lazy_modules import special

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

_ROUNDING = 1.0 + 1e-9
_CELLS = 64
"""Parts of the range of q to begin with."""
_ROOM = 0.97
"""Part of the level that the p-value of each single q may have; the rest is for what lies
between."""
_REMOTE = 28.0
"""Counts are left out if their chance is below exp of minus that."""


def least_counts(draws: int, slope: float, offset: float, score: float) -> Counts:
    """For each count on the other side the least one on its own side with a z-score.

    (p - a q - b)^2 = z^2 (p (1 - p) + a^2 q (1 - q))/n, solved for the larger p, where frequencies
    are drawn a little to the middle.

    Args:
        draws: n.
        slope: a.
        offset: b.
        score: z, above 0.

    Returns:
        Shape (n + 1,), nondecreasing; n + 1 where no count has it.
    """
    q = (np.arange(draws + 1) + 0.5) / (draws + 1.0)
    allowed, square = slope * q + offset, score * score / draws
    spread = square * slope**2 * q * (1.0 - q)
    half = allowed + square / 2.0
    root = np.sqrt(np.maximum(half**2 - (1.0 + square) * (allowed**2 - spread), 0.0))
    p = (half + root) / (1.0 + square)
    counts = np.ceil(np.minimum(p, 2.0) * (draws + 1.0) - 0.5).astype(np.int64)
    return np.maximum.accumulate(np.clip(counts, 1, draws + 1))


@dataclass(frozen=True)
class BinomialTest:
    """The test of lines by a set of outcomes that are as extreme as the one that was seen.

    Attributes:
        draws: n.
        least: counts on its own side, for each count on the other side; shape (n + 1,).
    """

    draws: int
    least: Counts

    def refutes(self, slope: float, offset: float, level: float) -> bool:
        """True if the p-value of a line is at most a level.

        Args:
            slope: a, at least 1.
            offset: b.
            level: of the test.
        """

        def largest(q: float) -> float:
            return min(1.0, slope * q + offset)

        end = (1.0 - offset) / slope if offset < 1.0 else 0.0
        marks = (end * np.linspace(0.0, 1.0, _CELLS + 1) ** 2).tolist()
        if any(self._chance(largest(q), q) > _ROOM * level for q in marks):
            return False
        cells = list(pairwise(marks))
        while cells:
            low, high = cells.pop()
            if self._chance(largest(high), low) > level:
                middle = (low + high) / 2.0
                if self._chance(largest(middle), middle) > _ROOM * level:
                    return False
                cells += [(low, middle), (middle, high)]
        return True

    def _chance(self, p: float, q: float) -> float:
        """The chance of outcomes as extreme with these chances of the event, rounded up.

        Counts so far from the mean that Bernstein's inequality leaves them nothing are left out.
        """
        mean, variance = self.draws * q, self.draws * q * (1.0 - q)
        away = _REMOTE / 3.0 + math.sqrt(_REMOTE**2 / 9.0 + 2.0 * variance * _REMOTE)
        first, last = max(0, math.floor(mean - away)), min(self.draws, math.ceil(mean + away))
        seen, wanted = np.arange(first, last + 1), self.least[first : last + 1]
        above = special.bdtrc(np.minimum(wanted, self.draws) - 1.0, self.draws, p)
        above = np.where(wanted > self.draws, 0.0, above)
        ways = self._ways[first : last + 1]
        chances = np.exp(ways + special.xlogy(seen, q) + special.xlog1py(self.draws - seen, -q))
        return float(chances @ above) * _ROUNDING + 2.0 * math.exp(-_REMOTE)

    @cached_property
    def _ways(self) -> Floats:
        """Log of the number of ways in which so many draws can show the event."""
        seen = np.arange(self.draws + 1.0)
        ways: Floats = (
            special.gammaln(self.draws + 1.0)
            - special.gammaln(seen + 1)
            - special.gammaln(self.draws - seen + 1)
        )
        return ways
