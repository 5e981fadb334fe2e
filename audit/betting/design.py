"""Designs of units: pairs or coins, and how many outputs a unit gives."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from audit.outcomes.column import Floats

SHARES = (0.5, 0.2, 0.1)
"""Probabilities of the dataset with the gain that coins are tried with."""
MOST_OUTPUTS = 4096
STAKES: Floats = np.array([0.98, 0.75, 0.5, 0.33, 0.2, 0.12, 0.07, 0.04, 0.02, 0.01, 0.004, 0.0015])
"""Stakes as parts of the largest one, of which the best is found with hindsight or mixed."""


@dataclass(frozen=True, slots=True)
class Design:
    """Pairs of n outputs on each dataset, or coins of n outputs in all.

    Attributes:
        n: outputs of a unit (see `UnitPlan`).
        share: probability of D for coins; None for pairs.
    """

    n: int = 1
    share: float | None = None

    @property
    def runs(self) -> int:
        """Outputs of one unit."""
        return self.n * (2 if self.share is None else 1)

    def weights(self, forward: bool) -> tuple[float, float]:
        """Weights of an output on the side of the gain and on the side of the cost."""
        if self.share is None:
            return 1.0, 1.0
        own = self.share if forward else 1.0 - self.share
        return 1.0 / own, 1.0 / (1.0 - own)


def spread(variance: Floats, n: int, alike: float) -> Floats:
    """Variance of the mean of n brackets.

    Args:
        variance: of one bracket.
        n: outputs of a unit.
        alike: correlation of two outputs of one unit, from 0 to 1.
    """
    return variance * (1.0 + (n - 1) * alike) / n


def kelly(mean: Floats, variance: Floats, top: Floats) -> tuple[Floats, Floats]:
    """Stake of the largest expected log-growth, and that growth, by the second-order expansion.

    Args:
        mean: of a unit's bracket.
        variance: of a unit's bracket.
        top: largest stake allowed.
    """
    second = variance + mean * mean + 1e-300
    stake = np.clip(mean / second, 0.0, top)
    return stake, stake * mean - stake * stake * second / 2.0


def log_sum(logs: NDArray[np.float64]) -> float:
    """Log of the sum of exp; -inf if nothing is left."""
    top = float(logs.max(initial=-np.inf))
    if top == -np.inf:
        return top
    return top + math.log(float(np.exp(logs - top).sum()))
