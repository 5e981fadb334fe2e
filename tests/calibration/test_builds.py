"""A thousand builds of right targets, and a bug that is put in, by the formulas."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from tests.calibration.builds import GROWTH, NEVER, Alarms, Histories, Levels, ledger_levels

ALPHA = 0.05
TARGETS = 4000
MOST = int(binom.ppf(1.0 - 1e-9, TARGETS, ALPHA))
"""More false alarms than this are seen with probability 1e-9 where the level holds."""


def _alone(levels: Levels, *, goes_on: bool = True) -> int:
    found = Histories(targets=TARGETS).alone(levels, 1, goes_on=goes_on)
    return int(np.sum(found != NEVER))


@pytest.mark.slow
def test_with_a_ledger_alpha_holds_for_all_builds_of_a_target() -> None:
    kept = Histories(targets=TARGETS)
    alone = kept.alone(ledger_levels(ALPHA, 400), 1) != NEVER
    together = kept.together(ALPHA / 2.0, 1) != NEVER
    assert np.sum(alone | together) <= MOST
    # Each for itself has half of it.
    half = int(binom.ppf(1.0 - 1e-9, TARGETS, ALPHA / 2.0))
    assert max(np.sum(alone), np.sum(together)) <= half


def test_levels_that_are_not_spent_are_caught() -> None:
    # The same alpha for every audit that starts afresh.
    assert _alone(np.full(400, ALPHA)) > MOST
    # Levels that fall, but whose sum has no end.
    assert _alone(ALPHA / np.arange(1, 401)) > MOST


def test_wealth_that_starts_again_at_its_old_level_is_caught() -> None:
    # What is unchanged starts with a wealth of 1 again, and spends no level on it.
    assert _alone(np.full(1000, ALPHA / 2), goes_on=False) > MOST


@pytest.mark.slow
def test_a_bug_is_found_sooner_with_a_ledger_than_by_fresh_audits() -> None:
    bug = Histories(targets=200, bug=500)
    levels = ledger_levels(0.001, 1000)
    going = bug.alone(levels, 2)
    afresh = bug.alone(ledger_levels(0.001, 1000, 0.0), 2, goes_on=False)
    assert np.all(going >= bug.bug)
    assert np.median(going) < bug.bug + 40
    assert np.mean(afresh == NEVER) > 0.9


@pytest.mark.parametrize("changed", [0.0, 1.0])
def test_all_versions_together_find_it_whether_or_not_the_code_changes(changed: float) -> None:
    bug = Histories(targets=200, bug=500, changed_after=changed)
    found: Alarms = bug.together(0.0005, 2)
    assert np.all(found >= bug.bug) and np.median(found) < bug.bug + 80
    if changed:
        assert np.mean(bug.alone(ledger_levels(0.001, 1000), 2) == NEVER) > 0.9


def test_the_study_adds_up_as_the_ledger_does() -> None:
    from audit.sampling.running_wealth import kept, running_wealth

    wrong = Histories(targets=1, builds=60, changed=1.0, bug=1, changed_after=1.0)
    rng = np.random.default_rng((7, 1))
    steps, first = [], NEVER
    for build in range(1, wrong.builds + 1):
        wrong.changes(rng, build)
        steps.append((build, kept(float(wrong.moved(rng, build, GROWTH)[0]))))
        if first == NEVER and running_wealth(steps, 0.0005).accused:
            first = build
    assert wrong.together(0.0005, 7).tolist() == [first] and first != NEVER
