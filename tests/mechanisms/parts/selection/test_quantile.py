"""The exponential mechanism over the gaps between records."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.random import default_rng
from scipy import stats

from mechanisms.parts.selection.quantile import ExponentialQuantile

BUDGET = 1e-9


@pytest.mark.parametrize("arithmetic", ["log", "naive"])
def test_quantile_is_drawn_by_rank_and_length(arithmetic: Any) -> None:
    """Records 0.2 and 0.6 and their median: three intervals of known weight."""
    mechanism = ExponentialQuantile(epsilon=2.0, arithmetic=arithmetic)
    drawn = mechanism.release([0.6, 0.2], default_rng(1), 50_000)
    weights = np.array([0.2, 0.4, 0.4]) * np.exp([-1.0, 0.0, -1.0])
    observed = np.histogram(drawn, [0.0, 0.2, 0.6, 1.0])[0]
    assert stats.chisquare(observed, weights / weights.sum() * 50_000).pvalue > BUDGET
