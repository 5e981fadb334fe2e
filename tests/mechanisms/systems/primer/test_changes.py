"""Fewest changes to a mean and a median: against brute force, sensitivity exhaustively."""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement

import numpy as np
import pytest
from numpy.random import default_rng
from scipy import stats

from audit.errors import InputError
from mechanisms.systems.primer.changes import CHANGES, FewestChanges, Statistic
from mechanisms.systems.primer.integers import limits, to_integers

BITS = 3
LOW, HIGH = limits(BITS)
VALUES = range(LOW, HIGH + 1)
CANDIDATES = np.array(VALUES, dtype=np.int64)
STATISTICS: tuple[Statistic, ...] = ("mean", "median")
Dataset = tuple[int, ...]


def datasets(size: int) -> list[Dataset]:
    return list(combinations_with_replacement(VALUES, size))


@cache
def changes(statistic: Statistic, data: Dataset) -> tuple[int, ...]:
    found = CHANGES[statistic](np.array(data, dtype=np.int64), CANDIDATES, BITS)
    return tuple(found.tolist())


def has(statistic: Statistic, data: Dataset, value: int) -> bool:
    """Whether the statistic of a dataset is (or, for medians, may be) exactly this value."""
    if statistic == "mean":
        return sum(data) == len(data) * value
    below, above = sum(r < value for r in data), sum(r > value for r in data)
    return 2 * max(below, above) <= len(data)


def distance(left: Dataset, right: Dataset) -> int:
    """Records to replace to get from one multiset to another of the same size."""
    counts = np.bincount(np.array(left) - LOW, minlength=8) - np.bincount(
        np.array(right) - LOW, minlength=8
    )
    return int(np.maximum(counts, 0).sum())


@pytest.mark.parametrize("statistic", STATISTICS)
@pytest.mark.parametrize("size", [1, 2, 3])
def test_changes_are_the_fewest(statistic: Statistic, size: int) -> None:
    everything = datasets(size)
    for data in everything[:: max(1, len(everything) // 40)]:
        for value, found in zip(VALUES, changes(statistic, data), strict=True):
            reached = [other for other in everything if has(statistic, other, value)]
            assert found == min(distance(data, other) for other in reached)


@pytest.mark.parametrize("statistic", STATISTICS)
def test_one_record_more_moves_no_score_by_more_than_one(statistic: Statistic) -> None:
    for size in range(5):
        for data in datasets(size):
            for extra in VALUES:
                longer = tuple(sorted((*data, extra)))
                moved = np.subtract(changes(statistic, data), changes(statistic, longer))
                assert np.abs(moved).max() <= 1


def test_a_mean_near_its_limit_is_far_from_it() -> None:
    """From -0.99 everywhere, 901 of 1000 records must change for -0.999, all for -1."""
    records = to_integers(np.full(1000, -0.99), 32)
    mechanism = FewestChanges(points=2001)
    found = CHANGES["mean"](records, mechanism.candidates, 32)
    assert mechanism.candidates[1] / 2**31 == pytest.approx(-0.999, abs=1e-9)
    assert found[:2].tolist() == [1000, 901]
    assert CHANGES["mean"](records, to_integers([-0.98], 32), 32).tolist() == [6]


@pytest.mark.parametrize("statistic", STATISTICS)
def test_draws_follow_the_exact_probabilities(statistic: Statistic) -> None:
    mechanism = FewestChanges(1.5, statistic, points=8, bits=3)
    data = (-3, -3, 0, 1, 2)
    weights = np.exp(-0.75 * np.array(changes(statistic, data)))
    drawn = mechanism.release(np.array(data) / 4, default_rng(1), 50_000)
    observed = np.bincount((drawn * 4).astype(int) + 4, minlength=8)
    assert stats.chisquare(observed, 50_000 * weights / weights.sum()).pvalue > 1e-9
    wrong = weights**1.3
    assert stats.chisquare(observed, 50_000 * wrong / wrong.sum()).pvalue < 1e-9


@pytest.mark.parametrize("statistic", STATISTICS)
def test_an_empty_dataset_needs_no_change(statistic: Statistic) -> None:
    assert set(changes(statistic, ())) == {0}


def test_bad_parameters_are_refused() -> None:
    with pytest.raises(InputError, match="points"):
        FewestChanges(points=1)
    with pytest.raises(InputError, match="epsilon"):
        FewestChanges(0.0)
