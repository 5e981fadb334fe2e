"""Cumulative counts: exact without noise, and no more noise than the scales pay for."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import default_rng
from numpy.typing import NDArray
from scipy import stats

from audit.errors import InputError
from mechanisms.systems.primer.counts import CumulativeCounts


@given(st.lists(st.floats(-1, 1), max_size=30), st.integers(1, 6))
def test_answers_are_the_counts_below_each_threshold(data: list[float], scales: int) -> None:
    mechanism = CumulativeCounts(1e9, scales)
    drawn = mechanism.release(data, default_rng(0), 1)[0]
    exact = [sum(value < threshold for value in data) for threshold in mechanism.thresholds]
    assert np.rint(drawn).tolist() == exact


@pytest.mark.slow
def test_a_threshold_adds_one_noise_per_bit_that_is_set() -> None:
    """Answer k adds one Laplace of scale 4/epsilon for every 1 in the binary form of k."""
    drawn = CumulativeCounts(0.5, 4).release([], default_rng(1), 40_000)
    for k in range(1, 16):
        ones = k.bit_count()
        rng = default_rng(100 + k)
        reference = rng.laplace(0, 8, (40_000, ones)).sum(axis=1)
        assert stats.ks_2samp(drawn[:, k - 1], reference).pvalue > 1e-9
        assert stats.ks_2samp(drawn[:, k - 1], 1.3 * reference).pvalue < 1e-9


def test_a_record_moves_at_most_one_noisy_count_of_each_scale() -> None:
    """Differences of coupled answers, undone to single counts: no more than `scales` change."""
    mechanism = CumulativeCounts(1.0, 4)
    empty = mechanism.release([], default_rng(2), 1)[0]
    used = []
    for leaf in range(16):
        record = -1 + (leaf + 0.5) / 8
        moved = np.rint(mechanism.release([record], default_rng(2), 1)[0] - empty)
        used.append(sum(_left_counts(moved)))
    assert max(used) == used[0] == 4
    assert used == [4 - leaf.bit_count() for leaf in range(16)]


def _left_counts(below: NDArray[np.float64]) -> list[float]:
    """The count of every left-hand bin, from cumulative counts of four scales."""
    padded = [0.0, *below]
    return [
        padded[k] - padded[k - step] for step in (8, 4, 2, 1) for k in range(step, 16, 2 * step)
    ]


def test_shape_thresholds_and_records_beyond_the_range() -> None:
    mechanism = CumulativeCounts(1e9, 2)
    assert mechanism.thresholds.tolist() == [-0.5, 0.0, 0.5]
    drawn = mechanism.release([-7.0, np.nan, 1.0, np.inf], default_rng(3), 2)
    assert np.rint(drawn).tolist() == [[1, 1, 1]] * 2


def test_bad_parameters_are_refused() -> None:
    for scales in (0, 17):
        with pytest.raises(InputError, match="scales"):
            CumulativeCounts(scales=scales)
    with pytest.raises(InputError, match="epsilon"):
        CumulativeCounts(0.0)
