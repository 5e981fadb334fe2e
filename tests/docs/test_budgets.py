"""The tables of what a budget can show are those of this version."""

from __future__ import annotations

import math

import numpy as np
import pytest

from audit.betting.power import floor_units
from audit.claims import PureDP
from tests.docs.budgets import PAGE, ideal_pairs, largest_epsilon, parts, tables


def test_the_page_holds_the_tables_of_this_version() -> None:
    _, held, _ = parts(PAGE.read_text(encoding="utf-8"))
    assert held == tables(), "python -m tests.docs.budgets writes them again"


@pytest.mark.parametrize("pairs", [100, 5_000, 10**6])
def test_a_floor_is_met_by_the_largest_epsilon_and_missed_by_the_next(pairs: int) -> None:
    epsilon = largest_epsilon(pairs, 0.001)
    assert floor_units(PureDP(epsilon), 0.001) <= pairs < floor_units(PureDP(epsilon + 0.1), 0.001)


def test_ideal_pairs_multiply_the_wealth_as_often_as_it_takes() -> None:
    """Against a simulation of the wealth itself, by pairs, with its best stake."""
    true, claimed, alpha = 2.0, 1.0, 0.001
    p, slope, pairs = 1.0 / (1.0 + math.exp(-true)), math.exp(claimed), ideal_pairs(2.0, 1.0, 0.001)
    rng, goals = np.random.default_rng(0), []
    own, other = (rng.random((2000, pairs)) < chance for chance in (p, 1.0 - p))
    for stake in np.arange(0.05, 1.0, 0.05) / slope:
        logs = np.log1p(stake * (own - slope * other)).sum(axis=1)
        goals.append(float(logs.mean()))
    assert max(goals) == pytest.approx(-math.log(alpha), rel=0.1)
    assert ideal_pairs(1.5, claimed, alpha) > 2 * pairs
