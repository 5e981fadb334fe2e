"""The stated level holds, over every kind of output and claim."""

from __future__ import annotations

import pytest
from scipy.stats import binom

from tests.calibration.study import alarms, missed, study

ERROR = 1e-9
"""Chance that a test here fails although the level holds."""


@pytest.mark.slow
def test_false_alarms_and_coverage_stay_within_their_level() -> None:
    outcomes = study(audits=520, workers=2, first_seed=10_000)
    for alpha in (0.05, 0.001):
        assert alarms(outcomes, alpha) <= binom.ppf(1 - ERROR, len(outcomes), alpha)
    above, known = missed(outcomes)
    assert above <= binom.ppf(1 - ERROR, known, 0.05)


@pytest.mark.slow
def test_workers_do_not_change_the_result() -> None:
    assert study(audits=26, workers=1) == study(audits=26, workers=2)
