"""An exact test of one event on recorded lines, whatever the files have to do with each other.

Line i gives a pair: x says whether the event happened on the side that it is tested for, y
whether it did on the other. The claim's line (a, b) promises P[x] <= a P[y] + b.

**b = 0.** Of a line on which it happened at all, let r10, r11, r01 be the chances that it did
on the first side alone, on both, on the other alone; they add up to 1. The promise says
r10 + r11 <= a (r11 + r01), that is r10 + r11/(1 + a) <= a/(1 + a). Call a line a *success*
where it happened on the first side alone, and where it did on both and a coin of the
tool's own, of probability 1/(1 + a), says so. Given which lines show the event, their
successes are independent, each of probability at most a/(1 + a): their number is
stochastically at most Bin(s, a/(1 + a)), for s such lines, and the binomial tail at the
number seen is a p-value. It holds for every dependence of x on y, and for lines whose laws
differ; conditioning on s makes it the exact test of two Poisson means (Przyborowski and
Wilenski 1940) where the event is rare. With the same coins at every level it rises with a,
so that what is refuted are the levels below a root.

**b > 0.** Strike the event on the first side with probability min(1, b/P[x]), independently
of all else. What is left keeps the promise with b = 0, and the strikes on n lines are
stochastically at most Bin(n, b). With c such that more than c of them have probability at
most a tenth of alpha, at most c lines are struck. A strike on the first side alone takes a
success and its line away, which raises the tail: P[Bin(s, r) >= k] <= P[Bin(s - 1, r) >= k - 1].
One on a line with the event on both sides takes a success at most and leaves the line, which
raises it further. So the tail after c strikes, as many of them on both sides as there are
successes by coin, held against nine tenths of alpha, is false with probability at most alpha.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.stats import binom

from audit.betting.e_process import Floats
from audit.betting.level_root import LARGEST_LEVEL, SMALLEST_LEVEL
from audit.claim import Claim

_STRIKES = 0.1
"""Of alpha, what is spent on lines that the claim's delta may account for."""
_CLOSE = 1e-4


@dataclass(frozen=True, slots=True)
class ExactTest:
    """How often one event, chosen beforehand, happened on the lines of two files.

    Attributes:
        both: lines on which it happened on both sides.
        own: on the side that it is tested for alone.
        other: on the other side alone.
        lines: in all.
        place: index of the claim's line that is tested.
        alpha: the level.
        coins: one for each line with the event on both sides, uniform and sorted.
    """

    both: int
    own: int
    other: int
    lines: int
    place: int
    alpha: float
    coins: Floats

    def refutes(self, claim: Claim, level: float) -> bool:
        """Whether the claim at a level is refuted; then it is at all smaller ones."""
        slope, offset = map(float, claim.lines(level)[self.place])
        struck, alpha = 0, self.alpha
        if offset > 0.0:
            struck = int(binom.isf(_STRIKES * alpha, self.lines, min(1.0, offset)))
            alpha *= 1.0 - _STRIKES
        return self.log_tail(slope, struck) <= math.log(alpha)

    def log_tail(self, slope: float, struck: int = 0) -> float:
        """Log of the p-value against a line without offset, with some successes struck out."""
        coins = int(np.searchsorted(self.coins, 1.0 / (1.0 + slope)))
        shown = self.both + self.own + self.other - max(0, struck - coins)
        return float(binom.logsf(self.own + coins - struck - 1, shown, slope / (1.0 + slope)))

    def level(self, claim: Claim, least: float = 0.0) -> float:
        """The largest level that is refuted; `least` where that one is not.

        Args:
            claim: whose line is tested.
            least: a level that is known to be refuted anyway.
        """
        low, high = max(least, SMALLEST_LEVEL), max(claim.level, 2.0 * least)
        if not self.refutes(claim, low):
            return least
        while self.refutes(claim, high):
            low, high = high, 2.0 * high
            if high > LARGEST_LEVEL:
                return low
        while high - low > _CLOSE * high:
            middle = (low + high) / 2.0
            low, high = (middle, high) if self.refutes(claim, middle) else (low, middle)
        return low
