"""Exact tests of events on recorded lines.

Line i gives a pair: x is 1 if the event happened on the side that it is tested for, y is 1 if it
did on the other. The claim's line (a, b) promises P[x] <= a P[y] + b.

**b = 0.** Of a line on which it happened at all, let r10, r11, r01 be the chances that it did
on the first side alone, on both, on the other alone; they add up to 1. The promise says
r10 + r11 <= a (r11 + r01), that is r10 + r11/(1 + a) <= a/(1 + a). Call a line a *success*
if it happened on the first side alone, or if it did on both and a coin of the tool's own, of
probability 1/(1 + a), comes up. Given which lines have the event, their successes are
independent, each of probability at most a/(1 + a): their number is stochastically at most
Bin(s, a/(1 + a)), for s such lines, and the binomial tail at the observed number is a p-value. It
holds for every dependence of x on y, and for lines whose laws differ; conditioning on s makes it
the exact test of two Poisson means (Przyborowski and Wilenski 1940) if the event is rare. With the
same coins at every level it rises with a, so the refuted levels are those below a root.

**b > 0.** Strike the event on the first side with probability min(1, b/P[x]), independently
of all else. The rest keeps the promise with b = 0, and the strikes on n lines are
stochastically at most Bin(n, b). A strike on the first side alone takes a success and its
line away, which raises the tail: P[Bin(s, r) >= k] <= P[Bin(s - 1, r) >= k - 1]. One on a line
with both takes a success at most, if its coin had made it one, and leaves the line, which
raises it further: one failure more. But strikes are independent of coins, so that a line is struck
whose coin came up with probability at most b/(1 + a): these are at most Bin(n, b/(1 + a)).
With c and d such that more than c strikes, and more than d of the second kind, have
probability at most a twentieth of alpha each, the tail after c strikes, d of them on successes
by coin, compared with nine tenths of alpha, is false with probability at most alpha.

For a fixed d the refuted levels are those below a root, as the tail rises with a, b
and c; d itself falls as a grows. So the root is searched for with the d of a level that is known
to be refuted: at all larger levels it is enough or too much. From the root on the search is
repeated with the d of that root. All levels below the last root are refuted with a d that is
enough for them; a bound above the true level is a refutation of the true level itself.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from audit.betting.power import TENTH, moved_apart, smallest_epsilon, smoothed
from audit.claims import LARGEST_EPSILON, Claim
from audit.lazy_modules import special
from audit.outcomes.column import Floats

SMALLEST_LEVEL = 1e-9
"""The smallest lower bound that is looked for."""


_STRIKES = 0.05
"""Part of alpha that is spent on lines that the claim's delta may account for, and again on those
of them that a coin had made a success."""
_CLOSE = 1e-4
_EACH = 1.2815515655446004 / math.sqrt(2.0)
"""Standard errors by which either count is moved: together they make power 0.9."""


@dataclass(frozen=True, slots=True)
class ExactTest:
    """Counts of one event, chosen beforehand, on the lines of two files.

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
        """True if the claim at a level is refuted."""
        return self._refutes(claim, level, level)

    def _refutes(self, claim: Claim, level: float, known: float) -> bool:
        """The same, with as many strikes on successes by coin as another level allows."""
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
            struck: their number.
            tossed: the largest number of them that are successes by coin.
        """
        coins = int(np.searchsorted(self.coins, 1.0 / (1.0 + slope)))
        shown = self.both + self.own + self.other - (struck - min(struck, tossed, coins))
        tail = beyond(self.own + coins - struck - 1, shown, slope / (1.0 + slope))
        return math.log(tail) if tail > 0.0 else -math.inf

    def level(self, claim: Claim, least: float = 0.0) -> float:
        """The largest level below which all are refuted; `least` if that one is not.

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

    def detectable(self, claim: Claim) -> float:
        """Smallest epsilon that this test would have refuted the claim by, with power 0.9.

        Had the event been e^epsilon times as likely on its own side as on the other (see
        `moved_apart`).
        """
        lines = np.array(float(self.lines))
        own, other = (
            smoothed((self.both + alone) / lines, lines) for alone in (self.own, self.other)
        )
        return self._smallest(lambda epsilon: moved_apart(own, other, epsilon), claim)

    def detectable_tenth(self, claim: Claim) -> float:
        """The same for an event that one output in ten shows on its own side."""
        return self._smallest(lambda epsilon: (TENTH, TENTH * math.exp(-epsilon)), claim)

    def _smallest(
        self, chances: Callable[[float], tuple[Floats | float, Floats | float]], claim: Claim
    ) -> float:
        """Smallest epsilon that is refuted with power 0.9, by how likely the event is then.

        Both counts are moved by a part of their standard errors, which together makes power 0.9.
        """

        def refuted(epsilon: float) -> bool:
            own, other = (self.lines * float(chance) for chance in chances(epsilon))
            fewest = max(0, math.floor(own - _EACH * math.sqrt(own)))
            most = math.ceil(other + _EACH * math.sqrt(other))
            seen = replace(self, both=0, own=fewest, other=most, coins=self.coins[:0])
            return seen.refutes(claim, claim.level)

        return smallest_epsilon(refuted, claim.level)


def beyond(count: int, trials: int, chance: float) -> float:
    """The probability of more than so many successes."""
    if count < 0:
        return 1.0
    return float(special.bdtrc(count, trials, chance)) if count < trials else 0.0


def at_most(trials: int, chance: float, share: float) -> int:
    """The smallest number of successes that is exceeded with at most this probability."""
    return bisect_left(range(trials), True, key=lambda n: beyond(n, trials, chance) <= share)
