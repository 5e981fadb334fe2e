"""A thousand builds of right targets, and a bug that is put in, by the formulas."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from tests.calibration.builds import NEVER, Histories, ledger_levels

ALPHA = 0.05
TARGETS = 4000
MOST = int(binom.ppf(1.0 - 1e-9, TARGETS, ALPHA))
"""More false alarms than this are seen with probability 1e-9 where the level holds."""


def _alarms(levels: NDArray[np.float64], *, goes_on: bool = True) -> int:
    found = Histories(targets=TARGETS).alarms(levels, 1, goes_on=goes_on)
    return int(np.sum(found != NEVER))


def test_with_a_ledger_alpha_holds_for_all_builds_of_a_target() -> None:
    assert _alarms(ledger_levels(ALPHA, 400)) <= MOST


def test_levels_that_are_not_spent_are_caught() -> None:
    # The same alpha for every audit that starts afresh.
    assert _alarms(np.full(400, ALPHA)) > MOST
    # Levels that fall, but whose sum has no end.
    assert _alarms(ALPHA / np.arange(1, 401)) > MOST


def test_wealth_that_starts_again_at_its_old_level_is_caught() -> None:
    # What is unchanged starts with a wealth of 1 again, and spends no level on it.
    assert _alarms(np.full(1000, ALPHA / 2), goes_on=False) > MOST


def test_a_bug_is_found_sooner_by_going_on_than_by_fresh_audits() -> None:
    bug = Histories(targets=200, bug=500)
    levels = ledger_levels(0.001, 1000)
    going, afresh = bug.alarms(levels, 2), bug.alarms(levels, 2, goes_on=False)
    assert np.all(going >= bug.bug)
    assert np.median(going) < bug.bug + 40
    assert np.mean(afresh == NEVER) > 0.9
