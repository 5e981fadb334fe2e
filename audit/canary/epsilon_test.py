"""The test of pure and approximate claims: exact boundaries, and what delta adds to them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from audit.canary.crossing import crossing_probability
from audit.canary.design import Design
from audit.canary.excess import gain
from audit.canary.guesses import Guesses
from audit.canary.law import LOST, Law, law_of
from audit.canary.prefixes import Prefix, blocks_of
from audit.canary.strategy import Strategy

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


@dataclass(frozen=True, slots=True, kw_only=True)
class EpsilonTest:
    """Tests of (epsilon, delta)-DP for every epsilon, on the same guesses.

    At each prefix of a strategy the right guesses have a tail probability
    under independent guesses that are right as often as epsilon allows; the
    smallest of them is the strategy's statistic, and the probability of one as
    small, over all its prefixes together, is exact. What delta adds is bounded
    by `excess`; how long blocks must be for it follows from numbers that are
    known before the output, and never from what was opened.

    Attributes:
        guesses: opened.
        design: of the coins.
        canaries: coins in all, also of those that nobody guessed.
        delta: of the claim.
        alpha: level of all strategies together.
        strategies: their shares add up to 1.
    """

    guesses: Guesses
    design: Design
    canaries: int
    delta: float
    alpha: float
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
        least, kept = self._least_block(strategy, epsilon), list(strategy.prefixes)
        blocks = list(blocks_of(strategy.prefixes))
        while len(kept) > 1 and min(b.size for b in blocks) < least:
            kept, blocks = kept[1:], [kept[1], *blocks[2:]]
        return tuple(kept) if kept and kept[0].size >= least else ()

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
