"""The exact test of a coin has the binomial law it says it has."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from audit.sampling.heads import heads_too_often, so_many


@pytest.mark.parametrize("chance", [0.02, 0.5, 0.9])
def test_so_many_heads_have_the_chance_of_the_binomial_law(chance: float) -> None:
    heads = np.arange(13)
    expected = stats.binom.sf(heads - 1, 12, chance)
    assert so_many(heads, 12, chance) == pytest.approx(expected, rel=1e-9)


def test_the_level_is_shared_by_all_coins() -> None:
    # Nine of ten heads or more have chance 11/1024, which is below .05 and above .05/5.
    heads, tails = np.array([9, 5, 5, 5, 5]), np.array([1, 5, 5, 5, 5])
    assert heads_too_often(heads[:4], tails[:4], 0.05)
    assert not heads_too_often(heads, tails, 0.05)


@pytest.mark.parametrize("tosses", range(12))
@pytest.mark.parametrize("level", [2.0**-5, 2.0**-6, 1e-6])
def test_few_tosses_are_too_few_exactly_where_all_of_them_may_be_heads(
    tosses: int, level: float
) -> None:
    heads = np.array([tosses, 0])
    expected = stats.binom.sf(heads - 1, np.array([tosses, 0]), 0.5) <= level / 2
    assert heads_too_often(heads, np.array([0, 0]), level) == bool(expected.any())


def test_no_coins_are_fair() -> None:
    assert not heads_too_often(np.array([], dtype=int), np.array([], dtype=int), 0.05)
