"""Noisy answers, repeated and summed up, and counts of dyadic intervals."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.random import default_rng

from mechanisms.parts.counts import NoisyAnswers, counts_of, tree_of


def test_repeated_and_cumulative_answers() -> None:
    answers = NoisyAnswers(epsilon=400.0, repeats=2).release([1.0, 2.0], default_rng(1), 5)
    assert answers == pytest.approx(np.tile([1.0, 2.0, 1.0, 2.0], (5, 1)), abs=0.1)
    totals = NoisyAnswers(epsilon=400.0, cumulative=True).release([1.0, 2.0], default_rng(1), 5)
    assert totals == pytest.approx(np.tile([1.0, 3.0], (5, 1)), abs=0.1)


def test_tree_holds_the_counts_of_all_dyadic_intervals() -> None:
    counts = counts_of([0, 0, 3, 99, -5], 4)
    assert counts.tolist() == [3, 0, 0, 2]
    assert tree_of(counts).tolist() == [5, 3, 2, 3, 0, 0, 2]
