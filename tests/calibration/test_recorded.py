"""The stated level holds for recorded files of every kind of output and claim."""

from __future__ import annotations

import pytest
from scipy.stats import binom

from audit.verdict.recorded.doubts import LEVEL
from tests.calibration.recorded import FAMILIES, LEVELS, audited, study

ERROR = 1e-9
"""Chance that a test here fails although the level holds."""


@pytest.mark.slow
def test_false_alarms_and_bounds_stay_within_their_level() -> None:
    outcomes = study(audits=40, workers=2, first_seed=10_000)
    for alpha in LEVELS:
        held = [outcome for outcome in outcomes if outcome.alpha == alpha]
        most = binom.ppf(1 - ERROR, len(held), alpha)
        assert sum(outcome.accused for outcome in held) <= most
        assert sum(outcome.above for outcome in held) <= most
        # Doubts have a level of their own, whatever alpha is.
        assert sum(outcome.withheld for outcome in held) <= binom.ppf(1 - ERROR, len(held), LEVEL)


@pytest.mark.slow
def test_short_files_stay_within_their_level() -> None:
    """A quick one: ten audits of files of sixty lines, at level .05."""
    (family,) = (f for f in FAMILIES if f.name == "Laplace, short")
    outcomes = [audited(family, seed, 0.05) for seed in range(10)]
    assert sum(outcome.accused for outcome in outcomes) <= binom.ppf(1 - ERROR, 10, 0.05)
    assert not any(outcome.withheld for outcome in outcomes)
