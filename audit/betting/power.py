"""What a budget can show: the floor of a claim, and the smallest excess it would see."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import replace

import numpy as np

from audit.betting.capital import SHARES, Capital
from audit.betting.e_process import STAKES, Floats, log_factors, payoffs, stakes_for
from audit.betting.exact.closing_tests import ClosingTests
from audit.betting.exact.exact_test import ExactTest
from audit.betting.functions import fastest_growth
from audit.betting.level_root import around
from audit.betting.position import Position
from audit.betting.schedule import FIRST, opens
from audit.claim import Claim, Lines

_POWER = 1.2815515655446004
"""Standard normal quantile of power 0.9."""
_COSTS = 3.0
"""Log-wealth that capital typically leaves behind in bets on other events."""
_LARGEST = 60.0


def floor_pairs(claim: Claim, alpha: float) -> int:
    """About how many pairs of runs the fastest refutation takes.

    Even an event that is certain on D and impossible on D' multiplies wealth by
    at most 1 + stake (1 - delta) with stake below 1/(e^x + delta). Counted as if
    the first epoch, with its share of the money, had found it at once and
    bet on it to the end. Functions are bet on from the second epoch on, with half
    of its money; the best there is has one value on D and another on D'.
    """
    return min(_by_events(claim, alpha), _by_functions(claim, alpha))


def _by_functions(claim: Claim, alpha: float) -> int:
    largest = fastest_growth(claim.divergences(claim.level))
    if largest <= 0.0:
        return 1 << 62
    return opens(FIRST, 1) + math.ceil((-math.log(alpha) - math.log(SHARES[1] / 2.0)) / largest)


def _by_events(claim: Claim, alpha: float) -> int:
    slope, offset = claim.lines(claim.level).T
    gain = np.log1p(STAKES.max() * (1.0 - offset) / (slope + offset)).max()
    if gain <= 0:
        return 1 << 62
    return FIRST + math.ceil((-math.log(alpha) - math.log(SHARES[0])) / float(gain))


def detectable_epsilon(capital: Capital, pairs: int) -> float | None:
    """Smallest epsilon that this many pairs would have refuted with power 0.9.

    On the events that were bet on, with the frequencies seen: had D made one of
    them e^epsilon times as likely as D' did, up to the coupling seen, the wealth
    would have reached the goal, or a closing test would have refuted the claim. None when
    nothing was bet on.
    """
    found = [_by_bets(capital, pairs), *map(_by_tests, capital.closing)]
    return min((epsilon for epsilon in found if epsilon is not None), default=None)


def _by_tests(closing: ClosingTests) -> float | None:
    """The same by closing tests, None where they are not over."""
    if closing.lost or closing.open:
        return None
    return min((shown_by(test, closing.claim) for test in closing.tests), default=None)


def shown_by(test: ExactTest, claim: Claim) -> float:
    """How many times as likely an event has to be that a test refutes the claim by it.

    Of both counts a part of their errors is taken away, which together makes power 0.9.
    """
    runs, each = test.lines, _POWER / math.sqrt(2.0)
    chance = (test.both + test.other + 0.5) / (runs + 1.0)
    other = math.ceil(runs * chance + each * math.sqrt(runs * chance))

    def refutes(own: int) -> bool:
        seen = replace(test, both=0, own=own, other=other, coins=test.coins[:0])
        return seen.refutes(claim, claim.level)

    own = bisect_left(range(runs + 1), True, key=refutes)
    needed = (own + each * math.sqrt(own)) / runs
    return math.log(needed / chance) if needed < 1.0 else math.inf


def _by_bets(capital: Capital, pairs: int) -> float | None:
    # The youngest may have been opened where the budget ended, and have seen nothing yet.
    seen = ([a for a in g.positions if _has_seen(a)] for g in reversed(capital.epochs))
    positions = next((found for found in seen if found), [])
    needed = capital.goal - math.log(SHARES[0]) + _COSTS
    found = [_detectable(capital.claim, position, pairs, needed) for position in positions]
    return min(found, default=None)


def _has_seen(position: Position) -> bool:
    return any(counts.any() for counts in position.counts)


def _detectable(claim: Claim, position: Position, pairs: int, needed: float) -> float:
    rates = [_smoothed(single) for single, _ in position.tallies()]
    cells = np.concatenate([rate.reshape(-1, 4) for rate in rates])
    lines = claim.lines(claim.level)

    def excess(epsilon: float) -> float:
        return _reach(cells, lines, epsilon, pairs) - needed

    # Most answers lie close above the claim.
    low, high = 0.0, min(claim.level, _LARGEST)
    while excess(high) < 0:
        if high == _LARGEST:
            return math.inf
        low, high = high, min(2.0 * high, _LARGEST)
    if low == 0.0 and excess(low) >= 0:
        return 0.0
    return around(low, high, lambda epsilon: -excess(epsilon), 1e-4)[1]


def _smoothed(single: Floats) -> Floats:
    """Rates of the four outcomes; what was never seen in n pairs counts as half a pair."""
    rates: Floats = (single + 0.5) / (single.sum(axis=-1, keepdims=True) + 2.0)
    return rates


def _reach(cells: Floats, lines: Lines, epsilon: float, pairs: int) -> float:
    """Log-wealth after `pairs` on the best event and stake, less what power 0.9 asks for."""
    right = cells[:, 0] + cells[:, 2]
    left = np.minimum(1.0, np.exp(epsilon) * right)
    only_right = np.minimum(np.minimum(cells[:, 1], cells[:, 2]), 1.0 - left)
    both = np.maximum(right - only_right, 0.0)
    only_left = np.maximum(left - both, 0.0)
    chances = np.stack([both, only_left, only_right, 1.0 - both - only_left - only_right], axis=-1)
    chances = np.maximum(chances, 0.0)
    factors, _ = log_factors(payoffs(lines)[0], stakes_for(lines))
    mean = chances @ factors
    variance = np.maximum(chances @ factors**2 - mean**2, 0.0)
    return float((pairs * mean - _POWER * np.sqrt(pairs * variance)).max())
