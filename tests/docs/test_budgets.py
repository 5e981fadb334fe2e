"""The tables of what a budget can show are those of this version."""

from __future__ import annotations

import math

import pytest

from audit.betting.power import floor_pairs
from audit.claim import PureDP
from tests.docs.budgets import PAGE, ideal_pairs, largest_epsilon, parts, tables


def test_the_page_holds_the_tables_of_this_version() -> None:
    _, held, _ = parts(PAGE.read_text(encoding="utf-8"))
    assert held == tables(), "python -m tests.docs.budgets writes them again"


@pytest.mark.parametrize("pairs", [100, 5_000, 10**6])
def test_a_floor_is_met_by_the_largest_epsilon_and_missed_by_the_next(pairs: int) -> None:
    epsilon = largest_epsilon(pairs, 0.001)
    assert floor_pairs(PureDP(epsilon), 0.001) <= pairs < floor_pairs(PureDP(epsilon + 0.1), 0.001)


def test_ideal_pairs_are_those_of_the_best_growth() -> None:
    """Against stakes on a fine grid instead of the fund's twelve."""
    true, claimed = 2.0, 1.0
    p = math.exp(true) / (1.0 + math.exp(true))
    q, slope = 1.0 - p, math.exp(claimed)

    def growth(stake: float) -> float:
        return (
            p * q * math.log1p(stake * (1.0 - slope))
            + p * p * math.log1p(stake)
            + q * q * math.log1p(-stake * slope)
        )

    best = max(growth(part / 1000 / slope) for part in range(1, 1000))
    assert -math.log(0.001) / best <= ideal_pairs(true, claimed, 0.001)
    assert ideal_pairs(true, claimed, 0.001) <= 1.1 * -math.log(0.001) / best + 1
    assert ideal_pairs(1.5, claimed, 0.001) > ideal_pairs(true, claimed, 0.001)
