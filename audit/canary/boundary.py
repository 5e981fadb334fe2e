"""Boundary of each prefix under a claim, and its bound by itself, for display."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from audit.canary.epsilon_test import EpsilonTest
from audit.canary.prefixes import Prefix
from audit.canary.profile_test import ProfileTest
from audit.canary.result import PrefixRow
from audit.canary.strategy import ALL_GUESSES, BOTH_SIDES, Strategy

_CLOSE = 1e-3


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
    while high - low > _CLOSE:
        middle = (low + high) / 2.0
        low, high = (middle, high) if refuted(middle) else (low, middle)
    return low
