"""The tests of one audit in both directions: which fits a claim, what it refutes or could have.

A score with the wrong sign separates members as well as one with the right sign. So guesses are
made in either direction, and the level is divided: both tests hold together with probability at
least 1 - alpha (Bonferroni), and the larger of the two bounds is a bound.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any

import numpy as np

from audit.canary.design import Assignment, Design, Scores
from audit.canary.epsilon_test import EpsilonTest
from audit.canary.guesses import (
    ALL_GUESSES,
    BOTH_SIDES,
    Guesses,
    GuessTest,
    Prefix,
    couples_of,
    guesses_from,
    largest_refuted,
    prefixes_of,
    strategies_for,
    stream,
)
from audit.canary.profile_test import ProfileTest
from audit.canary.result import PrefixRow, TwoSample
from audit.canary.two_sample import two_sample_bound
from audit.claims import LARGEST_EPSILON, ApproxDP, Claim, PureDP

_FIRST = 1e-3
"""The smallest level of a claim other than epsilon that is tested."""
_MOST_CANARIES = 10_000_000
_CLOSE = 1.002


_PARTS = (0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.95)
"""Stakes, as parts of all that one can lose on one guess."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Direction(GuessTest):
    """Guesses in one direction, and their tests at a part of alpha.

    Attributes:
        given: whether somebody else guessed.
        share: its part of the level of both directions.
        reverse: whether it is the direction that the caller does not state.
    """

    given: bool = False
    share: float = 1.0
    reverse: bool = False

    def bound(self, claim: Claim) -> float:
        """The largest level of the claim's kind such that it and all below are refuted."""
        test = self._test(claim)
        start = test.start() if isinstance(test, EpsilonTest) else _FIRST
        return largest_refuted(test.refutes, start, claim.level, LARGEST_EPSILON)

    def refutes(self, claim: Claim) -> bool:
        """True if the claim is refuted at its own level; the bound asks for all below, too."""
        return self._test(claim).refutes(claim.level, claim.level)

    def rows(self, claim: Claim, bound: float) -> tuple[PrefixRow, ...]:
        """Right guesses of each prefix: those that the claim allows, and those observed."""
        test = self._test(claim)
        if isinstance(test, EpsilonTest):
            return tuple(_epsilon_rows(test, claim.level, bound))
        return tuple(_profile_rows(test, claim.level, bound))

    def p_value(self, claim: Claim) -> float | None:
        """Of the claim, before it is divided by the share; None where it is tested at alpha."""
        test = self._test(claim)
        return test.chance(claim.level, claim.level) if isinstance(test, EpsilonTest) else None

    def needed(self, claim: Claim) -> int | None:
        """Canaries that refute the claim when all are guessed right, to within 0.2 percent.

        Returns:
            None where ten million cannot.
        """
        high = 1
        while not self._refutable(claim, high):
            high *= 2
            if high > _MOST_CANARIES:
                return None
        low = high // 2
        while high - low > 1 and high > _CLOSE * low:
            middle = (low + high) // 2
            low, high = (low, middle) if self._refutable(claim, middle) else (middle, high)
        return high

    def _refutable(self, claim: Claim, canaries: int) -> bool:
        sided = self.guesses.sided
        ins = round(canaries * self.design.probability) if sided else canaries
        right, rest = np.ones(ins, dtype=bool), np.ones(canaries - ins, dtype=bool)
        guesses = Guesses(ins=right, outs=rest, sided=sided)
        return replace(self, canaries=canaries, guesses=guesses).refutes(claim)

    def _test(self, claim: Claim) -> EpsilonTest | ProfileTest:
        shared: dict[str, Any] = {each.name: getattr(self, each.name) for each in fields(GuessTest)}
        if not isinstance(claim, PureDP | ApproxDP):
            return ProfileTest(**shared, claim=claim)
        strategies = strategies_for(self.guesses, self.design.probability, given=self.given)
        return EpsilonTest(**shared, delta=claim.delta(claim.level), strategies=strategies)

    def log_e_value(self, claim: Claim) -> float:
        """Natural log of the e-value by bets that guesses are right (docs/explanation/canaries.md).

        A claim of several lines has the average over them.
        """
        if not len(self.guesses):
            return 0.0
        lines = claim.lines(claim.level)
        return _log_mean([self._log_against(math.log(a), float(b)) for a, b in lines if b < 1.0])

    def _log_against(self, epsilon: float, delta: float) -> float:
        rates = self.design.rates(epsilon)
        wealth = _log_mean(list(self._log_wealths(rates)))
        if delta == 0.0:
            return wealth
        excess = (1.0 - min(rates)) * self.canaries * self.design.delta(epsilon, delta)
        return min(wealth, -math.log(self.alpha)) - math.log1p(excess / self.alpha)

    def _log_wealths(self, rates: tuple[float, float]) -> Iterator[float]:
        ins, outs = self.guesses.ins, self.guesses.outs
        whole = Prefix(len(ins), len(outs))
        for prefix in (whole,) if self.given else prefixes_of(whole.ins, whole.outs):
            sides = (
                (int(ins[: prefix.ins].sum()), prefix.ins, rates[0]),
                (int(outs[: prefix.outs].sum()), prefix.outs, rates[1]),
            )
            for part in _PARTS:
                yield sum(
                    right * math.log1p(part * (1.0 / rate - 1.0))
                    + (size - right) * math.log1p(-part)
                    for right, size, rate in sides
                )


def _log_mean(logs: list[float]) -> float:
    """ln of the mean of e^x; of no numbers 0, a wealth never bet."""
    if not logs:
        return 0.0
    return float(np.logaddexp.reduce(logs)) - math.log(len(logs))


_WIDTH = 1e-3


def _epsilon_rows(test: EpsilonTest, claimed: float, bound: float) -> Iterator[PrefixRow]:
    """The prefixes that count at the claim, with what it allows, or at the bound."""
    for strategy in test.strategies:
        at_claim, at_bound = (test.nominal_level(strategy, x) for x in (claimed, bound))
        counted, shown = (set(test.prefixes_used(strategy, x)) for x in (claimed, bound))
        for prefix in sorted(counted | shown, key=lambda prefix: prefix.size):
            correct = test.guesses.right(prefix)
            limit = test.law(prefix, claimed).critical(at_claim) if prefix in counted else None
            telling = partial(_telling, test, prefix, correct, at_bound)
            yield PrefixRow(
                strategy=strategy.name,
                guesses=prefix.size,
                correct=correct,
                allowed=None if limit is None else limit - 1,
                bound=_largest(telling, bound) if prefix in shown else 0.0,
            )


def _telling(test: EpsilonTest, prefix: Prefix, correct: int, level: float, epsilon: float) -> bool:
    return test.law(prefix, epsilon).tail(correct) <= level


def _profile_rows(test: ProfileTest, claimed: float, bound: float) -> Iterator[PrefixRow]:
    """The prefixes of the other kinds of claim; none shows more than the bound."""
    for prefix in test.prefixes():
        fewest = bisect_left(
            range(prefix.size + 1), True, key=lambda n: test.prefix_refutes(prefix, n, claimed)
        )
        correct = test.guesses.right(prefix)
        yield PrefixRow(
            strategy=BOTH_SIDES if test.guesses.sided else ALL_GUESSES,
            guesses=prefix.size,
            correct=correct,
            allowed=fewest - 1,
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


_STATED, _REVERSED = 0.8, 0.2
"""Parts of alpha for the direction that the caller states, and for the other one."""


def coins_of(scores: Scores, design: Design) -> int:
    """Number of coins thrown: one a canary, or one a pair that is compared."""
    if design.assignment is Assignment.COIN:
        return len(scores)
    runs = (scores.members[rows] for rows in scores.rows_by_run())
    return sum(min(int(ins.sum()), int((~ins).sum())) for ins in runs)


_TO_COMPARE = 0.5
"""Part of alpha for two-sample tests, if canaries are assumed to be independent."""
_MATCHING, _CHOICE = 3, 4


@dataclass(frozen=True, slots=True, kw_only=True)
class CanaryTests:
    """Tests of guesses in both directions, and two-sample tests if the caller assumes enough.

    Attributes:
        scores: checked against the design.
        directions: that which the caller states, then the other one.
        assignment: of canaries.
        alpha: of the two-sample tests; 0 where there are none.
        seed: of all random choices.
    """

    scores: Scores
    directions: tuple[Direction, Direction]
    assignment: Assignment
    alpha: float
    seed: int

    @classmethod
    def of(
        cls, scores: Scores, design: Design, *, alpha: float, seed: int, independent: bool
    ) -> CanaryTests:
        """The tests of scores checked against their design; alpha is that of all together."""
        to_compare = _TO_COMPARE * alpha if independent else 0.0
        stated, other = (
            Direction(
                guesses=guesses_from(replace(scores, values=values), design, seed),
                design=design,
                canaries=coins_of(scores, design),
                alpha=(alpha - to_compare) * share,
                given=scores.guessed,
                share=share,
                reverse=values is not scores.values,
            )
            for values, share in ((scores.values, _STATED), (-scores.values, _REVERSED))
        )
        return cls(
            scores=scores,
            directions=(stated, other),
            assignment=design.assignment,
            alpha=to_compare,
            seed=seed,
        )

    def of_guesses(self, claim: Claim) -> tuple[float, Direction]:
        """The largest bound of both directions, and the first direction that has it."""
        bounds = [direction.bound(claim) for direction in self.directions]
        best = int(np.argmax(bounds))
        return bounds[best], self.directions[best]

    def bound(self, claim: Claim) -> float:
        """The largest level of the claim's kind that a test refutes, with all below it."""
        compared = self.two_sample(claim)
        found, _ = self.of_guesses(claim)
        return found if compared is None else max(found, compared.bound)

    def ceiling(self, claim: Claim) -> float:
        """The bound if all guesses were right, and all scores apart."""
        stated = self.directions[0]
        guessed = replace(stated, guesses=stated.guesses.perfect()).bound(claim)
        apart = replace(self.scores, values=self.scores.members.astype(np.float64))
        compared = replace(self, scores=apart).two_sample(claim)
        return guessed if compared is None else max(guessed, compared.bound)

    def p_value(self, claim: Claim, compared: TwoSample | None) -> float | None:
        """The smallest p-value of guesses and scores, each divided by its part of alpha."""
        found = [(direction.p_value(claim), direction.share) for direction in self.directions]
        divided = [p / share for p, share in found if p is not None]
        if divided and self.alpha > 0.0:
            other = 1.0 if compared is None else compared.p_value
            divided = [*(p / (1.0 - _TO_COMPARE) for p in divided), other / _TO_COMPARE]
        return min(1.0, *divided) if divided else None

    def log_e_value(self, claim: Claim) -> float:
        """Natural log of the weighted mean of the e-values of both directions."""
        logs = [d.log_e_value(claim) + math.log(d.share) for d in self.directions]
        return float(np.logaddexp.reduce(logs))

    def two_sample(self, claim: Claim) -> TwoSample | None:
        """The two-sample test of a claim; None without the assumption, or with too few scores."""
        if self.alpha == 0.0:
            return None
        couples = couples_of(self.scores, self.assignment, self.seed, stage=_MATCHING)
        rng = stream(self.seed, _CHOICE)
        return two_sample_bound(self.scores, couples, claim, self.alpha, rng)
