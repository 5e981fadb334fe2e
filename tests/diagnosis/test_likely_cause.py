"""The entry point: what it spends, that it never raises, and the example of the noisy average."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from audit.betting.events import Event
from audit.blackbox.python import PythonBlackBox
from audit.claims import PureDP
from audit.diagnosis import likely_cause as module
from audit.diagnosis.evidence import Outputs
from audit.diagnosis.likely_cause import (
    affordable_runs,
    cause_of_leaks,
    likely_cause,
    observed_of,
)
from audit.progress import Deadline
from audit.sampling.draws import Draws
from audit.sampling.units import UnitKind
from audit.verdict.findings import Cause, Leak
from audit.verdict.fresh_units import Allowance
from audit.verdict.intervals import Estimate
from mechanisms import CATALOG
from tests.audit.report.sample_results import violation
from tests.diagnosis import made
from tests.diagnosis.fresh import drawing
from tests.diagnosis.made import NONE, ONE, seen

_CLAIM = PureDP(1.0)


def _noisy(data: Any, runs: int) -> Outputs:
    return np.asarray(len(data) + np.random.default_rng(len(data)).laplace(0.0, 0.25, runs))


def _raising(data: Any, runs: int) -> Outputs:
    raise RuntimeError("the machine is gone")


def _unreadable(data: Any, runs: int) -> Outputs:
    return [object()] * runs


def test_a_diagnosis_that_works_names_a_cause() -> None:
    assert likely_cause(_noisy, ONE, NONE, claim=_CLAIM).cause == Cause.NOISE_TOO_SMALL


@pytest.mark.parametrize("draw", [_raising, _unreadable])
def test_a_diagnosis_that_fails_is_unknown_and_names_the_event(draw: Any) -> None:
    found = likely_cause(draw, ONE, NONE, claim=_CLAIM, observed=seen("output ≥ 3", 0.9, 0.1))
    assert found.cause == Cause.UNKNOWN
    assert "output ≥ 3" in found.sentence


def test_a_rule_that_fails_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(evidence: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(module, "diagnose", failing)
    assert likely_cause(_noisy, ONE, NONE, claim=_CLAIM).cause == Cause.UNKNOWN


def test_the_user_can_still_interrupt_it() -> None:
    def interrupted(data: Any, runs: int) -> Outputs:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        likely_cause(interrupted, ONE, NONE, claim=_CLAIM)


@pytest.mark.parametrize("runs", [100, 2_000])
def test_it_spends_its_runs_on_each_dataset_and_on_all_further_ones(runs: int) -> None:
    spent: list[tuple[int, int]] = []

    def counted(data: Any, size: int) -> Outputs:
        spent.append((len(data), size))
        return _noisy(data, size)

    likely_cause(counted, ONE, NONE, claim=_CLAIM, records=(0.0, 1.0, 0.5), runs=runs)
    assert spent[:2] == [(1, runs), (0, runs)]
    assert 0 < sum(size for _, size in spent[2:]) <= 2 * runs


def test_runs_are_foreseen_at_the_pace_of_calls_only_where_calls_are_made() -> None:
    """A program that stays may take long for an answer, whatever a start of it takes."""
    allowance = Allowance(runs=100_000, deadline=Deadline(20.0, lambda: 10.0), pace=0.5)

    def affordable(box: object, kind: UnitKind) -> int:
        units = SimpleNamespace(kind=kind, costs=lambda: (1e-4, 1e-3))
        draws = SimpleNamespace(sampler=SimpleNamespace(box=box), units=units)
        return affordable_runs(cast(Draws, draws), allowance)

    calls = affordable(PythonBlackBox(len), UnitKind.LIFE)
    assert calls == module.RUNS
    for box, kind in (
        (SimpleNamespace(many=False), UnitKind.LIFE),
        (PythonBlackBox(len), UnitKind.CALL),
    ):
        assert affordable(box, kind) == 20


@pytest.mark.parametrize(("centred", "least"), [(True, 17), (False, 0)])
def test_few_runs_tell_a_branch_without_noise_from_noise_that_follows_the_data(
    centred: bool, least: int
) -> None:
    def mean(data: Any, rng: Any, n: int) -> Outputs:
        if len(data) == 0:
            return np.zeros(n)
        return np.asarray(np.mean(data) + rng.laplace(0.0, 24.0 / (1 if centred else len(data)), n))

    def cause(seed: int) -> str:
        draw, records = made.drawing(mean, seed), (0.0, 24.0, 1.0, 12.0)
        pair = np.array([0.0]), NONE
        return likely_cause(draw, *pair, claim=_CLAIM, records=records, runs=95).cause

    found = [cause(seed) for seed in range(20)]
    assert found.count(Cause.NO_NOISE) >= least
    assert found.count(Cause.SCALE) >= (0 if centred else 20)


@pytest.mark.parametrize("runs", [200, 2_000])
def test_the_noise_needed_is_that_of_the_worst_pair(runs: int) -> None:
    rng = np.random.default_rng(0)

    def noisy_sum(data: Any, size: int) -> Outputs:
        return np.asarray(np.sum(data) + rng.laplace(0.0, 1.0, size))

    def shift(**more: Any) -> float:
        found = likely_cause(noisy_sum, np.array([2.0]), NONE, claim=_CLAIM, runs=runs, **more)
        assert found is not None
        return float(found.numbers["shift"])

    worst = np.array([0.0]), np.array([0.0, 5.0])
    assert 4.0 < shift(worst=worst) < 6.0
    assert 1.5 < shift() < 2.5


def test_failed_runs_among_others_are_outputs() -> None:
    def halting(data: Any, runs: int) -> Sequence[Any]:
        return [ValueError("none") if len(data) else 1.0 for _ in range(runs)]

    found = likely_cause(halting, ONE, NONE, claim=_CLAIM)
    assert found.cause == Cause.FAILURE
    assert "ValueError: none" in found.sentence


@pytest.mark.parametrize("pair", [([26.0], []), ([26.0], [26.0, 90.0]), ([30.0], [60.0])])
def test_the_noisy_average_reads_its_sensitivity_from_the_data(pair: tuple[Any, Any]) -> None:
    entry = CATALOG["noisy-average"]
    found = likely_cause(
        drawing(entry, 0), *map(np.array, pair), claim=entry.mechanism.claim, records=(0, 100, 50)
    )
    assert found.cause == Cause.SCALE
    assert found.sentence.startswith(
        "Sensitivity is read from the data. The noise scale follows the range of the records (mean "
        "deviation 0 on ["
    )
    assert found.numbers["scale_low"] == 0.0
    assert found.numbers["scale_high"] > 20.0


def test_the_clamped_average_does_not() -> None:
    entry = CATALOG["noisy-average-clamped"]
    found = likely_cause(
        drawing(entry, 0), np.array([26.0]), np.array([]), claim=entry.mechanism.claim
    )
    assert found.cause not in (Cause.SCALE, Cause.FAILURE, Cause.NO_NOISE)


def test_the_worst_pair_says_how_much_noise_is_needed() -> None:
    worst = np.ones(4), NONE
    found = likely_cause(_noisy, ONE, NONE, claim=_CLAIM, worst=worst)
    assert found.numbers["shift"] == pytest.approx(4.0, rel=0.1)
    assert likely_cause(_noisy, ONE, NONE, claim=_CLAIM).numbers["shift"] == pytest.approx(1.0, 0.1)


@pytest.mark.parametrize(
    ("kind", "cause"), [("floating-point", Cause.LOW_BITS), ("timing", Cause.TIMING)]
)
def test_a_leak_is_its_own_cause(kind: str, cause: Cause) -> None:
    event = Event("the output is no multiple of 2^-53", {})
    found = cause_of_leaks([Leak(kind=kind, event=event, log_evalue=12.0, epsilon_lower=4.8)])
    assert found is not None
    assert found.cause == cause
    assert event.description in found.sentence


def test_without_a_leak_there_is_no_cause() -> None:
    assert cause_of_leaks([]) is None


def test_an_event_is_read_from_the_larger_sample() -> None:
    """Few fresh runs cannot establish that an event exceeds δ, many runs of the test can."""
    known = violation().witness
    assert known is not None
    half, never = Estimate(0.5, 0.4, 0.6), Estimate(0.0, 0.0, 0.1)
    few, many = (2, 0, 100), (116, 0, 4_388)
    for counts, draws in ((few, 400), (many, 4_388)):
        witness = dataclasses.replace(known, counts=counts, draws=400, p=half, q=never)
        found = observed_of(witness)
        assert found is not None and found.draws == draws
        assert found.p == (0.5 if draws == 400 else 116 / 4_388) and found.q == 0.0
