"""How much of a Gaussian loss an oracle shows."""

from __future__ import annotations

import math

import pytest

from tests.benchmarks.gaussian_reach import growth, shift_of, shown_by_an_oracle


@pytest.mark.parametrize("epsilon", [1.791, 3.619])
@pytest.mark.parametrize("pairs", [50_000, 200_000])
def test_it_refutes_what_is_below_and_nothing_above(epsilon: float, pairs: int) -> None:
    shown, mu = shown_by_an_oracle(epsilon, 1e-5, pairs), shift_of(epsilon, 1e-5)
    goal = math.log(1000.0)
    assert pairs * growth(mu, 0.99 * shown, 1e-5) > goal > pairs * growth(mu, 1.01 * shown, 1e-5)
    assert 0.5 * epsilon < shown < 0.7 * epsilon


def test_nothing_is_earned_against_what_is_true() -> None:
    mu = shift_of(1.791, 1e-5)
    assert growth(mu, 1.791, 1e-5) == pytest.approx(0.0, abs=1e-9)
    assert growth(mu, 1.0, 1e-5) > 1e-5
