"""How soon claims are refuted and how close lower bounds come: the promises kept."""

from __future__ import annotations

import numpy as np
import pytest

from audit.case import Case, Until
from tests.benchmarks.cases import laplace, many_counts
from tests.benchmarks.play import play

SEEDS = 20


def refuted(case: Case, pairs: int) -> float:
    """Share of audits of so many pairs of runs in all that refute a claim at level 0.05."""
    games = [play(case, alpha=0.05, samples=2 * pairs, seed=seed) for seed in range(SEEDS)]
    return float(np.mean([game.refuted for game in games]))


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
    assert refuted(case, most) >= 0.5


@pytest.mark.slow
def test_the_lower_bound_of_laplace_comes_close() -> None:
    bounds = [
        play(laplace(0.1), alpha=0.05, samples=2_000_000, seed=seed, until=Until.BUDGET).bound
        for seed in range(5)
    ]
    assert np.median(bounds) >= 0.984 * 0.1
    assert min(bounds) >= 0.98 * 0.1
    assert max(bounds) <= 0.1
