"""Peaks and repeated values are found where numbers crowd, and nowhere else."""

from __future__ import annotations

import numpy as np
import pytest

from audit.outcomes.binning import edges_of_peaks, learned, repeated_values
from audit.outcomes.column import Column

RNG = np.random.default_rng(5)
SMOOTH = np.sort(RNG.laplace(size=8_192))


def with_peak(share: float, width: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    inside = RNG.random(8_192) < share
    return np.sort(np.where(inside, 1.7 + width * RNG.random(8_192), SMOOTH))


@pytest.mark.parametrize("smooth", [SMOOTH, np.exp(SMOOTH), RNG.random(2_000).cumsum()])
def test_smooth_numbers_have_no_peak(smooth: np.ndarray[tuple[int], np.dtype[np.float64]]) -> None:
    assert edges_of_peaks(smooth).size == 0


@pytest.mark.parametrize("share", [0.02, 0.1])
def test_a_narrow_peak_has_ends_of_its_own(share: float) -> None:
    ends = edges_of_peaks(with_peak(share, 1e-4))
    assert ((ends > 1.6) & (ends < 1.8)).all()
    assert ends.size
    binning = learned([Column(with_peak(share, 1e-4))], 32)
    assert ((binning.edges > 1.6999) & (binning.edges < 1.7002)).sum() >= 2


def test_few_values_that_come_again_are_atoms() -> None:
    distinct = np.arange(100.0)
    once = np.ones(100, np.intp)
    some, all_ = once.copy(), once + 4
    some[[3, 7]] = 5
    assert repeated_values(distinct, some).tolist() == [3.0, 7.0]
    assert repeated_values(distinct, once).size == repeated_values(distinct, all_).size == 0


def test_a_rare_exact_value_has_a_bin_of_its_own() -> None:
    values = SMOOTH.copy()
    values[::400] = 0.1234
    binning = learned([Column(np.sort(values))], 32)
    held = Column(np.array([0.1233, 0.1234, 0.1235]))
    assert len(set(binning.code(held).tolist())) == 3
