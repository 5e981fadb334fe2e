"""How much to put on each expert, judged by what it would have earned so far."""

from __future__ import annotations

import numpy as np

from audit.betting.candidate_table import Sketch
from audit.betting.e_process import Floats, log_sum_of_last, payoffs, stakes_for
from audit.betting.portfolio import Weights
from audit.claim import Lines

_EAGER, _EARLY = 2.0, 64.0
"""Power of what was earned on fewer pairs than that, by which experts are preferred.

So few leave most of the money with experts that lost nothing by luck alone.
"""
_SPREAD = 0.1
"""Share of the prior that stays spread evenly, against surprises."""
_FLOOR = -20.0
"""Losses beyond this log-wealth tell nothing more."""
_NEAR = 0.8
"""Share of the prior of an event that lies near its best stake; the rest is spread evenly."""
_STAKE_SCALE = 3.0
"""Log-wealth wanted for every horizon's worth of draws, when choosing stakes."""


def on_claim(sketch: Sketch, lines: Lines) -> Weights:
    """Log-weights to refute the claim itself: what the experts earned against it."""
    stakes = stakes_for(lines)
    eager = _EAGER if _pairs(sketch.everything[0]) <= _EARLY else 1.0
    earned = np.maximum(eager * sketch.past(lines, stakes), _FLOOR)
    weights: Weights = np.logaddexp(np.log1p(-_SPREAD) + earned, np.log(_SPREAD))
    weights += _base(sketch, lines, stakes)
    return weights


def ahead_of(sketch: Sketch, telling: Lines, ahead: Lines) -> Weights:
    """Log-weights to refute the largest level within reach.

    Against that level itself the past says little yet. Against a lower one, that
    the past refutes clearly, it tells which events are good; their stakes are
    those that the level ahead calls for.
    """
    earned = np.maximum(sketch.past(telling, stakes_for(telling)), _FLOOR)
    return _base(sketch, ahead, stakes_for(ahead)) + log_sum_of_last(earned)


def _base(sketch: Sketch, lines: Lines, stakes: Floats) -> Weights:
    """Log weight of every expert before its past is looked at, shape as the experts'."""
    cut = len(sketch.bets.spans)
    weight = sketch.bets.weight / (2.0 * len(lines))
    parts = []
    for held, payoff, share, scale in zip(
        sketch.everything, payoffs(lines), (weight[:cut], weight[cut:]), (1.0, 0.5), strict=True
    ):
        preferred = _preferred_stakes(held, payoff, stakes * scale)
        parts.append(np.log(share[:, None, None] * preferred))
    return np.concatenate(parts, axis=1)


def _preferred_stakes(held: Floats, payoff: Floats, stakes: Floats) -> Floats:
    """Weight of each stake: most of it near the best one for the horizon, the rest spread evenly.

    To earn the goal from a small edge within n pairs, the stake has to be about
    sqrt(2 goal / (n variance)): the variance is known long before the edge is.
    """
    pairs = max(1.0, _pairs(held))
    mean = held @ payoff.T / pairs
    variance = np.maximum(held @ (payoff**2).T / pairs - mean**2, 1e-9)
    best = np.sqrt(_STAKE_SCALE / (pairs * variance))[..., None]
    near = np.exp(-0.5 * (np.log(stakes / best) / np.log(2.0)) ** 2) + 1e-300
    near /= near.sum(axis=-1, keepdims=True)
    weights: Floats = _NEAR * near + (1.0 - _NEAR) / stakes.shape[-1]
    return weights


def _pairs(held: Floats) -> float:
    """How many pairs were counted."""
    return float(held[0, :1].sum())
