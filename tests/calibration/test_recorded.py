"""The stated level holds for recorded files of every kind of output and claim."""

from __future__ import annotations

import pytest
from scipy.stats import binom

from tests.calibration.recorded import LEVELS, study

ERROR = 1e-9
"""Chance that a test here fails although the level holds."""


@pytest.mark.slow
def test_false_alarms_and_bounds_stay_within_their_level() -> None:
    outcomes = study(audits=180, workers=2, first_seed=10_000)
    for alpha in LEVELS:
        held = [outcome for outcome in outcomes if outcome.alpha == alpha]
        most = binom.ppf(1 - ERROR, len(held), alpha)
        assert sum(outcome.accused for outcome in held) <= most
        assert sum(outcome.above for outcome in held) <= most
        assert sum(outcome.withheld for outcome in held) <= most
