"""Intervals of means: they hold, and they shrink."""

from __future__ import annotations

import numpy as np
import pytest

from audit.verdict.intervals import proportion
from audit.verdict.witness import mean_of

LAW, VALUES = np.array([0.9, 0.08, 0.02]), np.array([0.1, 0.5, 1.0])


@pytest.mark.parametrize("draws", [10, 100, 10_000])
def test_they_miss_the_mean_with_at_most_alpha(draws: int) -> None:
    """More than 75 misses in 500 at a level of .1 happen with probability below 1e-3."""
    truth = float(LAW @ VALUES)
    counts = np.random.default_rng(0).multinomial(draws, LAW, size=500)
    found = [mean_of(count, VALUES, 0.1) for count in counts]
    assert sum(not each.low <= truth <= each.high for each in found) <= 75


def test_they_tell_means_apart_that_differ() -> None:
    found = mean_of(np.array([9000, 800, 200]), VALUES, 0.001)
    assert found.estimate == pytest.approx(0.15)
    assert 0.13 < found.low < 0.15 < found.high < 0.17


def test_means_of_events_are_probabilities_with_exact_intervals() -> None:
    counts, event = np.array([3, 4, 13]), np.array([0.0, 1.0, 0.0])
    assert mean_of(counts, event, 0.05) == proportion(4, 20, 0.05)


def test_one_draw_says_nothing_of_a_mean() -> None:
    found = mean_of(np.array([1, 0, 0]), VALUES, 0.05)
    assert (found.low, found.high) == (0.0, 1.0)
