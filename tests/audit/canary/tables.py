"""Canaries as somebody would have them: coins, noisy scores, tables of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from audit.canary.design import Scores
from audit.canary.scores import scores_in

Columns = tuple[NDArray[np.bool_], NDArray[np.float64]]


def noisy(canaries: int, sigma: float, seed: int = 0, probability: float = 0.5) -> Columns:
    """Coins, and each coin with Gaussian noise as the score: 1/sigma-Gaussian DP."""
    rng = np.random.default_rng(seed)
    members = rng.random(canaries) < probability
    return members, members + rng.normal(0.0, sigma, canaries)


def scores_of(**columns: Any) -> Scores:
    """A table of these columns as scores."""
    return scores_in(pd.DataFrame(columns), {}, "the table")
