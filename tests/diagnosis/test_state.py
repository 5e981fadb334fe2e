"""First answers of fresh instances beside later answers of one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import audit
from audit.claims import PureDP
from audit.diagnosis.evidence import Observed, Outputs
from audit.diagnosis.likely_cause import likely_cause
from audit.outcomes.encoding import encode
from audit.verdict.findings import Cause, Diagnosis
from tests.diagnosis.made import NONE, ONE, drawing
from tests.diagnosis.test_rules import exact, laplace

_FIRST = 40


def _diagnosed(first: Any, later: Any, event: Observed | None = None) -> Diagnosis:
    draw = drawing(first, seed=1)

    fresh = encode(draw(ONE, _FIRST), _FIRST), encode(draw(NONE, _FIRST), _FIRST)
    return likely_cause(drawing(later), ONE, NONE, claim=PureDP(1.0), observed=event, first=fresh)


def test_noise_that_ends_after_the_first_answers_is_not_absent() -> None:
    found = _diagnosed(laplace(1.0), exact)
    assert found.cause == Cause.UNKNOWN
    assert found.sentence.startswith("The mechanism keeps state")
    assert _diagnosed(exact, exact).cause == Cause.NO_NOISE


def _response(data: Any, rng: np.random.Generator, n: int) -> Outputs:
    """Randomized response of 3/4."""
    return np.where(rng.random(n) < 0.75, len(data), 1 - len(data)).astype(float)


def test_a_response_that_is_drawn_once_is_not_absent_noise() -> None:
    """Its first answers vary from instance to instance, and later ones repeat it."""
    found = _diagnosed(_response, exact)
    assert found.cause == Cause.UNKNOWN
    assert found.sentence.startswith("The mechanism keeps state")
    assert "state" not in _diagnosed(_response, _response).sentence


def test_first_answers_with_a_fixed_seed_have_no_noise() -> None:
    found = _diagnosed(exact, laplace(0.5))
    assert found.cause == Cause.NO_NOISE
    assert found.advice.startswith("Add fresh noise")


@pytest.mark.parametrize("seed", range(20))
def test_answers_of_one_distribution_keep_no_state(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scale = float(rng.uniform(0.2, 0.8))
    assert _diagnosed(laplace(scale), laplace(scale)).cause == Cause.NOISE_TOO_SMALL


def _beside(mechanism: Any, number: Any) -> Any:
    """The outputs of a mechanism, each with a number beside it."""

    def release(data: Any, rng: np.random.Generator, n: int) -> Outputs:
        return np.column_stack([mechanism(data, rng, n), number(n)])

    return release


@pytest.mark.parametrize(
    ("place", "cause"), [(0, Cause.NOISE_TOO_SMALL), (1, Cause.UNKNOWN)], ids=["noise", "counter"]
)
def test_a_counter_of_calls_hides_the_cause_only_if_the_event_reads_it(
    place: int, cause: Cause
) -> None:
    event = Observed(event=f"output[{place}] is at least 1", p=0.8, q=0.1, draws=1_000)
    noise = laplace(0.4)
    found = _diagnosed(_beside(noise, np.ones), _beside(noise, np.arange), event)
    assert found.cause == cause
    assert found.sentence.startswith("The mechanism keeps state") is (cause == Cause.UNKNOWN)


class TwoNoisy:
    """Two answers with noise, and exact ones after them."""

    def __init__(self) -> None:
        self.answers = 0

    def release(self, data: Any, rng: np.random.Generator) -> float:
        self.answers += 1
        return float(len(data) + (rng.laplace() if self.answers <= 2 else 0.0))


@pytest.mark.lives
def test_an_audit_of_a_stateful_mechanism_says_that_it_is_one() -> None:
    result = audit.run(
        TwoNoisy, epsilon=1.0, data=[], neighbors=[[1]], max_samples=10_000, until="violation"
    )
    assert result.verdict == "violation"
    assert result.diagnosis is not None
    assert result.diagnosis.cause == Cause.UNKNOWN
    assert result.diagnosis.sentence.startswith("The mechanism keeps state")
