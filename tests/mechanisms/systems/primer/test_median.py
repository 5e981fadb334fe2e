"""The median: exact probabilities against brute force over few bits, and at 32 bits."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import default_rng
from numpy.typing import NDArray
from scipy import stats

from audit.errors import InputError
from mechanisms.parts.noise import choice
from mechanisms.systems.primer.integers import limits, to_integers
from mechanisms.systems.primer.median import Median, segments

RECORDS = st.lists(st.integers(-8, 7), max_size=7)


def brute_force(records: list[int], epsilon: float, bits: int = 4) -> NDArray[np.float64]:
    """Probability of every candidate, straight from the definition."""
    low, high = limits(bits)
    scores = [
        -abs(sum(r > value for r in records) - sum(r < value for r in records))
        for value in range(low, high + 1)
    ]
    weights = np.exp(0.5 * epsilon * np.array(scores))
    return np.asarray(weights / weights.sum())


def by_segments(records: list[int], epsilon: float, bits: int = 4) -> NDArray[np.float64]:
    parts = segments(np.sort(np.array(records, dtype=np.int64)), bits)
    odds = parts.probabilities(epsilon)
    return np.repeat(odds / parts.sizes, parts.sizes)


@given(RECORDS, st.floats(0.01, 20))
def test_segments_give_the_probabilities_of_the_definition(
    records: list[int], epsilon: float
) -> None:
    assert by_segments(records, epsilon) == pytest.approx(brute_force(records, epsilon), rel=1e-9)


@given(RECORDS, st.integers(-8, 7), st.floats(0.01, 5))
def test_one_record_changes_no_probability_by_more_than_epsilon(
    records: list[int], extra: int, epsilon: float
) -> None:
    left, right = by_segments(records, epsilon), by_segments([*records, extra], epsilon)
    assert np.abs(np.log(left / right)).max() <= epsilon + 1e-9


def test_draws_follow_the_exact_probabilities() -> None:
    data = [-0.9, -0.3, -0.3, 0.1, 0.6]
    exact = brute_force(np.floor(8 * np.array(data)).astype(int).tolist(), 1.5)
    drawn = Median(1.5, bits=4).release(data, default_rng(1), 100_000)
    observed = np.bincount((drawn * 8).astype(int) + 8, minlength=16)
    assert stats.chisquare(observed, 100_000 * exact).pvalue > 1e-9
    wrong = brute_force(np.floor(8 * np.array(data)).astype(int).tolist(), 1.5 * 1.3)
    assert stats.chisquare(observed, 100_000 * wrong).pvalue < 1e-9


def test_a_thousand_equal_records_leave_exp_minus_27_82_for_the_rest() -> None:
    parts = segments(to_integers(np.full(1000, 0.4), 32), 32)
    odds = parts.probabilities(0.1)
    assert math.log(odds.sum() - odds.max()) == pytest.approx(-27.82, abs=0.005)


def test_the_catalogued_pair_comes_close_to_epsilon() -> None:
    threshold = to_integers([0.4], 32)[0]
    above = []
    for data in (np.full(48, 0.4), np.append(np.full(48, 0.4), 1.0)):
        parts = segments(to_integers(data, 32), 32)
        odds = parts.probabilities(1.0)
        above.append(odds[parts.starts > threshold].sum())
    assert math.log(above[1] / above[0]) == pytest.approx(0.93, abs=0.005)


@pytest.mark.parametrize("data", [[], [math.nan], [math.inf, -math.inf], [1.0], [-1.0] * 9])
def test_every_dataset_has_a_median(data: list[float]) -> None:
    drawn = Median(5.0).release(data, default_rng(2), 5000)
    assert np.all((drawn >= -1) & (drawn < 1))


def test_huge_datasets_do_not_underflow() -> None:
    drawn = Median(50.0).release(np.full(100_000, 0.25), default_rng(3), 100)
    assert set(drawn) == {0.25}


def test_an_empty_dataset_gives_uniform_candidates() -> None:
    drawn = Median().release([], default_rng(4), 20_000)
    assert stats.kstest(drawn, stats.uniform(-1, 2).cdf).pvalue > 1e-9


def test_consumption_of_randomness_ignores_the_data() -> None:
    left, right = default_rng(5), default_rng(5)
    Median().release([], left, 50)
    Median().release(np.linspace(-1, 1, 99), right, 50)
    assert left.bit_generator.state == right.bit_generator.state


def test_choices_never_leave_the_support() -> None:
    drawn = choice(np.array([0.0, 0.25, 0.0, 0.75, 0.0]), default_rng(6).random(100_000))
    assert set(drawn.tolist()) == {1, 3}


def test_bad_parameters_are_refused() -> None:
    with pytest.raises(InputError, match="epsilon"):
        Median(0.0)
    with pytest.raises(InputError, match="bits"):
        Median(bits=64)
