"""Factors of single bets on pairs of runs, for the search: payoffs, stakes and log-factors."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from audit.claim import Lines

Floats = NDArray[np.float64]
Masks = NDArray[np.bool_]
STAKES: Floats = np.array([0.98, 0.75, 0.5, 0.33, 0.2, 0.12, 0.07, 0.04, 0.02, 0.01, 0.004, 0.0015])
"""Stakes as fractions of the largest one."""


def payoffs(lines: Lines) -> Floats:
    """Payoffs of the outcomes (1, 1), (1, 0), (0, 1), (0, 0) on each line, shape (lines, 4)."""
    slope, offset = lines[:, :1], lines[:, 1:]
    gain, cost = np.array([1.0, 1.0, 0.0, 0.0]), np.array([1.0, 0.0, 1.0, 0.0])
    paid: Floats = gain - slope * cost - offset
    return paid


def stakes_for(lines: Lines) -> Floats:
    """Stakes on each line, shape (lines, stakes)."""
    return np.asarray(STAKES / lines.sum(axis=1, keepdims=True))


def log_factors(payoff: Floats, stakes: Floats) -> tuple[Floats, Masks | None]:
    """Log of the factor of one outcome for every stake.

    Args:
        payoff: shape (lines, outcomes).
        stakes: shape (lines, stakes).

    Returns:
        Shape (outcomes, lines * stakes), and which of the experts an outcome
        could ruin; None if it is none.
    """
    return _log_factors(payoff.tobytes(), stakes.tobytes(), len(payoff))


@lru_cache(maxsize=256)
def _log_factors(payoff: bytes, stakes: bytes, lines: int) -> tuple[Floats, Masks | None]:
    held = np.frombuffer(payoff).reshape(lines, 1, -1)
    change = np.frombuffer(stakes).reshape(lines, -1, 1) * held
    ruined = change.min(axis=-1).ravel() <= -1.0
    factors = np.log1p(np.where(change <= -1.0, 0.0, change)).reshape(len(ruined), -1).T
    return np.ascontiguousarray(factors), ruined if ruined.any() else None
