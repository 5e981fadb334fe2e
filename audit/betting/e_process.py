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
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from audit.betting.events import Bets
from audit.claim import Lines
from audit.outcomes.counting import Counts, Masks

Floats = NDArray[np.float64]

STAKES: Floats = np.array([0.98, 0.75, 0.5, 0.33, 0.2, 0.12, 0.07, 0.04, 0.02, 0.01, 0.004, 0.0015])
"""Stakes as fractions of the largest one that cannot ruin the gambler."""


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
        np.matmul(sums.take(places).astype(np.float64), _both_ways(spans))
        for spans, places in enumerate(bets.places, start=1)
    )
    return single, double


@cache
def _both_ways(spans: int) -> Floats:
    """From cumulative sums at pairs of ends to counts of pairs of parts.

    Args:
        spans: 1 for single bets, whose ends are start, stop and the end of the order
            and whose parts are inside and outside; 2 for double bets, whose ends are
            those of both spans and whose parts are the first, the second and neither.

    Returns:
        Shape (2, ends**2, parts**2), D first and D' first.
    """
    inside = np.kron(np.eye(spans), [-1.0, 1.0])
    whole = np.append(np.zeros(2 * spans), 1.0)
    parts = np.column_stack([inside, np.zeros(spans)])
    parts = np.concatenate([parts, [whole - parts.sum(axis=0)]])
    forward = np.einsum("pa,qb->abpq", parts, parts)
    # The other direction reads the same counts with the two sides exchanged.
    both = np.stack([forward, forward.swapaxes(2, 3)])
    return both.reshape(2, parts.shape[1] ** 2, parts.shape[0] ** 2)


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


def experts(tally: tuple[Floats, Floats], lines: Lines, stakes: Floats) -> Floats:
    """Log-wealth of all experts, from the tallies of one table.

    Args:
        tally: as from `tallies`; any number of directions on the first axis.
        lines: the claim's, shape (lines, 2).
        stakes: shape (lines, stakes).

    Returns:
        Shape (directions, singles + doubles, lines, stakes), singles first.
    """
    cut = tally[0].shape[1]
    wealth = np.empty((len(tally[0]), cut + tally[1].shape[1], stakes.size))
    halves = zip(payoffs(lines), (stakes, stakes / 2), strict=True)
    for held, part, (payoff, stake) in zip(
        tally, (wealth[:, :cut], wealth[:, cut:]), halves, strict=True
    ):
        factors, ruined = log_factors(payoff, stake)
        np.matmul(held, factors, out=part)
        if ruined is not None:
            part[..., ruined] = -np.inf
    return wealth.reshape(*wealth.shape[:2], *stakes.shape)


def log_factors(payoff: Floats, stakes: Floats) -> tuple[Floats, Masks | None]:
    """Log of what one outcome makes of every expert.

    Args:
        payoff: shape (lines, outcomes).
        stakes: shape (lines, stakes).

    Returns:
        Shape (outcomes, lines * stakes), and which of the experts an outcome
        could ruin, None where it is none of them.
    """
    return _log_factors(payoff.tobytes(), stakes.tobytes(), len(payoff))


@lru_cache(maxsize=256)
def _log_factors(payoff: bytes, stakes: bytes, lines: int) -> tuple[Floats, Masks | None]:
    held = np.frombuffer(payoff).reshape(lines, 1, -1)
    change = np.frombuffer(stakes).reshape(lines, -1, 1) * held
    ruined = change.min(axis=-1).ravel() <= -1.0
    factors = np.log1p(np.where(change <= -1.0, 0.0, change)).reshape(len(ruined), -1).T
    return np.ascontiguousarray(factors), ruined if ruined.any() else None


def total(log_prior: Floats, log_wealth: Floats) -> float:
    """Log of the prior-weighted sum of the experts' wealth, -inf when all are ruined."""
    return log_sum(log_prior + log_wealth)


def log_sum(*logs: Floats) -> float:
    """Log of the sum of exp over arrays; -inf when nothing is left."""
    top = max(float(part.max(initial=-np.inf)) for part in logs)
    if top == -np.inf:
        return top
    return top + math.log(sum(_sum_beside(top, part) for part in logs))


def _sum_beside(top: float, logs: Floats) -> float:
    """Sum of exp, in units of exp(top)."""
    apart = np.asarray(logs - top)
    # What is as small as that is lost beside the largest; exp takes far longer to find it is 0.
    np.maximum(apart, _NOTHING, out=apart)
    np.exp(apart, out=apart)
    return float(apart.sum())


def log_sum_of_last(logs: Floats) -> Floats:
    """Log of the sum of exp over the last axis, which stays with length 1."""
    top = logs.max(axis=-1, keepdims=True)
    return np.asarray(top + np.log(np.exp(logs - top).sum(axis=-1, keepdims=True)))
