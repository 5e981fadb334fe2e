"""Failures that begin or cease are told from failures at a steady rate."""

from __future__ import annotations

import numpy as np
import pytest

from audit.sampling.sampler import FailureRate

DATA = [1.0]


def rate_of(failed: list[bool], batch: int) -> FailureRate:
    rate = FailureRate()
    for start in range(0, len(failed), batch):
        part = failed[start : start + batch]
        rate.add(DATA, len(part), sum(part))
    return rate


@pytest.mark.parametrize("batch", [1, 7, 64])
@pytest.mark.parametrize("chance", [0.0, 0.01, 0.5, 0.99, 1.0])
def test_a_steady_rate_is_none_that_changed(chance: float, batch: int) -> None:
    """At most 1e-9 for each of these few hundred."""
    for seed in range(40):
        failed = (np.random.default_rng(seed).random(2000) < chance).tolist()
        assert not rate_of(failed, batch).changed


@pytest.mark.parametrize("batch", [1, 7, 64])
@pytest.mark.parametrize("died", [100, 1000, 1900])
def test_a_black_box_that_died_has_changed(died: int, batch: int) -> None:
    assert rate_of([False] * died + [True] * (2000 - died), batch).changed


def test_so_has_one_that_recovered_and_one_that_fails_more_often() -> None:
    assert rate_of([True] * 300 + [False] * 1700, 10).changed
    rng = np.random.default_rng(0)
    assert rate_of([*(rng.random(1000) < 0.1), *(rng.random(1000) < 0.4)], 10).changed


def test_datasets_that_fail_at_different_rates_have_not_changed() -> None:
    rate, other = FailureRate(), [2.0]
    for _ in range(100):
        rate.add(DATA, 20, 20)
        rate.add(other, 20, 0)
    assert not rate.changed


def test_memory_does_not_grow_with_the_number_of_batches() -> None:
    rate = rate_of([False] * 40_000, 1)
    (course,) = rate.courses.values()
    assert len(course.runs) <= 256
    assert sum(course.runs) == 40_000
