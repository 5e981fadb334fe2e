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
stochastically at most Bin(n, b). A strike on the first side alone takes a success and its
line away, which raises the tail: P[Bin(s, r) >= k] <= P[Bin(s - 1, r) >= k - 1]. One on a line
with both takes a success at most, where its coin had made it one, and leaves the line, which
raises it further: a failure more. But strikes know nothing of coins, so that a line is struck
whose coin says success with probability at most b/(1 + a): these are at most Bin(n, b/(1 + a)).
With c and d such that more than c strikes, and more than d of the second kind, have
probability at most a twentieth of alpha each, the tail after c strikes, d of them on successes
by coin, held against nine tenths of alpha, is false with probability at most alpha.

For a fixed d the levels that are refuted are those below a root, as the tail rises with a, b
and c; d itself falls as a grows. So a root is looked for with the d of a level that is known
to be refuted: at all larger levels it is enough or too much. From the root on it is looked
for again with the d of that. All levels below the last root are refuted with a d that is
enough for them; a bound above the true level is a refutation of the true level itself.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from audit.betting.e_process import Floats
from audit.betting.exact.binomial import at_most, beyond
from audit.betting.level_root import SMALLEST_LEVEL
from audit.claim import Claim
from audit.claim_kind import LARGEST_EPSILON

_STRIKES = 0.05
"""Of alpha, what is spent on lines that the claim's delta may account for, and again on those
of them that a coin had made a success."""
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
        """Whether the claim at a level is refuted."""
        return self._refutes(claim, level, level)

    def _refutes(self, claim: Claim, level: float, known: float) -> bool:
        """The same, with as many strikes on successes by coin as another level allows.

        Args:
            claim: whose line is tested.
            level: where.
            known: a level that is not larger.
        """
        slope, offset = map(float, claim.lines(level)[self.place])
        if offset <= 0.0:
            return self.log_tail(slope) <= math.log(self.alpha)
        toss = 1.0 / (1.0 + float(claim.lines(known)[self.place][0]))
        struck, tossed = (
            at_most(self.lines, min(1.0, chance), _STRIKES * self.alpha)
            for chance in (offset, offset * toss)
        )
        rest = math.log1p(-2.0 * _STRIKES) + math.log(self.alpha)
        return self.log_tail(slope, struck, tossed) <= rest

    def log_tail(self, slope: float, struck: int = 0, tossed: int = 0) -> float:
        """Log of the p-value against a line without offset, with some successes struck out.

        Args:
            slope: of the line.
            struck: how many.
            tossed: how many of them, at most, are successes by coin.
        """
        coins = int(np.searchsorted(self.coins, 1.0 / (1.0 + slope)))
        shown = self.both + self.own + self.other - (struck - min(struck, tossed, coins))
        tail = beyond(self.own + coins - struck - 1, shown, slope / (1.0 + slope))
        return math.log(tail) if tail > 0.0 else -math.inf

    def level(self, claim: Claim, least: float = 0.0) -> float:
        """The largest level below which all are refuted; `least` where that one is not.

        Args:
            claim: whose line is tested.
            least: a level that is known to be refuted anyway.
        """
        root = max(least, SMALLEST_LEVEL)
        if not self.refutes(claim, root):
            return least
        while root <= LARGEST_EPSILON:
            known, root = root, self._root(claim, root)
            if root <= (1.0 + 2.0 * _CLOSE) * known:
                break
        return root

    def _root(self, claim: Claim, known: float) -> float:
        """The largest level that is refuted with the strikes of one that is known to be."""
        low, high = known, max(claim.level, 2.0 * known)
        while self._refutes(claim, high, known):
            low, high = high, 2.0 * high
            if high > LARGEST_EPSILON:
                return low
        while high - low > _CLOSE * high:
            middle = (low + high) / 2.0
            low, high = (middle, high) if self._refutes(claim, middle, known) else (low, middle)
        return low
