"""Two-sample tests of independent canaries: exact, sharper than guesses, labelled everywhere."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from scipy import stats

import audit
from audit.canary.result import restore_canaries
from audit.canary.two_sample import BinomialTest, least_counts
from audit.claims import ZCDP, Claim, GaussianDP, profile_claim
from audit.errors import InputError
from audit.verdict.renderers import render

SCHEMA = json.loads((Path(__file__).parents[2] / "result.schema.json").read_text())
ASSUMED = ("independent-canaries",)
audited = partial(audit.canaries, assignment="coin")
CURVE = [(0.5, 0.1), (1.0, 0.05), (2.0, 0.001)]


@pytest.mark.parametrize(("slope", "offset"), [(1.0, 0.0), (2.7, 0.0), (1.6, 0.05), (1.0, 0.3)])
@pytest.mark.parametrize("level", [0.01, 0.2])
def test_a_line_that_holds_is_refuted_as_seldom_as_the_level_says(
    slope: float, offset: float, level: float
) -> None:
    """All outcomes of 20 draws on either side, at many q; some outcome does refute."""
    draws, refuted = 20, np.zeros((21, 21), bool)
    for own in range(draws + 1):
        for other in range(draws + 1):
            for score in np.arange(4.0, 0.4, -0.3).tolist():
                least = least_counts(draws, slope, offset, score)
                if own >= least[other]:
                    refuted[own, other] |= BinomialTest(draws, least).refutes(slope, offset, level)
                    break
    for q in np.linspace(0.0, (1.0 - offset) / slope, 60):
        own = stats.binom.pmf(np.arange(21), draws, min(1.0, slope * q + offset))
        other = stats.binom.pmf(np.arange(21), draws, q)
        assert own @ refuted @ other <= level + 1e-9
    assert refuted.any()


def gaussian(canaries: int, mu: float, rng: np.random.Generator) -> tuple[Any, Any]:
    members = rng.random(canaries) < 0.5
    return mu * members + rng.normal(size=canaries), members


def of_two_kinds(canaries: int, mu: float, rng: np.random.Generator) -> tuple[Any, Any]:
    """Canaries of different laws: half of them show nothing and have large scores."""
    scores, members = gaussian(canaries, mu, rng)
    quiet = rng.random(canaries) < 0.5
    return np.where(quiet, 3.0 + rng.normal(size=canaries), scores), members


@pytest.mark.slow
@pytest.mark.parametrize("made", [gaussian, of_two_kinds])
def test_the_bound_exceeds_the_truth_as_seldom_as_the_level_says(made: Any) -> None:
    rng, alpha, trials, mu = np.random.default_rng(7), 0.2, 50, 0.5
    false = 0
    for _ in range(trials):
        scores, members = made(200, mu, rng)
        result = audited(scores, members, claim=GaussianDP(mu), alpha=alpha, assume=ASSUMED)
        false += result.levels["mu_lower"] > mu
    assert false <= trials * alpha + 3 * (trials * alpha * (1 - alpha)) ** 0.5


@pytest.mark.parametrize(
    ("claim", "bound"),
    [
        (GaussianDP(0.3), "mu_lower"),
        pytest.param(profile_claim(CURVE), "shift_lower", marks=pytest.mark.slow),
        pytest.param(ZCDP(0.05), "rho_lower", marks=pytest.mark.slow),
    ],
    ids=["mu", "curve", "rho"],
)
def test_independent_canaries_show_more_than_guesses(claim: Claim, bound: str) -> None:
    """(4, 1e-5)-DP by Gaussian noise, of which 1,000 canaries show mu = 0.79 of 0.92."""
    more = []
    for seed in range(4):
        scores, members = gaussian(1000, 0.92, np.random.default_rng(seed))
        given: dict[str, Any] = {"claim": claim, "alpha": 0.05, "seed": seed}
        plain, assumed = (audited(scores, members, **given, assume=a) for a in ((), ASSUMED))
        more.append(assumed.levels[bound] - plain.levels[bound])
        assert plain.two_sample is None
    assert np.mean(more) > 0.0


def test_the_assumption_stands_in_the_result_and_in_every_report() -> None:
    scores, members = gaussian(600, 3.0, np.random.default_rng(0))
    result = audited(scores, members, claim=GaussianDP(0.5), alpha=0.05, assume=ASSUMED)
    assert result.verdict == "violation"
    assert result.assumptions == ASSUMED
    assert result.two_sample is not None
    assert result.levels["mu_lower"] == result.two_sample.bound
    found = json.loads(json.dumps(result.to_json()))
    assert found["assumptions"] == [*ASSUMED]
    jsonschema.validate(found, SCHEMA)
    assert restore_canaries(found) == result
    for form in ("text", "markdown", "html"):
        words = " ".join(render(result, form).split())
        assert "anaries are independent (declared)" in words
        assert "if canaries are independent" in words
    plain = audited(scores, members, claim=GaussianDP(0.5), alpha=0.05)
    assert plain.assumptions == ()
    assert "independent" not in render(plain, "text")


@pytest.mark.slow
@pytest.mark.parametrize("assignment", ["coin", "pairs", "halves"])
def test_every_assignment_has_members_to_compare(assignment: str) -> None:
    rng = np.random.default_rng(3)
    first = rng.random(300) < 0.5
    members = np.column_stack([first, ~first]).ravel()
    pairs = {"pairs": np.repeat(np.arange(300), 2)} if assignment == "pairs" else {}
    given: dict[str, Any] = {
        "relation": "substitute",
        "assignment": assignment,
        "claim": GaussianDP(0.5),
        "alpha": 0.05,
        **pairs,
    }
    loud, quiet = (
        audit.canaries(mu * members + rng.normal(size=600), members, assume=ASSUMED, **given)
        for mu in (2.0, 0.0)
    )
    assert loud.two_sample is not None
    assert quiet.two_sample is not None
    assert loud.two_sample.bound > 0.5 > quiet.two_sample.bound


@pytest.mark.parametrize("seed", range(3))
def test_the_p_value_is_that_of_the_test_that_refutes(seed: int) -> None:
    """Scores 4 sigma apart in halves, which guesses alone hardly refute."""
    members = np.arange(1000) < 500
    scores = 4.0 * members + np.random.default_rng(0).normal(size=1000)
    given: dict[str, Any] = {"epsilon": 2.0, "delta": 1e-5, "assignment": "halves", "seed": seed}
    plain, assumed = (audit.canaries(scores, members, **given, assume=a) for a in ((), ASSUMED))
    assert (plain.verdict, assumed.verdict) == ("not-refuted", "violation")
    assert plain.p_value is not None
    assert assumed.p_value is not None
    assert assumed.two_sample is not None
    assert assumed.p_value == 2 * assumed.two_sample.p_value < 1e-6 < 0.001 < plain.p_value
    text = " ".join(render(assumed, "text").split())
    assert "Two-sample test: the score is" in text
    assert "a sixth of the scores was used to choose this event" in text
    assert "Guesses:" not in text


@pytest.mark.slow
def test_p_values_of_noise_are_below_alpha_exactly_when_the_verdict_says_so() -> None:
    """At epsilon 0 guesses and scores of noise win by chance, at most as often as alpha says."""
    rng, alpha, trials, below = np.random.default_rng(1), 0.2, 60, 0
    for seed in range(trials):
        members = rng.random(80) < 0.5
        result = audited(
            rng.random(80), members, epsilon=0.0, alpha=alpha, seed=seed, assume=ASSUMED
        )
        assert result.p_value is not None
        assert (result.p_value <= alpha) == (result.verdict == "violation")
        below += result.p_value <= alpha
    assert 0 < below <= trials * alpha + 3 * (trials * alpha * (1 - alpha)) ** 0.5


@pytest.mark.parametrize("level", [0.2, 1e-3, 1e-6])
def test_a_p_value_is_the_smallest_level_that_refutes(level: float) -> None:
    test = BinomialTest(100, least_counts(100, 2.0, 0.01, 3.0))
    found = test.p_value(2.0, 0.01, level)
    assert test.refutes(2.0, 0.01, found)
    assert not test.refutes(2.0, 0.01, found / 1.002)
    assert (found <= level) == test.refutes(2.0, 0.01, level)


def test_few_canaries_are_not_compared() -> None:
    scores, members = gaussian(30, 1.0, np.random.default_rng(0))
    assert audited(scores, members, claim=GaussianDP(0.5), assume=ASSUMED).two_sample is None


def test_other_assumptions_are_refused() -> None:
    scores, members = gaussian(100, 1.0, np.random.default_rng(0))
    with pytest.raises(InputError, match="says nothing of canaries; give independent-canaries"):
        audited(scores, members, claim=GaussianDP(0.5), assume=("independent-calls",))


@pytest.mark.slow
def test_what_is_decided_once_for_all_canaries_is_accused_under_the_assumption_alone() -> None:
    """With probability delta = 0.2 all coins are released, else nothing: (0, 0.2)-DP."""
    accused: dict[tuple[str, ...], int] = {(): 0, ASSUMED: 0}
    rng, trials = np.random.default_rng(11), 40
    for _ in range(trials):
        members = rng.random(200) < 0.5
        scores = members + rng.normal(size=200) * (0.1 if rng.random() < 0.2 else 1e6)
        for assume in accused:
            result = audited(scores, members, epsilon=0.0, delta=0.2, alpha=0.001, assume=assume)
            accused[assume] += result.verdict == "violation"
    assert accused[()] == 0
    assert 2 <= accused[ASSUMED] <= 18
