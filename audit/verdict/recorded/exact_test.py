"""Exact tests of events on recorded lines, with the proofs of docs/explanation/recorded-outputs.md.

Line i gives a pair: x is 1 if the event happened on the side that it is tested for, y is 1 if it
did on the other. The claim's line (a, b) promises P[x] <= a P[y] + b. Of the lines with the event,
those are a *success* that have it on the first side alone, or on both and a coin of probability
1/(1 + a). These are at most Bin(s, a/(1 + a)) of s lines, once those that b allows are struck.
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
