"""The correlation: its formula, its budget, and its answers where the formula has none."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.random import default_rng

from audit.errors import InputError
from mechanisms.systems.primer.correlation import Correlation, coefficient


def test_six_parts_share_epsilon() -> None:
    data = np.array([[0.5, -1.0], [1.0, 0.25], [-3.0, 0.5]])
    x, y = np.clip(data, -1, 1).T
    rng = default_rng(1)
    parts = [
        t + rng.laplace(0, 6 / 90, 400) for t in (3, *map(np.sum, (x, y, x * x, y * y, x * y)))
    ]
    ex, ey, ex2, ey2, exy = (part / parts[0] for part in parts[1:])
    expected = (exy - ex * ey) / np.sqrt((ex2 - ex * ex) * (ey2 - ey * ey))
    drawn = Correlation(90.0).release(data, default_rng(1), 400)
    assert drawn == pytest.approx(np.clip(expected, -1, 1), rel=1e-9)


@pytest.mark.parametrize("slope", [1.0, -1.0, 0.3])
def test_it_approaches_pearsons_coefficient_with_a_large_budget(slope: float) -> None:
    x, other = default_rng(2).uniform(-0.5, 0.5, (2, 500))
    data = np.column_stack([x, slope * x + (abs(slope) < 1) * other])
    drawn = Correlation(1e7).release(data, default_rng(3), 3)
    assert drawn == pytest.approx(np.corrcoef(data.T)[0, 1], abs=1e-4)


@pytest.mark.parametrize(
    "data", [[], np.empty((0, 2)), [[math.nan, 1]], [[math.inf, 0], [-math.inf, 1e308]]]
)
def test_it_is_always_a_number(data: object) -> None:
    drawn = Correlation(0.1).release(data, default_rng(4), 3000)  # type: ignore[arg-type]
    assert np.isfinite(drawn).all()
    assert np.abs(drawn).max() <= 1


def test_a_variance_below_zero_gives_zero_and_an_excess_is_cut() -> None:
    zero = coefficient(*(np.array([v]) for v in (0.0, 0.0, -0.1, -0.1, 0.5)))
    cut = coefficient(*(np.array([v]) for v in (0.0, 0.0, 0.1, 0.1, 0.5)))
    assert (zero[0], cut[0]) == (0.0, 1.0)


def test_records_that_are_no_pairs_are_an_error() -> None:
    with pytest.raises(ValueError, match="no pairs"):
        Correlation().release([1.0, 2.0], default_rng(0), 1)
    with pytest.raises(InputError, match="epsilon"):
        Correlation(-1.0)
