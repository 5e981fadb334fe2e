"""How soon claims are refuted and how close lower bounds come: the promises kept."""

from __future__ import annotations

import numpy as np
import pytest

from audit.case import Case, Until
from tests.benchmarks.cases import laplace, many_counts
from tests.benchmarks.play import play

SEEDS = 50


def median_pairs(case: Case, budget: int) -> float:
    """Median pairs to refute at level 0.05; the budget where an audit fails."""
    games = [play(case, alpha=0.05, samples=2 * budget, seed=seed) for seed in range(SEEDS)]
    return float(np.median([game.pairs if game.refuted else 2 * budget for game in games]))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "most"),
    [
        (laplace(0.2, claimed=0.1), 1_000),
        (laplace(0.02, claimed=0.01), 10_000),
        (many_counts(0.1, 10), 1_000),
        (many_counts(1.0, 10), 100),
        (laplace(1.2, claimed=1.0), 10_000),
    ],
    ids=["half noise .1", "half noise .01", "ten counts .1", "ten counts 1", "1.2 sold as 1"],
)
def test_a_wrong_claim_is_refuted_soon(case: Case, most: int) -> None:
    assert median_pairs(case, 4 * most) <= most


@pytest.mark.slow
def test_the_lower_bound_of_laplace_comes_close() -> None:
    bounds = [
        play(laplace(0.1), alpha=0.05, samples=2_000_000, seed=seed, until=Until.BUDGET).bound
        for seed in range(5)
    ]
    assert np.median(bounds) >= 0.985 * 0.1
    assert max(bounds) <= 0.1
