"""The test of pure and approximate claims: exact boundaries, and what delta adds to them.

A delta adds at most kappa·m·delta·u(k) to the probability that any prefix crosses its boundary, for
m coins and blocks of k guesses or more that are right with probability q = e^epsilon / (1 +
e^epsilon), where

    u(k) = max_(1 <= j <= k) P[B >= j] P[B < j] / (j P[B = j]),   B ~ Bin(k, q),

and kappa is 1, or the probability of "in" if only "in" is guessed (Theorems 1 and 2 of
docs/explanation/canaries.md). If coins are not fair, 1 - q = u(1) does in place of u(k).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from audit.canary.design import Floats
from audit.canary.guesses import GuessTest, Prefix, Strategy, blocks_of, spaced

_DEAR = 2.5
"""A block of k guesses costs about 0.63 e^(-epsilon/2) / sqrt(k) of kappa·m·delta; blocks are long
enough for about a quarter of alpha."""

_NEGLIGIBLE = 1e-3
"""Where the sum over the prefixes is this part of alpha, nobody needs to know it better."""

_ROUNDING = 1e-9
_CLOSE = 1e-6
_STEP = 0.05
_NO_EPSILON = 30.0
"""No number of canaries that fits a computer shows as much."""

LOST = 4e-40
"""At most this much lies outside of a window, on both sides of both binomials."""

_LOG_LOST = -math.log(LOST / 8.0)
_UNLIKELY = 110.0
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
    mean, third = count * rate, _LOG_LOST / 3.0
    # The t of Bernstein's inequality at which an eighth of `LOST` is left on one side.
    reach = third + math.sqrt(third**2 + 2.0 * _LOG_LOST * mean * (1.0 - rate))
    low, high = max(0, math.floor(mean - reach)), min(count, math.ceil(mean + reach))
    right = np.arange(low, high)
    odds = math.log(rate) - math.log1p(-rate)
    logs = np.append(0.0, np.cumsum(np.log((count - right) / (right + 1.0)) + odds))
    kept = np.flatnonzero(logs >= logs.max() - _UNLIKELY)
    mass = np.exp(logs[kept[0] : kept[-1] + 1] - logs.max())
    return Law(low + int(kept[0]), mass / mass.sum())


@dataclass(frozen=True, slots=True, kw_only=True)
class EpsilonTest(GuessTest):
    """Tests of (epsilon, delta)-DP for every epsilon, on the same guesses.

    At each prefix of a strategy the right guesses have a tail probability
    under independent guesses that are right as often as epsilon allows; the
    smallest of them is the strategy's statistic, and the probability of one as
    small, over all its prefixes together, is exact. What delta adds is bounded
    by `excess`; how long blocks must be for it follows from numbers that are
    known before the output, and never from what was opened.

    Attributes:
        delta: of the claim.
        strategies: their shares of alpha add up to 1.
    """

    delta: float
    strategies: tuple[Strategy, ...]

    def refutes(self, low: float, high: float) -> bool:
        """True if every epsilon of an interval is refuted at level alpha."""
        return self.chance(low, high) <= self.alpha

    def chance(self, low: float, high: float) -> float:
        """A p-value, for low = high; otherwise the largest of the interval, or more.

        If the claim holds with an epsilon, the chance at that epsilon is at most
        alpha with probability at most alpha: each strategy gets its share of it.
        """
        if high > _NO_EPSILON or not self.strategies:
            return 1.0
        found = (
            (self._crossed(s, low, high) + self._cost(s, low, high)) / s.share
            for s in self.strategies
        )
        return min(1.0, *found)

    def start(self) -> float:
        """The smallest epsilon worth testing: where delta alone costs half of alpha or less.

        It does not depend on the output. The claim with a smaller epsilon
        implies the claim with this one.
        """
        if not self.strategies:
            return 0.0
        strategy, epsilon = self.strategies[0], 0.0
        most = strategy.share * self.alpha / 2.0
        while self._cost(strategy, epsilon, epsilon) > most and epsilon < _NO_EPSILON:
            epsilon += _STEP
        return epsilon

    def prefixes_used(self, strategy: Strategy, epsilon: float) -> tuple[Prefix, ...]:
        """The prefixes that count at an epsilon: more of them, the larger it is.

        None of the blocks between them, the first included, is shorter than
        `_least_block`; with too few guesses there is no prefix.
        """
        return spaced(strategy.prefixes, self._least_block(strategy, epsilon))

    def nominal_level(self, strategy: Strategy, epsilon: float) -> float:
        """The level that the boundary leaves to each prefix; at most a millionth part too small."""
        budget = strategy.share * self.alpha - self._cost(strategy, epsilon, epsilon)
        low, high = math.log(LOST), math.log(self.alpha)
        while high - low > _CLOSE:
            middle = (low + high) / 2.0
            fits = self._crossing(strategy, epsilon, math.exp(middle)) <= budget
            low, high = (middle, high) if fits else (low, middle)
        return math.exp(low)

    def law(self, prefix: Prefix, epsilon: float) -> Law:
        """Law of the right guesses of a prefix, each as probable as epsilon allows."""
        return _laws((prefix,), self.design.rates(epsilon))[0]

    def _crossing(self, strategy: Strategy, epsilon: float, level: float) -> float:
        """P[some prefix has a tail probability of at most the level]."""
        used, rates = self.prefixes_used(strategy, epsilon), self.design.rates(epsilon)
        if not used:
            return 1.0
        totals = _laws(used, rates)
        critical = [law.critical(level) for law in totals]
        return crossing_probability(_laws(blocks_of(used), rates), totals, critical)

    def _crossed(self, strategy: Strategy, low: float, high: float) -> float:
        """P[a statistic as small], exact for low = high, the largest in between otherwise.

        For each epsilon in between: tails grow with epsilon, and so do the
        prefixes that count; so the statistic is at most that of the prefixes of
        `low` with the tails of `high`, the counts that reach it are at least
        those for the tails of `low`, and to reach given counts at the prefixes
        of `high` is likeliest at `high`.
        """
        few, many = self.prefixes_used(strategy, low), self.prefixes_used(strategy, high)
        if not few:
            return 1.0
        easy, hard = self.design.rates(high), self.design.rates(low)
        laws = zip(few, _laws(few, easy), strict=True)
        seen = min(law.tail(self.guesses.right(prefix)) for prefix, law in laws)
        level = seen * (1.0 + _ROUNDING) + LOST
        together = len(many) * level
        if together < _NEGLIGIBLE * self.alpha:
            return together
        critical = [law.critical(level) for law in _laws(many, hard)]
        blocks = _laws(blocks_of(many), easy)
        return min(crossing_probability(blocks, _laws(many, easy), critical), together)

    def _cost(self, strategy: Strategy, low: float, high: float) -> float:
        """Largest contribution of delta to that probability."""
        mass = self._mass(strategy, high)
        least, most = self.design.rates(low), self.design.rates(high)
        if not self._exchangeable or mass == 0.0:
            return mass * (1.0 - min(least))
        return mass * gain(self._least_block(strategy, high), least[0], most[0])

    def _least_block(self, strategy: Strategy, epsilon: float) -> int:
        """The fewest guesses that a block needs, half of all at most; it falls with epsilon."""
        if not self._exchangeable:
            return 1
        root = _DEAR * self._mass(strategy, epsilon) / (strategy.share * self.alpha)
        least = root**2 * math.exp(-self.design.steps * epsilon)
        return max(1, math.ceil(min(least, self.canaries / 2.0)))

    def _mass(self, strategy: Strategy, epsilon: float) -> float:
        return strategy.kappa * self.canaries * self.design.delta(epsilon, self.delta)

    @property
    def _exchangeable(self) -> bool:
        """True if all guesses are right with the same probability."""
        return self.design.probability == 0.5


def _laws(prefixes: tuple[Prefix, ...], rates: tuple[float, float]) -> list[Law]:
    return [law_of(p.ins, p.outs, *rates) for p in prefixes]


def crossing_probability(
    blocks: Sequence[Law], totals: Sequence[Law], critical: Sequence[int]
) -> float:
    """P[the right guesses of some prefix reach its critical count], at most 1e-38 too large.

    Going back from the last prefix, V_l(n) is the probability to cross there or
    later when n guesses are right at prefix l: 1 where n is at least its critical
    count, and else the mean of V_(l+1)(n + b) over the right guesses b of the next
    block. V_l grows with n, so whatever lies below a window counts as its lowest
    number and whatever lies above as a crossing: the result can only grow.

    Args:
        blocks: law of the right guesses that each prefix adds.
        totals: law of all right guesses of each prefix.
        critical: for each prefix, the count that crosses.
    """
    low, value = 0, np.ones(1)  # V of the last prefix where it does not cross, filled below
    for place in reversed(range(len(blocks))):
        top = min(critical[place] - 1, totals[place].high)
        bottom = totals[place].low
        if top < bottom:  # all that this prefix is likely to hold crosses
            low, value = bottom, np.ones(1)
        elif place == len(blocks) - 1:
            low, value = bottom, np.append(np.zeros(top - bottom + 1), 1.0)
        else:
            mean = _averaged(low, value, blocks[place + 1], bottom, top)
            low, value = bottom, np.append(mean, 1.0)
    return min(1.0, float(_averaged(low, value, blocks[0], 0, 0)[0]) + len(blocks) * LOST)


def _averaged(low: int, value: Floats, block: Law, bottom: int, top: int) -> Floats:
    """E[V(n + b)] for n from bottom to top; V is `value` from low on, constant beyond its ends."""
    places = np.arange(bottom + block.low, top + block.high + 1) - low
    reached = value[np.clip(places, 0, len(value) - 1)]
    return np.minimum(np.correlate(reached, block.mass, "valid") + LOST, 1.0)


def gain(size: int, low: float, high: float) -> float:
    """At least u(k) for every rate q from `low` to `high`, exact where the two are one.

    u(k) is the largest 1 / (j/A_j + j/B_j) with A_j = P[B >= j] / P[B = j], which
    grows with q, and B_j = P[B < j] / P[B = j], which falls; so A at `high` and B
    at `low` bound all in between. Laws of B are log-concave, so j/A_j grows and
    j/B_j falls with j: beyond a window, its ends are the largest.

    Args:
        size: k, at least 1.
        low: in [1/2, 1).
        high: at least `low`, below 1.
    """
    below, above = law_of(size, 0, low, low), law_of(size, 0, high, high)
    first, last = max(1, below.low), above.high
    falling = np.zeros(last - first + 1)  # j/B_j, 0 where only B_j <= infinity is known
    growing = np.zeros(last - first + 1)  # j/A_j
    _fill(falling, first, below, _sums_below(below, size, low))
    _fill(growing, first, above, _sums_above(above, size, high))
    with np.errstate(divide="ignore"):
        inside = float(np.max(1.0 / (growing + falling)))
    ends = [1.0 / float(growing[-1])] * (last < size) + [1.0 / float(falling[0])] * (first > 1)
    return min(1.0 - low, max([inside, *ends]))


def _sums_above(law: Law, size: int, rate: float) -> Floats:
    """P[B >= j] over the window; what lies beyond it falls faster than geometrically."""
    ratio = rate / (1.0 - rate) * (size - law.high) / (law.high + 1.0)
    beyond = law.mass[-1] * ratio / (1.0 - ratio)
    return np.asarray(law.mass[::-1].cumsum()[::-1] + beyond)


def _sums_below(law: Law, size: int, rate: float) -> Floats:
    """P[B < j] over the window."""
    ratio = (1.0 - rate) / rate * law.low / (size - law.low + 1.0)
    beyond = law.mass[0] * ratio / (1.0 - ratio)
    return np.asarray(np.append(0.0, law.mass.cumsum()[:-1]) + beyond)


def _fill(ratios: Floats, first: int, law: Law, sums: Floats) -> None:
    """Write j P[B = j] / sums[j] where the window of the law and the ratios overlap."""
    start, end = max(first, law.low), min(first + len(ratios), law.high + 1)
    if start < end:
        inside = slice(start - law.low, end - law.low)
        counts = np.arange(start, end)
        ratios[start - first : end - first] = counts * law.mass[inside] / sums[inside]
