"""Families of right training: no more alarms than their level, and wrong claims are caught."""

from __future__ import annotations

import pytest
from scipy.stats import binom

from tests.canaries.families import FAMILIES, Family
from tests.canaries.levels import LEVELS, counted
from tests.canaries.trainings import canaries_of

ROUNDS = 60
BUDGET = 1e-9
"""Chance that one family has more alarms than its level allows, by chance."""

NAMES = [f"{family.name}, {family.claim}" for family in FAMILIES]


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES, ids=NAMES)
def test_alarms_keep_to_the_level(family: Family) -> None:
    found = counted(family, ROUNDS, first=10_000)
    for alarms, level in zip(found.alarms, LEVELS, strict=True):
        assert binom.sf(alarms - 1, ROUNDS, level) > BUDGET
    if family.seen:
        assert found.caught > 0


@pytest.mark.parametrize("family", [FAMILIES[0], FAMILIES[12]], ids=[NAMES[0], NAMES[12]])
def test_alarms_of_a_claim_that_does_not_hold_do_not(family: Family) -> None:
    """Among them pairs that are guessed by others, whose coins must not count twice."""
    found = counted(family, ROUNDS, first=10_000)
    assert binom.sf(found.caught - 1, ROUNDS, LEVELS[0]) < BUDGET


@pytest.mark.parametrize(
    ("flaw", "verdict"), [("none", "not-refuted"), ("not clipped", "violation")]
)
def test_one_training_is_enough_where_clipping_is_missing(flaw: str, verdict: str) -> None:
    assert canaries_of(flaw, 1, seed=3).verdict == verdict  # type: ignore[arg-type]
