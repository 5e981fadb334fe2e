"""Noisy answers, repeated and summed up."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.random import default_rng

from mechanisms.parts.counts.answers import NoisyAnswers


def test_repeated_and_cumulative_answers() -> None:
    answers = NoisyAnswers(epsilon=400.0, repeats=2).release([1.0, 2.0], default_rng(1), 5)
    assert answers == pytest.approx(np.tile([1.0, 2.0, 1.0, 2.0], (5, 1)), abs=0.1)
    totals = NoisyAnswers(epsilon=400.0, cumulative=True).release([1.0, 2.0], default_rng(1), 5)
    assert totals == pytest.approx(np.tile([1.0, 3.0], (5, 1)), abs=0.1)
