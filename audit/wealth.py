"""What a gambler wins: payoffs, stakes, and wealth as a function of counts.

A claim's line (a, b) says P[M(D) in E] <= a P[M(D') in E] + b. With x and y the
indicators of E on the two sides, x - a y - b has expectation at most 0, so
wealth multiplied by 1 + stake (x - a y - b) is a nonnegative supermartingale
for every stake in [0, 1/(a + b)]; Ville's inequality bounds the chance that it
ever reaches 1/alpha by alpha (arXiv 2210.01948; bets of this form: 2010.09686).

A *double* bet joins two disjoint events, `plus` in one direction and `minus` in
the other: [x+ - a y+ - b] + [y- - a x- - b]. Both brackets have expectation at
most 0 under the claim, so the sum is a fair bet as well; with coupled draws it
doubles the gain at the same variance.

Wealth depends on the draws only through the joint counts of their bins, and
each fixed stake's wealth falls as a and b grow: lower bounds are roots.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from audit.claim import Lines
from audit.events import Bets, Counts

Floats = NDArray[np.float64]

STAKES: Floats = np.array([0.98, 0.75, 0.5, 0.33, 0.2, 0.12, 0.07, 0.04, 0.02, 0.01, 0.004, 0.0015])
"""Stakes as fractions of the largest one that cannot ruin the gambler."""


_ENDS: Floats = np.array([[-1.0, 1.0, 0.0], [1.0, -1.0, 1.0]])
"""From cumulative sums at start, stop and end to what is in a span and what is not."""
_ENDS_TWICE: Floats = np.array(
    [[-1.0, 1.0, 0.0, 0.0, 0.0], [0.0, 0.0, -1.0, 1.0, 0.0], [1.0, -1.0, 1.0, -1.0, 1.0]]
)
"""The same for two disjoint spans: in the first, in the second, in neither."""


_NOTHING = -700.0
"""Exp of anything below is 0 or has lost digits."""


def tallies(joint: Counts, bets: Bets) -> tuple[Floats, Floats]:
    """Counts that decide each bet, in both directions.

    Args:
        joint: shape (bins, bins), pairs by the bin on D and the bin on D'.

    Returns:
        Shapes (2, singles, 4) and (2, doubles, 9); axis 0 is the direction,
        D over D' first; the last axis is as in `payoffs`.
    """
    sums = bets.sums(joint)
    single, double = (
        np.matmul(sums.take(places).astype(np.float64), parts)
        for places, parts in zip(bets.places, (_BOTH_WAYS, _BOTH_WAYS_TWICE), strict=True)
    )
    return single, double


def _both_ways(ends: Floats) -> Floats:
    """From pairs of ends to pairs of parts, D first and D' first, shape (2, ends**2, parts**2)."""
    parts, places = ends.shape
    forward = np.einsum("pa,qb->abpq", ends, ends)
    # The other direction reads the same counts with the two sides exchanged.
    both = np.stack([forward, forward.swapaxes(2, 3)])
    return both.reshape(2, places**2, parts**2)


_BOTH_WAYS, _BOTH_WAYS_TWICE = _both_ways(_ENDS), _both_ways(_ENDS_TWICE)


def payoffs(lines: Lines) -> tuple[Floats, Floats]:
    """What each outcome pays on each line.

    Returns:
        Shape (lines, 4) for single bets, outcomes (x, y) in the order (1, 1),
        (1, 0), (0, 1), (0, 0); shape (lines, 9) for double bets, the side D in
        plus, minus, neither by the side D' in plus, minus, neither.
    """
    return _payoffs(lines.tobytes())


@lru_cache(maxsize=256)
def _payoffs(held: bytes) -> tuple[Floats, Floats]:
    lines = np.frombuffer(held).reshape(-1, 2)
    slope, offset = lines[:, :1], lines[:, 1:]
    single = np.array([1.0, 1.0, 0.0, 0.0]) - slope * np.array([1.0, 0.0, 1.0, 0.0]) - offset
    left = np.concatenate([np.ones_like(slope), -slope, np.zeros_like(slope)], axis=1)
    right = np.concatenate([-slope, np.ones_like(slope), np.zeros_like(slope)], axis=1)
    double = (left[:, :, None] + right[:, None, :]).reshape(-1, 9) - 2 * offset
    return single, double


def stakes_for(lines: Lines) -> Floats:
    """Stakes for single bets on each line, shape (lines, stakes); halve for double bets."""
    return np.asarray(STAKES / lines.sum(axis=1, keepdims=True))


def log_growth(tally: Floats, payoff: Floats, stakes: Floats) -> Floats:
    """Log-wealth of every expert.

    Args:
        tally: shape (2, events, outcomes).
        payoff: shape (lines, outcomes).
        stakes: shape (lines, stakes).

    Returns:
        Shape (2, events, lines, stakes); -inf where the stake could ruin.
    """
    change = stakes[:, :, None] * payoff[:, None, :]
    ruinous = change.min(axis=-1) <= -1.0
    factors = np.log1p(np.where(ruinous[..., None], 0.0, change))
    wealth = tally @ factors.reshape(-1, factors.shape[-1]).T
    wealth = wealth.reshape(*tally.shape[:2], *stakes.shape)
    if ruinous.any():
        wealth[..., ruinous] = -np.inf
    return np.asarray(wealth)


def experts(tally: tuple[Floats, Floats], lines: Lines, stakes: Floats) -> tuple[Floats, Floats]:
    """Log-wealth of all single and all double experts, from the tallies of one table."""
    single, double = payoffs(lines)
    return log_growth(tally[0], single, stakes), log_growth(tally[1], double, stakes / 2)


def total(log_prior: tuple[Floats, Floats], log_wealth: tuple[Floats, Floats]) -> float:
    """Log of the prior-weighted sum of the experts' wealth, -inf when all are ruined."""
    return log_sum([p + w for p, w in zip(log_prior, log_wealth, strict=True)])


def log_sum(logs: Sequence[Floats]) -> float:
    """Log of the sum of exp over several arrays; -inf when nothing is left."""
    top = max(float(part.max(initial=-np.inf)) for part in logs)
    if top == -np.inf:
        return top
    # What is as small as that is lost beside the largest; exp takes far longer to find it is 0.
    apart = (np.maximum(part - top, _NOTHING) for part in logs)
    return top + math.log(sum(float(np.exp(part).sum()) for part in apart))


def log_sum_of_last(logs: Floats) -> Floats:
    """Log of the sum of exp over the last axis, which stays with length 1."""
    top = logs.max(axis=-1, keepdims=True)
    return np.asarray(top + np.log(np.exp(logs - top).sum(axis=-1, keepdims=True)))
