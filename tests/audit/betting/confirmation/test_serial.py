"""Calls that depend on each other are told from independent ones by the order of what they paid."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.random import Generator
from numpy.typing import NDArray

from audit.betting.confirmation.serial import order_matters

Floats = NDArray[np.float64]


def rare(rng: Generator) -> Floats:
    return (rng.random(400) < 0.02) - 3.0 * (rng.random(400) < 0.01)


def heavy(rng: Generator) -> Floats:
    return rng.standard_cauchy(300)


def remembered(rng: Generator) -> Floats:
    """A part of every value is common to eight in a row."""
    return rng.normal(size=(50, 8)).ravel() + np.repeat(rng.normal(size=50), 8)


def drifting(rng: Generator) -> Floats:
    return rng.normal(size=400) + np.linspace(0.0, 2.0, 400)


@pytest.mark.parametrize("kind", [rare, heavy])
def test_independent_payoffs_of_any_law_seldom_look_dependent(kind: object) -> None:
    """60 series, each with chance 1/500: three of them have chance 3e-4."""
    assert callable(kind)
    found = [order_matters(kind(np.random.default_rng(k)), k) for k in range(60)]
    assert found.count(True) <= 2


@pytest.mark.parametrize("kind", [remembered, drifting])
def test_payoffs_that_have_something_in_common_do(kind: object) -> None:
    assert callable(kind)
    assert all(order_matters(kind(np.random.default_rng(k)), k) for k in range(10))


def test_a_payoff_that_never_varies_and_a_few_calls_show_nothing() -> None:
    assert order_matters(np.full(100, 0.1 + 0.2), 0) is None
    assert order_matters(np.random.default_rng(0).normal(size=7), 0) is None
