"""Losses besides the bound: at several deltas, whatever the claim is, and an estimate."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

import audit
from audit.claims import GaussianDP
from audit.report.curve_chart import Curve, size_pictures
from audit.report.loss import statements
from audit.report.restore import restore
from audit.report.sentences import estimate, profile
from audit.verdict.decide import doubted
from audit.verdict.evidence import CURVE, curve_of, curve_wealths
from audit.verdict.result import AuditResult
from tests.calibration.laws import SKEWED, laplace, response, skewed
from tests.calibration.truth import gaussian_delta, hockey_stick, laplace_delta

Profile = Callable[[float], float]


def gaussian(data: float, rng: Generator, size: int) -> Any:
    return data + rng.normal(size=size)


def of_response(epsilon: float) -> float:
    return max(0.0, (math.e - math.exp(epsilon)) / (1.0 + math.e))


def audited(law: Any, **more: Any) -> AuditResult:
    def mechanism(data: Any, rng: Generator, size: int) -> Any:
        return law(float(sum(data)), rng, size)

    given = {"epsilon": 1.0, "relation": "substitute", "max_samples": 40_000, **more}
    return audit.run(mechanism, data=[1], neighbors=[[0]], assume=("independent-calls",), **given)


def largest_epsilon(exact: Profile, delta: float) -> float:
    """The epsilon at which a profile falls to delta, by bisection."""
    low, high = 0.0, 20.0
    for _ in range(60):
        middle = (low + high) / 2.0
        low, high = (middle, high) if exact(middle) > delta else (low, middle)
    return low


def test_all_bounds_together_have_the_level_of_the_audit() -> None:
    found = curve_wealths(0.03)
    deltas = [wealth.claim.delta(wealth.claim.level) for wealth in found.values()]
    assert deltas == [*CURVE.values()]
    assert math.fsum(math.exp(-wealth.goal) for wealth in found.values()) == pytest.approx(0.03)


@pytest.mark.parametrize(
    ("law", "exact"),
    [
        (laplace, laplace_delta(1.0)),
        (response, of_response),
        (skewed, lambda e: hockey_stick(SKEWED[0], SKEWED[1], e)),
    ],
    ids=["laplace", "response", "skewed"],
)
def test_bounds_are_below_the_profile_and_near_it(law: Any, exact: Profile) -> None:
    curve = audited(law).curve
    assert [point.delta for point in curve] == [0.1, 0.03, 0.01]
    for point in curve:
        largest = largest_epsilon(exact, point.delta)
        assert 0.75 * largest <= point.epsilon_lower <= largest


@pytest.mark.slow
@pytest.mark.parametrize(
    ("law", "exact", "claim"),
    [
        (laplace, laplace_delta(1.0), {"epsilon": 1.0}),
        (gaussian, lambda e: gaussian_delta(e, 1.0), {"epsilon": 4.4, "delta": 1e-5}),
        (gaussian, lambda e: gaussian_delta(e, 1.0), {"claim": audit.ZCDP(0.5), "epsilon": None}),
    ],
    ids=["laplace", "gaussian", "zcdp"],
)
def test_default_budgets_show_nine_tenths(law: Any, exact: Profile, claim: Any) -> None:
    for point in audited(law, **claim, max_samples=400_000).curve:
        largest = largest_epsilon(exact, point.delta)
        assert 0.9 * largest <= point.epsilon_lower <= largest


def test_a_bound_holds_at_every_smaller_delta() -> None:
    wealths = curve_wealths(0.03)
    for wealth, bound in zip(wealths.values(), (0.5, 0.0, 0.7), strict=True):
        wealth.bound = bound
    assert [point.epsilon_lower for point in curve_of(wealths)] == [0.5, 0.5, 0.7]
    for wealth, bound in zip(wealths.values(), (0.0, 0.2, 0.1), strict=True):
        wealth.bound = bound
    assert [(p.delta, p.epsilon_lower) for p in curve_of(wealths)] == [(0.03, 0.2), (0.01, 0.2)]


def test_outputs_that_say_nothing_show_no_profile() -> None:
    result = audited(lambda data, rng, size: rng.random(size))
    assert result.curve == () and profile(result) == "" and Curve.of(result) is None
    assert "the privacy profile" not in statements(result)


def test_an_audit_until_a_violation_bets_on_the_claim_alone() -> None:
    result = audited(lambda data, rng, size: laplace(3.0 * data, rng, size), until="violation")
    assert result.verdict == "violation" and result.curve == ()


def test_a_report_shows_the_profile_beside_the_claim() -> None:
    result = audited(laplace)
    words = profile(result)
    assert words.count("ε ≥") == 3 and words.endswith("(all together with 99.9% confidence)")
    assert words in " ".join(result.to_markdown().split())
    assert "the privacy profile" in statements(result)
    titles = {title: drawn().title for title, drawn in size_pictures(result)}
    assert titles["Privacy profile"].count("ε at least") == 3
    curve = Curve.of(result)
    assert curve is not None
    exact = laplace_delta(1.0)
    assert all(delta <= exact(epsilon) + 1e-12 for epsilon, delta in curve.steps)
    # Randomized response has the largest profile that the claim allows.
    assert all(delta == pytest.approx(of_response(e), abs=1e-12) for e, delta in curve.claimed)
    assert restore(json.loads(audit.render(result, "json"))).curve == result.curve


def test_a_doubted_result_states_no_profile() -> None:
    result = doubted(audited(laplace), "the mechanism changed meanwhile")
    assert result.curve == () and "privacy profile" not in " ".join(statements(result))


@pytest.mark.parametrize(
    ("law", "claim", "level"),
    [
        (laplace, {}, 1.0),
        pytest.param(laplace, {"epsilon": 0.7}, 1.0, marks=pytest.mark.slow),
        (response, {}, 1.0),
        pytest.param(
            gaussian, {"claim": audit.ZCDP(0.4), "epsilon": None}, 0.5, marks=pytest.mark.slow
        ),
    ],
    ids=["kept", "broken", "response", "zcdp"],
)
def test_estimates_are_around_the_truth(law: Any, claim: Any, level: float) -> None:
    errors, deviations = [], []
    for seed in range(5):
        result = audited(law, **claim, seed=seed, max_samples=8_000)
        found = result.estimate
        assert found is not None and found.standard_error > 0.0
        deviations.append(found.standard_error)
        assert result.levels[result.claim.bound] < found.level + 3.0 * found.standard_error
        errors.append((found.level - level) / found.standard_error)
        assert found.level > 0.85 * level
    # One event may be rare; most are not.
    assert np.median(deviations) < 0.1 * level
    # The mean of five standard scores; an event a little off the best shows a little less.
    assert -1.5 < sum(errors) / len(errors) < 1.0
    assert max(errors) < 4.0


def test_an_estimate_is_labelled_and_read_back() -> None:
    result = audited(laplace)
    words = estimate(result)
    assert words.startswith("ε ≈ ") and words.endswith("; no confidence level)")
    assert words in " ".join(result.to_markdown().split())
    assert restore(json.loads(audit.render(result, "json"))).estimate == result.estimate


def test_nothing_is_estimated_of_what_says_nothing_or_is_doubted() -> None:
    quiet = audited(lambda data, rng, size: rng.random(size))
    endless = audited(lambda data, rng, size: data + 0.0 * rng.random(size))
    doubtful = doubted(audited(laplace), "the mechanism changed meanwhile")
    for result in (quiet, endless, doubtful):
        assert result.estimate is None and estimate(result) == ""


def test_an_estimate_of_a_bet_that_loses_has_the_error_of_its_units() -> None:
    """Noise that ignores the data and the seed; bets on it pay at no level, or at small ones."""
    noise = np.random.default_rng(7)
    found = []
    for seed in range(6):

        def mechanism(data: Any) -> float:
            return float(noise.normal())

        given: Any = {"assume": ("independent-calls",), "max_samples": 8_000, "seed": seed}
        result = audit.run(mechanism, 1.0, data=[], neighbors=[[1]], **given)
        found.append(result.estimate)
    assert sum(one is not None for one in found) >= 4
    assert all(one is None or one.level < 3.0 * one.standard_error for one in found)


def test_nothing_is_estimated_of_a_bet_that_no_level_changes() -> None:
    """Far below the claim the lines of a curve do not move with the level."""
    given: Any = {"assume": ("independent-calls",), "max_samples": 1_050, "until": "violation"}
    found = []
    for seed in (13, 27):
        noise = np.random.default_rng(1000 + seed)

        def mechanism(data: Any, noise: Generator = noise) -> float:
            return len(data) + float(noise.normal(0.0, 2.0))

        claim = GaussianDP(0.5)
        result = audit.run(
            mechanism, claim, data=[], neighbors=[[1]], seed=seed, alpha=0.05, **given
        )
        found.append(result.estimate)
    assert found[0] is not None and found[0].standard_error > 0.01
    assert found[1] is None
