"""The stated level holds, over every kind of output and claim, and whoever draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import pytest
from scipy.stats import binom

from audit.sampling.workers import in_parallel
from tests.calibration.boxes import BOXES
from tests.calibration.dependent.every import DEPENDENT
from tests.calibration.independent import INDEPENDENT
from tests.calibration.independent.large import LARGE
from tests.calibration.kind import Kind
from tests.calibration.outcome import WAYS, Outcome, audited
from tests.calibration.study import jobs

ERROR = 1e-9
"""Chance that a test here fails although the level holds."""


def within_level(outcomes: Sequence[Outcome]) -> bool:
    """True if false alarms and bounds above the truth are as rare as their level promises."""
    for alpha in {outcome.alpha for outcome in outcomes}:
        mine = [o for o in outcomes if o.alpha == alpha]
        most = binom.ppf(1 - ERROR, len(mine), alpha)
        alarms = sum(o.verdict == "violation" for o in mine)
        if max(alarms, sum(bool(o.above) for o in mine)) > most:
            return False
    return True


BY_CLAIM = {tuple(kind.claim): kind for kind in reversed(INDEPENDENT)}


@pytest.mark.parametrize("kind", BY_CLAIM.values(), ids=lambda kind: "-".join(kind.claim))
def test_every_claim_of_the_study_is_audited(kind: Kind) -> None:
    assert set(BY_CLAIM) >= {tuple(one.claim) for one in (*DEPENDENT, *BOXES)}
    found = audited(replace(kind, samples=200), 10_000, 0.05)
    assert found.levels.keys() == kind.truth.keys()
    assert found.verdict != "violation"


@pytest.mark.slow
@pytest.mark.parametrize("part", range(5))
def test_false_alarms_and_coverage_stay_within_their_level(part: int) -> None:
    tasks = (partial(audited, *job) for job in jobs(INDEPENDENT[part::5], 1, 10_000))
    assert within_level(list(in_parallel(2, tasks)))


@pytest.mark.slow
@pytest.mark.lives
@pytest.mark.parametrize("part", range(10))
def test_so_they_do_by_fresh_instances_of_what_remembers(part: int) -> None:
    kinds = [replace(k, samples=min(k.samples, 3_000)) for k in DEPENDENT[part::10]]
    found = [
        audited(kind, number, level, WAYS[place % len(WAYS)])
        for place, (kind, number, level) in enumerate(jobs(kinds, 1, 10_000 + part, levels=(0.05,)))
    ]
    assert within_level(found)


@pytest.mark.slow
@pytest.mark.parametrize("kind", BOXES, ids=lambda kind: kind.name)
def test_so_they_do_of_programs_queries_services_and_sessions(kind: Kind) -> None:
    assert within_level([audited(kind, 10_000 + number, 0.05, WAYS[number]) for number in range(2)])


PURE = tuple(kind for kind in INDEPENDENT if kind.name in {k.name for k in LARGE})
"""With their budgets a claim that is smaller by 1 can be refuted."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", [k for k in PURE if "delta" not in k.claim], ids=lambda kind: kind.name
)
def test_large_claims_are_refuted_if_they_are_too_small(kind: Kind) -> None:
    less = replace(kind, samples=2 * kind.samples, claim={**kind.claim, "epsilon": 4.0})
    found = [audited(less, 20_000 + number, 0.05) for number in range(4)]
    assert sum(o.verdict == "violation" for o in found) >= 3
