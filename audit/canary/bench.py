"""The tests of one audit: which one fits a claim, what it refutes, what it could have refuted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from audit.canary.design import Design
from audit.canary.epsilon_test import EpsilonTest
from audit.canary.guesses import Guesses, Prefix, largest_refuted
from audit.canary.guessing import ALL_GUESSES, BOTH_SIDES, Strategy, strategies_for
from audit.canary.profile_test import ProfileTest
from audit.canary.result import PrefixRow
from audit.claims import LARGEST_EPSILON, ApproxDP, Claim, PureDP

_FIRST = 1e-3
"""The smallest level of a claim other than epsilon that is tested."""

_MOST_CANARIES = 10_000_000
_CLOSE = 1.002


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """All tests of one audit.

    Attributes:
        design: of the coins.
        canaries: coins in all.
        alpha: level.
        given: whether somebody else guessed.
    """

    design: Design
    canaries: int
    alpha: float
    given: bool = False

    def bound(self, claim: Claim, guesses: Guesses) -> float:
        """The largest level of the claim's kind such that it and all below are refuted."""
        test = self._test(claim, guesses)
        start = test.start() if isinstance(test, EpsilonTest) else _FIRST
        return largest_refuted(test.refutes, start, claim.level, LARGEST_EPSILON)

    def refutes(self, claim: Claim, guesses: Guesses) -> bool:
        """True if the claim is refuted at its own level; the bound asks for all below, too."""
        return self._test(claim, guesses).refutes(claim.level, claim.level)

    def rows(self, claim: Claim, guesses: Guesses, bound: float) -> tuple[PrefixRow, ...]:
        """Right guesses of each prefix: those that the claim allows, and those observed."""
        test = self._test(claim, guesses)
        if isinstance(test, EpsilonTest):
            return epsilon_rows(test, claim.level, bound)
        return profile_rows(test, claim.level, bound)

    def p_value(self, claim: Claim, guesses: Guesses) -> float | None:
        """Of the claim; None where it is only tested at alpha."""
        test = self._test(claim, guesses)
        if isinstance(test, EpsilonTest):
            return test.chance(claim.level, claim.level)
        return None

    def needed(self, claim: Claim, *, sided: bool) -> int | None:
        """Canaries that refute the claim when all are guessed right, to within 0.2 percent.

        Returns:
            None where ten million cannot.
        """
        high = 1
        while not self._refutable(claim, high, sided):
            high *= 2
            if high > _MOST_CANARIES:
                return None
        low = high // 2
        while high - low > 1 and high > _CLOSE * low:
            middle = (low + high) // 2
            low, high = (low, middle) if self._refutable(claim, middle, sided) else (middle, high)
        return high

    def _refutable(self, claim: Claim, canaries: int, sided: bool) -> bool:
        ins = round(canaries * self.design.probability) if sided else canaries
        guesses = Guesses(
            ins=np.ones(ins, dtype=bool), outs=np.ones(canaries - ins, dtype=bool), sided=sided
        )
        bench = Bench(design=self.design, canaries=canaries, alpha=self.alpha, given=self.given)
        return bench.refutes(claim, guesses)

    def _test(self, claim: Claim, guesses: Guesses) -> EpsilonTest | ProfileTest:
        if not isinstance(claim, PureDP | ApproxDP):
            return ProfileTest(
                guesses=guesses,
                design=self.design,
                canaries=self.canaries,
                claim=claim,
                alpha=self.alpha,
            )
        return EpsilonTest(
            guesses=guesses,
            design=self.design,
            canaries=self.canaries,
            delta=claim.delta(claim.level),
            alpha=self.alpha,
            strategies=strategies_for(guesses, self.design.probability, given=self.given),
        )


_WIDTH = 1e-3


def epsilon_rows(test: EpsilonTest, claimed: float, bound: float) -> tuple[PrefixRow, ...]:
    """The prefixes that count at the claim or at the bound; what the first allow under the claim.

    Args:
        test: of pure or approximate claims.
        claimed: epsilon of the claim.
        bound: the lower bound on epsilon.
    """
    return tuple(
        row
        for strategy in test.strategies
        for row in _strategy_rows(test, strategy, claimed, bound)
    )


def _strategy_rows(
    test: EpsilonTest, strategy: Strategy, claimed: float, bound: float
) -> list[PrefixRow]:
    at_claim, at_bound = (test.nominal_level(strategy, x) for x in (claimed, bound))
    counted, shown = (set(test.prefixes_used(strategy, x)) for x in (claimed, bound))
    rows = []
    for prefix in sorted(counted | shown, key=lambda prefix: prefix.size):
        correct = test.guesses.right(prefix)
        allowed = test.law(prefix, claimed).critical(at_claim) - 1 if prefix in counted else None
        telling = partial(_telling, test, prefix, correct, at_bound)
        row = PrefixRow(
            strategy=strategy.name,
            guesses=prefix.size,
            correct=correct,
            allowed=allowed,
            bound=_largest(telling, bound) if prefix in shown else 0.0,
        )
        rows.append(row)
    return rows


def _telling(test: EpsilonTest, prefix: Prefix, correct: int, level: float, epsilon: float) -> bool:
    return test.law(prefix, epsilon).tail(correct) <= level


def profile_rows(test: ProfileTest, claimed: float, bound: float) -> tuple[PrefixRow, ...]:
    """The prefixes of the other kinds of claim; none shows more than the bound."""
    return tuple(_profile_row(test, prefix, claimed, bound) for prefix in test.prefixes())


def _profile_row(test: ProfileTest, prefix: Prefix, claimed: float, bound: float) -> PrefixRow:
    low, high = -1, prefix.size + 1  # not refuted with `low` right ones, refuted with `high` if any
    while high - low > 1:
        middle = (low + high) // 2
        refuted = test.prefix_refutes(prefix, middle, claimed)
        low, high = (low, middle) if refuted else (middle, high)
    correct = test.guesses.right(prefix)
    return PrefixRow(
        strategy=BOTH_SIDES if test.guesses.sided else ALL_GUESSES,
        guesses=prefix.size,
        correct=correct,
        allowed=low,
        bound=_largest(partial(test.prefix_refutes, prefix, correct), bound),
    )


def _largest(refuted: Callable[[float], bool], most: float) -> float:
    """The largest level up to `most` that is refuted, where all below are; 0 where none is."""
    if most > 0.0 and refuted(most):
        return most
    low, high = 0.0, most
    while high - low > _WIDTH:
        middle = (low + high) / 2.0
        low, high = (middle, high) if refuted(middle) else (low, middle)
    return low
