"""Few runs name a cause only if they tell it from others."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

from audit.diagnosis.evidence import Outputs
from audit.diagnosis.noise import Family, family_of
from audit.diagnosis.parts import patterns
from audit.verdict.findings import Cause
from tests.diagnosis.made import NONE, diagnosed, evidence, seen

FEW = 34
"""Runs on each dataset that are left for the diagnosis of an audit of 4,000 runs."""


def noisy_sum(data: Any, rng: Generator, n: int) -> Outputs:
    return np.asarray(np.sum(data) + rng.laplace(0.0, 1.0, n))


def rounded_sum(data: Any, rng: Generator, n: int) -> Outputs:
    return np.round(np.asarray(noisy_sum(data, rng, n)))


def gaussian_sum(data: Any, rng: Generator, n: int) -> Outputs:
    return np.asarray(np.sum(data) + rng.normal(0.0, 1.0, n))


def test_outputs_that_do_not_repeat_are_not_a_few_discrete_ones() -> None:
    assert not patterns(evidence(noisy_sum, runs=FEW))
    assert len(patterns(evidence(rounded_sum, runs=FEW))) > 3


def refused_if_empty(data: Any, rng: Generator, n: int) -> Outputs:
    if len(data) == 0:
        return [ValueError("no records")] * n
    return noisy_sum(data, rng, n)


@pytest.mark.parametrize(("p", "expected"), [(1.0, True), (0.4, False)])
def test_few_failures_are_the_cause_if_the_witness_is_as_certain(p: float, expected: bool) -> None:
    event = seen("the mechanism raises ValueError", p, 0.0)
    found = diagnosed(refused_if_empty, NONE, np.array([2.0]), observed=event, runs=20)
    assert (found.cause == Cause.FAILURE) == expected


@pytest.mark.parametrize("numbers", [40, 68, 150])
def test_few_numbers_of_laplace_noise_are_rarely_called_gaussian(numbers: int) -> None:
    rng = np.random.default_rng(numbers)
    found = Counter(family_of(rng.laplace(size=numbers)) for _ in range(1_000))
    assert found[Family.GAUSSIAN] <= 10
    found = Counter(family_of(rng.normal(size=10 * numbers)) for _ in range(1_000))
    assert found[Family.GAUSSIAN] >= 980


@pytest.mark.parametrize(("farthest", "expected"), [(3.0, False), (300.0, True)])
def test_records_of_the_domain_say_whether_values_are_bounded(
    farthest: float, expected: bool
) -> None:
    found = diagnosed(gaussian_sum, np.array([2.0]), NONE, records=(0.0, farthest))
    assert (found.cause == Cause.CONTRIBUTION) == expected
    assert expected or found.cause == Cause.WRONG_SHAPE


def test_a_threshold_on_noise_is_no_discrete_output() -> None:
    event = seen("the output is at least 3", 0.4, 0.01)
    pair = np.array([2.0]), NONE
    found = diagnosed(noisy_sum, *pair, observed=event, runs=FEW)
    assert found.cause in (Cause.NOISE_TOO_SMALL, Cause.UNKNOWN)
    assert diagnosed(noisy_sum, *pair, observed=event).cause == Cause.NOISE_TOO_SMALL


@pytest.mark.parametrize(("runs", "few"), [(20, True), (199, True), (200, False)])
def test_an_unknown_cause_says_if_more_runs_may_help(runs: int, few: bool) -> None:
    found = diagnosed(lambda data, rng, n: rng.random(n), runs=runs)
    assert found.cause == Cause.UNKNOWN
    assert found.sentence.startswith(f"Too few runs were left to tell ({runs}).") is few
    assert found.sentence.startswith("No rule fits.") is not few
    assert found.advice.startswith("Allow more runs") is few
    assert found.sentence.endswith("No event alone is known to refute the claim.")
    known = diagnosed(lambda data, rng, n: rng.random(n), observed=seen("it rains", 0.4, 0.1))
    assert known.sentence.endswith(
        "The event is: it rains on one dataset more often than the claim allows."
    )
