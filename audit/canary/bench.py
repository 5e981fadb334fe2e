"""The tests of one audit in both directions: which fits a claim, what it refutes or could have.

A score with the wrong sign separates members as well as one with the right sign. So guesses are
made in either direction, and the level is divided: both tests hold together with probability at
least 1 - alpha (Bonferroni), and the larger of the two bounds is a bound.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

import numpy as np

from audit.canary.design import Design
from audit.canary.epsilon_test import EpsilonTest
from audit.canary.guesses import Guesses, Prefix, largest_refuted, prefixes_of
from audit.canary.guessing import ALL_GUESSES, BOTH_SIDES, Strategy, guesses_from, strategies_for
from audit.canary.profile_test import ProfileTest
from audit.canary.result import PrefixRow
from audit.canary.scores import Scores
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
        return replace(self, canaries=canaries).refutes(claim, guesses)

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
    found = (_strategy_rows(test, each, claimed, bound) for each in test.strategies)
    return tuple(chain.from_iterable(found))


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
        rows.append(
            PrefixRow(
                strategy=strategy.name,
                guesses=prefix.size,
                correct=correct,
                allowed=allowed,
                bound=_largest(telling, bound) if prefix in shown else 0.0,
            )
        )
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


_STATED, _REVERSED = 0.8, 0.2
"""Parts of alpha for the direction that the caller states, and for the other one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Direction:
    """Guesses in one direction, and their tests at a part of alpha.

    Attributes:
        guesses: opened.
        bench: of the tests.
        share: its part of alpha.
        reverse: whether it is the direction that the caller does not state.
    """

    guesses: Guesses
    bench: Bench
    share: float
    reverse: bool

    def bound(self, claim: Claim) -> float:
        """The largest level of the claim's kind such that it and all below are refuted."""
        return self.bench.bound(claim, self.guesses)

    def p_value(self, claim: Claim) -> float | None:
        """Of the claim, before it is divided by the share; None where it is tested at alpha."""
        return self.bench.p_value(claim, self.guesses)

    def log_e_value(self, claim: Claim) -> float:
        """Natural log of the e-value against the claim."""
        if not len(self.guesses):
            return 0.0
        bench, ins, outs = self.bench, len(self.guesses.ins), len(self.guesses.outs)
        prefixes = (Prefix(ins, outs),) if bench.given else prefixes_of(ins, outs)
        design, canaries = bench.design, bench.canaries
        return log_e_value(claim, self.guesses, design, canaries, prefixes, bench.alpha)


def directions_of(
    scores: Scores, design: Design, canaries: int, alpha: float, seed: int
) -> tuple[Direction, Direction]:
    """The direction that the caller states, and the other one.

    Args:
        scores: checked against the design (`screen`).
        design: of the coins.
        canaries: coins in all.
        alpha: level of both directions together.
        seed: of the permutation that breaks ties and of the matching.
    """
    both = ((scores, _STATED), (replace(scores, values=-scores.values), _REVERSED))
    stated, other = (
        Direction(
            guesses=guesses_from(held, design, seed),
            bench=Bench(
                design=design, canaries=canaries, alpha=alpha * share, given=scores.guessed
            ),
            share=share,
            reverse=held is not scores,
        )
        for held, share in both
    )
    return stated, other


def largest_bound(directions: tuple[Direction, ...], claim: Claim) -> tuple[float, Direction]:
    """The largest bound of all directions, and the first direction that has it."""
    bounds = [direction.bound(claim) for direction in directions]
    best = int(np.argmax(bounds))
    return bounds[best], directions[best]


def smallest_p_value(directions: tuple[Direction, ...], claim: Claim) -> float | None:
    """A p-value of the claim: the smallest of all directions, each divided by its share."""
    found = [(direction.p_value(claim), direction.share) for direction in directions]
    divided = [p / share for p, share in found if p is not None]
    return min(1.0, *divided) if divided else None


def mixed_log_e_value(directions: tuple[Direction, ...], claim: Claim) -> float:
    """Natural log of the weighted mean of the e-values of all directions."""
    logs = [direction.log_e_value(claim) + math.log(direction.share) for direction in directions]
    return float(np.logaddexp.reduce(logs))


_PARTS = (0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.95)
"""Stakes, as parts of all that one can lose on one guess."""


def log_e_value(
    claim: Claim,
    guesses: Guesses,
    design: Design,
    canaries: int,
    prefixes: tuple[Prefix, ...],
    alpha: float,
) -> float:
    """Natural log of the wealth of gamblers who bet that guesses are right, at the claim.

    A gambler stakes a part s of the wealth on each guess: it grows by the
    factor 1 + s (1/q - 1) where the guess is right and 1 - s where it is wrong.
    If guesses are right with probability at most q whatever was opened before,
    this is a nonnegative supermartingale, and so is the average over stakes and
    over prefixes at which to stop; its mean is at most 1. With a delta, let G
    be the event that no guess was right by way of it: P[not G] <= (1 - q) m
    delta (see `excess`), so the mean of min(wealth, 1/alpha) is at most 1 +
    (1 - q) m delta / alpha, by which it is divided. A claim of several lines
    has the average over them.

    Args:
        claim: its lines are bet against.
        guesses: opened.
        design: of the coins.
        canaries: coins in all.
        prefixes: at which gamblers stop.
        alpha: wealth above 1/alpha counts as 1/alpha where there is a delta.
    """
    found = [
        _log_against(math.log(slope), float(offset), guesses, design, canaries, prefixes, alpha)
        for slope, offset in claim.lines(claim.level)
        if offset < 1.0
    ]
    return _log_mean(found)


def _log_against(
    epsilon: float,
    delta: float,
    guesses: Guesses,
    design: Design,
    canaries: int,
    prefixes: tuple[Prefix, ...],
    alpha: float,
) -> float:
    rates = design.rates(epsilon)
    wealth = _log_mean(list(_log_wealths(guesses, rates, prefixes)))
    if delta == 0.0:
        return wealth
    excess = (1.0 - min(rates)) * canaries * design.delta(epsilon, delta)
    return min(wealth, -math.log(alpha)) - math.log1p(excess / alpha)


def _log_wealths(
    guesses: Guesses, rates: tuple[float, float], prefixes: tuple[Prefix, ...]
) -> Iterator[float]:
    for prefix in prefixes:
        sides = (
            (int(guesses.ins[: prefix.ins].sum()), prefix.ins, rates[0]),
            (int(guesses.outs[: prefix.outs].sum()), prefix.outs, rates[1]),
        )
        for part in _PARTS:
            yield sum(
                right * math.log1p(part * (1.0 / rate - 1.0)) + (size - right) * math.log1p(-part)
                for right, size, rate in sides
            )


def _log_mean(logs: list[float]) -> float:
    """ln of the mean of e^x; of no numbers 0, a wealth never bet."""
    if not logs:
        return 0.0
    return float(np.logaddexp.reduce(logs)) - math.log(len(logs))
