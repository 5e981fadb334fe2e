"""Laws of right guesses are those of scipy, on windows that lose next to nothing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats

from audit.canary.epsilon_test import LOST, Law, law_of


@given(st.integers(1, 400), st.floats(0.5, 0.9999))
def test_one_binomial(count: int, rate: float) -> None:
    law = law_of(count, 0, rate, rate)
    counts = np.arange(law.low, law.high + 1)
    assert_allclose(law.mass, stats.binom.pmf(counts, count, rate), rtol=1e-9)
    assert stats.binom.cdf(law.low - 1, count, rate) <= LOST / 4
    assert stats.binom.sf(law.high, count, rate) <= LOST / 4


def test_a_large_binomial_in_a_window() -> None:
    law = law_of(60_000, 40_000, 0.98, 0.98)
    assert len(law.mass) < 2_000
    counts = np.arange(law.low, law.high + 1)
    assert_allclose(law.mass, stats.binom.pmf(counts, 100_000, 0.98), rtol=1e-9)


def test_two_binomials() -> None:
    law = law_of(3, 2, 0.9, 0.6)
    expected = np.convolve(stats.binom.pmf(range(4), 3, 0.9), stats.binom.pmf(range(3), 2, 0.6))
    assert (law.low, law.high) == (0, 5)
    assert_allclose(law.mass, expected, rtol=1e-12)


def test_tails_and_critical_counts() -> None:
    law = law_of(10, 0, 0.7, 0.7)
    assert law.tail(0) == 1.0
    assert_allclose([law.tail(c) for c in range(1, 11)], stats.binom.sf(range(10), 10, 0.7))
    assert law.tail(11) == LOST
    assert law.critical(1.0) == 0
    assert law.critical(law.tail(8)) == 8
    assert law.critical(0.999 * law.tail(8)) == 9
    assert law.critical(1e-30) == 11


@pytest.mark.parametrize("rate", [0.5, 0.73, 1 - 1e-9])
def test_no_window_is_empty(rate: float) -> None:
    assert law_of(0, 0, rate, rate) == Law(0, pytest.approx(np.ones(1)))  # type: ignore[arg-type]
    assert_allclose(law_of(1, 0, rate, rate).mass, [1 - rate, rate], rtol=1e-6)


def test_guesses_that_are_surely_right() -> None:
    law = law_of(7, 0, 1.0, 1.0)
    assert (law.low, law.mass.tolist()) == (7, [1.0])
    mixed = law_of(3, 2, 1.0, 0.5)
    assert mixed.low == 3
    assert_allclose(mixed.mass, [0.25, 0.5, 0.25])
