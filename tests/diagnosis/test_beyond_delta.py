"""Advice on events that one dataset alone gives, more often than δ allows."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest

from audit.claims import ApproxDP
from audit.diagnosis.evidence import Observed
from audit.verdict.findings import Cause

from .made import diagnosed
from .test_rules import keys_above

PAIR: tuple[Any, Any] = (["apple"], [])
TRUTH = math.exp(-2.0) / 2.0
"""Probability that Laplace noise of scale 1 lifts a count of 1 above 3."""


@pytest.mark.parametrize("observed", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_a_larger_delta_is_an_estimate_with_its_interval(observed: bool, seed: int) -> None:
    claim, share = ApproxDP(1.0, 0.001), TRUTH + 0.004 * (seed - 1)
    event = Observed(event="key 'apple' is present", p=share, q=0.0, draws=7_000, presence=True)
    given: dict[str, Any] = {"observed": event, "runs": 20} if observed else {"runs": 7_000}
    found = diagnosed(keys_above(3.0), *PAIR, claim=claim, **given)
    assert found.cause == Cause.DELTA_EXCEEDED
    said = re.search(r"a δ of about (\S+)\. .* shows (\S+) to (\S+) with 95% c", found.advice)
    assert said is not None, found.advice
    about, low, high = map(float, said.groups())
    assert low < TRUTH < high and low < about < high
    assert "the threshold is 1 + ln(1/(2δ))/ε = 7.22." in found.advice


def test_an_event_that_no_threshold_makes_has_no_threshold() -> None:
    event = Observed(event="the output is at least 5", p=0.05, q=0.0, draws=4_000)
    few: dict[str, Any] = {"observed": event, "runs": 100}
    found = diagnosed(keys_above(3.3), *PAIR, claim=ApproxDP(1.0, 0.01), **few)
    assert found.cause == Cause.DELTA_EXCEEDED
    assert "threshold" not in found.advice


@pytest.mark.parametrize(("epsilon", "delta"), [(0.0, 0.001), (1.0, 0.6)])
def test_the_formula_is_for_claims_that_it_holds_for(epsilon: float, delta: float) -> None:
    event = Observed(event="key 'apple' is present", p=0.9, q=0.0, draws=4_000, presence=True)
    claim = ApproxDP(epsilon, delta)
    found = diagnosed(keys_above(-1.0), *PAIR, claim=claim, observed=event, runs=100)
    assert "ln(1/(2δ))" not in found.advice
