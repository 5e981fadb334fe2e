"""Advice on noise whose scale depends on the data."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.random import Generator

from audit.verdict.findings import Cause

from .made import diagnosed


def _mean(data: Any, rng: Generator, n: int) -> Any:
    pay = np.asarray(data, dtype=np.float64).reshape(-1)
    return pay.mean() + rng.laplace(0.0, 100.0 / len(pay), n)


def _sum(data: Any, rng: Generator, n: int) -> Any:
    pay = np.asarray(data, dtype=np.float64).reshape(-1)
    return pay.sum() + rng.laplace(0.0, np.ptp(pay) + 1.0, n)


@pytest.mark.parametrize("table", [False, True])
@pytest.mark.parametrize(("mechanism", "advised"), [(_mean, True), (_sum, False)])
def test_a_mean_takes_a_sum_and_a_count(mechanism: Any, advised: bool, table: bool) -> None:
    """A scale of 1 over the number of records is fixed before the data only in appearance."""
    pair: tuple[Any, Any] = (np.array([40.0, 90.0]), np.array([40.0]))
    if table:
        pair = tuple(pd.DataFrame({"pay": records}) for records in pair)
    found = diagnosed(mechanism, *pair)
    assert found.cause == Cause.SCALE
    assert found.advice.startswith("For a mean, release a noisy sum and a noisy count") is advised
    assert found.advice.startswith("Fix the bounds and the noise scale before") is not advised


def test_the_branch_without_noise_is_named() -> None:
    def count(data: Any, rng: Generator, n: int) -> Any:
        return len(data) + rng.laplace(0.0, 1.0, n) if len(data) else np.zeros(n)

    found = diagnosed(count, np.ones(0), np.ones(1))
    assert found.cause == Cause.NO_NOISE
    assert "The branch that runs on [] adds none." in found.advice
