"""How much low bits lose: bounds at their level, near the truth, and of independent runs."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator
from scipy.stats import binom

import audit
from audit.betting.bet import EventBet
from audit.betting.screening import Offer
from audit.blackbox.python import PythonBlackBox
from audit.claims import ApproxDP, Claim, PureDP
from audit.neighbors import neighboring
from audit.outcomes.binning import Binning
from audit.outcomes.encoding import OUTPUT
from audit.outcomes.features import Part
from audit.progress import Deadline
from audit.relation import Relation
from audit.report.restore import restore
from audit.sampling.draws import Draws
from audit.sampling.sampler import Sampler
from audit.sampling.unit_sources import CallUnits
from audit.sampling.units import UnitKind
from audit.verdict.fresh_units import Allowance
from audit.verdict.result import AuditResult
from audit.verdict.side_channels import leak_size

ERROR = 1e-9
"""Chance that a test of a level fails although it holds."""
OFTEN, RARELY, ABSENT = 0.9, 0.1, 0.5


@pytest.fixture(autouse=True)
def all_leaks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaks are reported also if the number of decimals loses as much."""
    monkeypatch.setattr("audit.engine.steps.of_their_own", lambda result: result.leaks)


def marked(data: Any, rng: Generator, size: int) -> Any:
    """Noise on a grid, and beside it a bit that is set more often where there is a record."""
    noise = np.round(rng.laplace(scale=5.0, size=size) * 1024) / 1024
    share = OFTEN if len(data) else RARELY
    return len(data) + noise + (rng.random(size) < share) * 2.0**-30


def sometimes_absent(data: Any, rng: Generator) -> Any:
    """The same one by one; without a record there is no number now and then."""
    bits = marked(data, rng, 1)[0]
    return None if rng.random() < ABSENT and not len(data) else float(bits)


def audited(mechanism: Callable[..., Any], seed: int = 0, **more: Any) -> AuditResult:
    settings: dict[str, Any] = {"epsilon": 0.5, "alpha": 0.001, "max_samples": 20_000, **more}
    return audit.run(mechanism, data=[1.0], neighbors=[[]], seed=seed, **settings)


def lower(result: AuditResult) -> float | None:
    (leak,) = result.leaks
    return leak.epsilon_lower


def bit(data: Any, rng: Generator) -> int:
    """A bit that is set more often if there is a record."""
    return int(rng.random() < (OFTEN if len(data) else RARELY))


def stated(seed: int, claim: Claim, alpha: float) -> float | None:
    """The bound on the event that the bit is set."""
    return measured(seed, claim, alpha, 1000)[0]


def measured(seed: int, claim: Claim, alpha: float, units: int) -> tuple[float | None, int]:
    """The same, and the outputs that it took after so many units of bets."""
    sampler = Sampler.of(PythonBlackBox(bit), seed, coupled=False)
    draws = Draws(sampler, CallUnits(sampler, UnitKind.CALL), (10_000,))
    draws.add_pair(0, neighboring("D1", [1.0], [], Relation.ADD_REMOVE))
    binning = Binning.of([0.5])
    event = np.arange(binning.count) == 1
    bet = EventBet.of(0, Part(OUTPUT), binning, (event, np.zeros_like(event)), 0)
    offer = Offer(1.0, 1.0, 1.0, 1.0, lambda: bet, claim.level)
    bound = leak_size(draws, offer, claim, alpha, units, Allowance(units, Deadline(), 0.0))
    return bound, sampler.samples


@pytest.mark.parametrize(("claimed", "units"), [(0.2, 400), (6.0, 8_069)])
def test_a_leak_is_measured_as_far_as_the_claim_asks_for(claimed: float, units: int) -> None:
    assert measured(0, PureDP(claimed), 0.05, 100_000)[1] == 2 * units


@pytest.mark.parametrize("delta", [0.0, 0.5])
def test_the_bound_is_near_the_truth_and_seldom_above(delta: float) -> None:
    truth, rounds = math.log((OFTEN - delta) / RARELY), 100
    claim = ApproxDP(0.2, delta) if delta else PureDP(0.2)
    found = [stated(seed, claim, 0.05) for seed in range(rounds)]
    bounds = [bound for bound in found if bound is not None]
    assert len(bounds) == rounds
    assert 0.6 * truth < np.median(bounds) < truth
    assert sum(bound > truth for bound in bounds) <= binom.ppf(1 - ERROR, rounds, 0.05)


@pytest.mark.slow
def test_an_audit_states_it() -> None:
    bound = lower(audited(marked, 1, alpha=0.05, max_samples=6_000))
    assert bound is not None
    assert 1.0 < bound < math.log(OFTEN / RARELY)


@pytest.mark.slow
def test_an_absence_on_the_other_side_counts_against_it() -> None:
    among_numbers = math.log(OFTEN / (RARELY * (1 - ABSENT)))
    with_absences = math.log(OFTEN / (ABSENT + RARELY * (1 - ABSENT)))
    the_other_way = math.log((1 - RARELY) * (1 - ABSENT) / (1 - OFTEN))
    bound = lower(audited(sometimes_absent, epsilon=0.2, until="budget"))
    assert bound is not None
    assert with_absences < the_other_way < 0.6 * among_numbers
    assert 0.5 * with_absences < bound < the_other_way


@pytest.mark.slow
def test_a_leak_whose_noise_has_all_its_bits_shows_a_large_loss() -> None:
    bound = lower(
        audited(
            lambda data, rng, size: len(data) + rng.laplace(size=size),
            epsilon=1.0,
            alpha=0.001,
            max_samples=40_000,
        )
    )
    assert bound is not None
    assert bound >= 3.5


def test_none_is_stated_where_nobody_asked_how_bad_it_is() -> None:
    result = audited(sometimes_absent, until="violation")
    assert all(leak.epsilon_lower is None for leak in result.leaks)


@pytest.mark.slow
@pytest.mark.parametrize("told", [True, False])
def test_results_keep_it_also_those_that_never_had_it(told: bool) -> None:
    result = audited(marked)
    document = json.loads(json.dumps(result.to_json()))
    if not told:
        del document["leaks"][0]["epsilon_lower"]
    assert lower(restore(document)) == (lower(result) if told else None)
    assert ("reveal the input (ε ≥ " in restore(document).to_markdown()) is told
