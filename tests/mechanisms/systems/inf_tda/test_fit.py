"""Fitting to a sum: feasible always, and no farther in the maximum norm than brute force."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechanisms.systems.inf_tda.fit import nearest_with_sum

ENTRIES = st.lists(st.integers(-6, 9), min_size=1, max_size=4)


@given(ENTRIES, st.integers(0, 12))
def test_no_choice_has_a_smaller_largest_distance(noisy: list[int], total: int) -> None:
    fitted = nearest_with_sum(np.array(noisy), np.array(total))
    assert fitted.sum() == total
    assert fitted.min() >= 0
    choices = (c for c in itertools.product(range(total + 1), repeat=len(noisy)) if sum(c) == total)
    best = min(max(abs(c - y) for c, y in zip(choice, noisy, strict=True)) for choice in choices)
    assert np.abs(fitted - noisy).max() == best


@given(ENTRIES, st.integers(0, 40), st.integers(-50, 50))
def test_a_common_step_of_all_entries_changes_nothing(
    noisy: list[int], total: int, by: int
) -> None:
    left = nearest_with_sum(np.array(noisy), np.array(total))
    assert left.tolist() == nearest_with_sum(np.array(noisy) + by, np.array(total)).tolist()


def test_what_already_fits_stays() -> None:
    noisy = np.array([4, 0, 7])
    assert nearest_with_sum(noisy, np.array(11)).tolist() == [4, 0, 7]


@pytest.mark.parametrize(
    ("noisy", "total", "fitted"),
    [
        ([5, 1], 8, [6, 2]),
        ([5, 1], 7, [6, 1]),
        ([5, -9], 4, [4, 0]),
        ([3, 3], 0, [0, 0]),
        ([-2], 6, [6]),
    ],
)
def test_by_hand(noisy: list[int], total: int, fitted: list[int]) -> None:
    assert nearest_with_sum(np.array(noisy), np.array(total)).tolist() == fitted


def test_rows_are_fitted_on_their_own() -> None:
    noisy = np.random.default_rng(1).integers(-20, 50, (4, 3, 5))
    totals = np.random.default_rng(2).integers(0, 200, (4, 3))
    together = nearest_with_sum(noisy, totals)
    for i, j in itertools.product(range(4), range(3)):
        assert together[i, j].tolist() == nearest_with_sum(noisy[i, j], totals[i, j]).tolist()
