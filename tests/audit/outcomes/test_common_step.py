"""The step that all numbers of one side are multiples of."""

from __future__ import annotations

import numpy as np
import pytest

from audit.outcomes.number_features import common_step


@pytest.mark.parametrize("step", [0.3, 0.7, 0.25, 1 / 3, 12.5, 1e-6])
def test_steps_are_found_up_to_rounding(step: float) -> None:
    times = np.random.default_rng(0).integers(-5000, 5000, 100)
    values = np.asarray(times * step, np.float64)
    assert common_step(values) == pytest.approx(step, rel=1e-11)
    assert common_step(np.append(values, np.nan)) == pytest.approx(step, rel=1e-11)


def test_noise_and_few_numbers_have_none() -> None:
    rng = np.random.default_rng(0)
    assert common_step(rng.laplace(size=100)) is None
    assert common_step(np.append(0.3 * rng.integers(0, 99, 100), 0.1234567)) is None
    assert common_step(np.array([0.3, 0.6])) is None
    assert common_step(np.zeros(0)) is None


def test_multiples_that_are_off_by_more_than_rounding_have_no_step() -> None:
    times = np.arange(1.0, 1001.0)
    assert common_step(0.3 * times) == pytest.approx(0.3)
    assert common_step(0.3 * times + 1e-8 * (-1.0) ** times) is None
