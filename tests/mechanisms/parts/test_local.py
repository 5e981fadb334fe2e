"""One person's answer, randomized: unbiased, and with the stated density."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.random import default_rng
from scipy import stats

from mechanisms.parts.local import OneBitMean, PiecewiseMean, RandomizedResponse

BUDGET = 1e-9


def test_local_means_are_unbiased() -> None:
    for mechanism in (OneBitMean(), PiecewiseMean()):
        drawn = mechanism.release([0.3], default_rng(1), 200_000)
        assert drawn.mean() == pytest.approx(0.3, abs=6.2 * drawn.std() / math.sqrt(200_000))


def test_piecewise_density_has_two_levels() -> None:
    mechanism = PiecewiseMean()
    reach, width = mechanism.reach, mechanism.reach - 1
    left = (reach + 1) / 2 * 0.3 - width / 2
    edges = np.array([-reach, left, left + width, reach])
    level = (math.exp(1.0) - math.exp(0.5)) / (2 * math.exp(0.5) + 2)
    mass = np.diff(edges) * level * np.array([math.exp(-1.0), 1.0, math.exp(-1.0)])
    observed = np.histogram(mechanism.release([0.3], default_rng(1), 100_000), edges)[0]
    assert stats.chisquare(observed, mass * 100_000).pvalue > BUDGET


def test_responses_of_several_people_are_reported_apart() -> None:
    reports = RandomizedResponse(epsilon=40.0, choices=3).release([0, 1, 2], default_rng(1), 50)
    assert (reports == [0, 1, 2]).all()
