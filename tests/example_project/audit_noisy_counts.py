"""The audits of this project; those of `hasty_count` fail, as they should."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from noisy_counts import (  # type: ignore[import-not-found]
    Released,
    hasty_count,
    noisy_count,
)
from numpy.random import Generator

from audit.testing import assert_private, audited


def test_noisy_count_keeps_its_claim() -> None:
    assert_private(noisy_count, epsilon=1.0, domain="float:0:1")


def test_hasty_count_keeps_its_claim() -> None:
    assert_private(hasty_count, epsilon=1.0, domain="float:0:1")


@pytest.mark.private(epsilon=1.0, data=[0.5, 0.5], neighbors=[[0.5]])
@pytest.mark.parametrize("mechanism", [noisy_count, hasty_count])
def test_on_one_pair(mechanism: Callable[..., Released]) -> Callable[..., Released]:
    return mechanism


@audited(max_examples=5)
@given(records=st.integers(1, 30))
def test_hasty_count_at_every_length(records: int) -> None:
    """Fails on a single record, the simplest of all."""
    data = [1.0] * records
    assert_private(hasty_count, epsilon=1.0, data=data, neighbors=[data[1:]])


@audited(max_examples=5)
@given(epsilon=st.integers(1, 3))
def test_noise_for_every_level(epsilon: int) -> None:
    def count(data: Any, rng: Generator, size: int) -> Released:
        return len(data) + rng.laplace(0.0, 1.0 / epsilon, size)

    assert_private(count, epsilon=float(epsilon), data=[1.0], neighbors=[[]])
