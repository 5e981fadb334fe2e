"""Binomial tails: how likely more than so many successes are, and how many are rarely exceeded."""

from __future__ import annotations

from bisect import bisect_left

from audit.special import special


def beyond(count: int, trials: int, chance: float) -> float:
    """The probability of more than so many successes."""
    if count < 0:
        return 1.0
    return float(special.bdtrc(count, trials, chance)) if count < trials else 0.0


def at_most(trials: int, chance: float, share: float) -> int:
    """The smallest number of successes that more than have at most this probability."""
    return bisect_left(range(trials), True, key=lambda n: beyond(n, trials, chance) <= share)
