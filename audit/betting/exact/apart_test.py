"""Exact tests of counts on two sides that were drawn apart, against one line of a claim.

There are n runs on either side, all independent of each other, and events that were chosen
beforehand. The line (a, b), a >= 1 as every claim has it, promises
P[E on one side] <= a P[E on the other] + b.

**One event.** X of the n runs on its own side show it, Bin(n, p), and Y of those on the
other, Bin(n, q), with p <= a q + b. It is refuted where X >= least[Y], `least` being fixed
beforehand and nondecreasing. The more is moved from outside the event into it on its own
side, and the less on the other, the more likely that is: its chance R(p, q) rises with p and
falls with q. So it is largest where p = a q + b, for 0 <= q <= (1 - b)/a, and where q is
between u and v no larger than R(a v + b, u). The largest of these over a partition is a
bound on the level, however coarse the partition (Barnard 1947 takes the supremum over the
unknown q; Suissa and Shuster 1985 order outcomes by a z-score, as is done here).

**Two disjoint events in opposite directions**, on the same line: the first is promised to be
at most a times as likely on its own side plus b, the second at most a times as likely on
the other side plus b. Where b = 0, let p, p' be their chances on the first side and q, q' on
the other: p <= a q and q' <= a p', hence p q'/(p' q) <= a^2. Given how many runs on each
side show one of the two, and how many show the first, the number X of those on the first
side that show the first has Fisher's noncentral hypergeometric law of that odds ratio
(Fisher 1935; Cornfield 1956), and is stochastically increasing in it. Its tail at a^2 is a
p-value that asks for nothing unknown.

Where b > 0, strike the first event on its own side with probability min(1, b/p),
independently of all else, and the second on the other side likewise. What is left keeps the
promise with b = 0, and the strikes on either side are stochastically at most Bin(n, b).
With c such that more than c have probability at most a twentieth of the level, both are at
most c but with probability a tenth of the level, and the largest of the tails after any
such numbers of strikes is held against the other nine tenths.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, product

import numpy as np
from numpy.typing import NDArray

from audit.betting.e_process import Floats
from audit.betting.exact.binomial import at_most
from audit.special import special

Places = NDArray[np.int64]

_STRIKES = 0.1
"""Of the level, what is spent on runs that the claim's delta may account for."""
_ROUNDING = 1.0 + 1e-9
_CELLS = 64
"""Parts of the range of q to begin with."""
_ROOM = 0.97
"""Of the level, what is spent at most at each q; the rest is for what lies between."""
_REMOTE = 28.0
"""Counts are left out where their chance is below exp of minus that."""
_STRICTER = 1.005
_LEAST_SCORE = 1e-3
"""To begin with: a level of a half has a score of 0, which would never become stricter."""


def _log_tail(first: int, own: int, other: int, firsts: int, odds: float) -> float:
    """Log of the chance that so many show the first event on the first side, or more.

    Args:
        first: runs on the first side that show the first event.
        own: runs on the first side that show either.
        other: runs on the other side that show either.
        firsts: runs on both sides that show the first.
        odds: the odds ratio.
    """
    held = np.arange(max(0, firsts - other), min(own, firsts) + 1)
    log_weight = held * math.log(odds) - (
        special.gammaln(held + 1)
        + special.gammaln(own - held + 1)
        + special.gammaln(firsts - held + 1)
        + special.gammaln(other - firsts + held + 1)
    )
    weight = np.exp(log_weight - log_weight.max())
    tail = float(weight[held >= first].sum() / weight.sum()) * _ROUNDING
    return math.log(tail) if tail > 0.0 else -math.inf


@dataclass(frozen=True)
class _LineTest:
    """An exact test of a line.

    Attributes:
        runs: on either side.
        slope: a.
        offset: b.
        level: chance with which a promise that is kept is refuted, at most.
    """

    runs: int
    slope: float
    offset: float
    level: float


@dataclass(frozen=True)
class TwoEventTest(_LineTest):
    """By two events in opposite directions."""

    def refutes(self, own: tuple[int, int], other: tuple[int, int]) -> bool:
        """Whether the line is refuted.

        Args:
            own: how often the first and the second event happened on the first side.
            other: the same on the other.
        """
        struck, level = 0, self.level
        if self.offset > 0.0:
            share = _STRIKES * level / 2.0
            struck = at_most(self.runs, min(1.0, self.offset), share)
            level *= 1.0 - _STRIKES
        (first, against), (wrong, second) = own, other
        if struck >= min(first, second):
            return False
        odds = self.slope * self.slope
        tails = (
            _log_tail(
                first - here,
                first - here + against,
                wrong + second - there,
                first - here + wrong,
                odds,
            )
            for here, there in product(range(struck + 1), repeat=2)
        )
        return max(tails) <= math.log(level)


@dataclass(frozen=True)
class OneEventTest(_LineTest):
    """By one event."""

    def refutes(self, own: int, other: int) -> bool:
        """Whether the line is refuted by how often the event happened on each side."""
        return bool(own >= self.least[other])

    @cached_property
    def least(self) -> Places:
        """Counts on its own side that refute, for each count on the other; shape (runs + 1,)."""
        score = max(_LEAST_SCORE, float(-special.ndtri(min(0.5, self.level))))
        while True:
            least = self._beyond(score)
            if self._within(least):
                return least
            score = score * _STRICTER

    def _beyond(self, score: float) -> Places:
        """The counts whose z-score, with frequencies a little drawn to the middle, is larger.

        (p - a q - b)^2 = z^2 (p (1 - p) + a^2 q (1 - q))/n, solved for the larger p.
        """
        q = (np.arange(self.runs + 1) + 0.5) / (self.runs + 1.0)
        allowed, square = self.slope * q + self.offset, score * score / self.runs
        spread = square * self.slope**2 * q * (1.0 - q)
        half = allowed + square / 2.0
        root = np.sqrt(np.maximum(half**2 - (1.0 + square) * (allowed**2 - spread), 0.0))
        p = (half + root) / (1.0 + square)
        counts = np.ceil(np.minimum(p, 2.0) * (self.runs + 1.0) - 0.5).astype(np.int64)
        return np.maximum.accumulate(np.clip(counts, 1, self.runs + 1))

    def _within(self, least: Places) -> bool:
        """Whether what is promised leads there with probability at most the level."""
        end = (1.0 - self.offset) / self.slope if self.offset < 1.0 else 0.0
        marks = (end * np.linspace(0.0, 1.0, _CELLS + 1) ** 2).tolist()
        if any(self._chance(least, self._largest(q), q) > _ROOM * self.level for q in marks):
            return False
        cells = list(pairwise(marks))
        while cells:
            low, high = cells.pop()
            if self._chance(least, self._largest(high), low) > self.level:
                middle = (low + high) / 2.0
                if self._chance(least, self._largest(middle), middle) > _ROOM * self.level:
                    return False
                cells += [(low, middle), (middle, high)]
        return True

    def _largest(self, q: float) -> float:
        """What is promised at most where the event has this chance on the other side."""
        return min(1.0, self.slope * q + self.offset)

    def _chance(self, least: Places, p: float, q: float) -> float:
        """That the promise is refuted where these are the chances, rounded up.

        Counts so far from the mean that Bernstein's inequality leaves them nothing are left out.
        """
        mean, variance = self.runs * q, self.runs * q * (1.0 - q)
        away = _REMOTE / 3.0 + math.sqrt(_REMOTE**2 / 9.0 + 2.0 * variance * _REMOTE)
        first, last = max(0, math.floor(mean - away)), min(self.runs, math.ceil(mean + away))
        seen, wanted = np.arange(first, last + 1), least[first : last + 1]
        above = special.bdtrc(np.minimum(wanted, self.runs) - 1, self.runs, p)
        above = np.where(wanted > self.runs, 0.0, above)
        ways = self._ways[first : last + 1]
        chances = np.exp(ways + special.xlogy(seen, q) + special.xlog1py(self.runs - seen, -q))
        return float(chances @ above) * _ROUNDING + 2.0 * math.exp(-_REMOTE)

    @cached_property
    def _ways(self) -> Floats:
        """Log of the number of ways in which so many runs can show the event."""
        seen = np.arange(self.runs + 1.0)
        ways: Floats = (
            special.gammaln(self.runs + 1.0)
            - special.gammaln(seen + 1)
            - special.gammaln(self.runs - seen + 1)
        )
        return ways
