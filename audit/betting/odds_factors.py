"""What a run makes of a stake that is bet at odds (see `odds`)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from audit.betting.e_process import Floats
from audit.claim import Lines

STAKES: Floats = np.array([0.98, 0.9, 0.75, 0.5, 0.25, 0.12])
"""Of wealth, what a run on which the event happened on the other side costs."""

_LEAST_SLOPE = 50.0
"""Of a claim's lines: where it is smaller, pairs are as good."""
_MOST = 32
"""Runs on the other side for one: more gain no more, and leave fewer blocks to learn from."""


def steep(lines: Lines) -> bool:
    """Whether a claim allows such large losses that bets at odds may be worth it."""
    return float(lines[:, 0].max(initial=0.0)) >= _LEAST_SLOPE


def times_for(lines: Lines) -> int:
    """Runs on the other side for one: the power of two nearest to the best odds, at most 32."""
    wanted = math.log2(math.sqrt(2.0 * float(lines[:, 0].max())))
    return int(min(_MOST, 2 ** max(1, round(wanted))))


def log_factors(lines: Lines, stakes: Floats, times: int) -> tuple[Floats, NDArray[np.bool_]]:
    """Log of what a run makes of a stake, and which stakes it could ruin.

    Args:
        lines: shape (lines, 2).
        stakes: s, shape (lines, stakes).
        times: runs on the other side for one.

    Returns:
        Shape (3, lines, stakes): a run on the own side with the event, one without, and one on
        the other side with it; shape (lines, stakes).
    """
    slope, offset = lines[:, :1], lines[:, 1:]
    lost, cost = stakes * slope / times, stakes * offset
    ruined = (lost >= 1.0) | (cost >= 1.0)
    lost, cost = np.where(ruined, 0.0, lost), np.where(ruined, 0.0, cost)
    won = np.where(ruined, 0.0, stakes * (1.0 - offset))
    return np.stack([np.log1p(won), np.log1p(-cost), np.log1p(-lost)]), ruined


def stakes_at(lines: Lines, times: int) -> Floats:
    """Stakes s that suit a claim's lines, shape (lines, stakes)."""
    slope, offset = lines[:, :1], lines[:, 1:]
    highest = np.minimum(times / slope, 1.0 / np.maximum(offset, 1e-300))
    return np.asarray(STAKES * highest)
