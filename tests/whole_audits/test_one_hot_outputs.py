"""Parts of an output that tell more together than alone, so that only fitted features are read."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

import audit


def noisy(categories: int, data: Any, rng: Generator, size: int) -> Any:
    """A vector with one entry of √k, with two-sided geometric noise."""
    root = np.sqrt(categories)
    shape, chance = (size, categories), -np.expm1(-1.0 / (2.0 * root))
    noise = rng.geometric(chance, shape) - rng.geometric(chance, shape)
    return np.eye(categories)[int(data[0])] * root + noise


def right(data: Any, rng: Generator, size: int) -> Any:
    return noisy(4, data, rng, size)


def wrong(data: Any, rng: Generator, size: int) -> Any:
    """The root of 3 has digits behind the point that no noise on the integers hides."""
    return noisy(3, data, rng, size)


@pytest.mark.slow
def test_power_is_stated_where_only_fitted_features_are_read() -> None:
    found, refuted = (
        audit.run(
            release,
            epsilon=1.0,
            relation="substitute",
            domain="int:0:2[1]",
            assume=("independent-calls",),
        )
        for release in (right, wrong)
    )
    assert found.verdict is audit.Verdict.NOT_REFUTED
    assert found.detectable_epsilon is not None
    assert 1.0 < found.detectable_epsilon < 1.5
    assert refuted.verdict is audit.Verdict.VIOLATION
