"""Scores are tested in both directions; what follows from a public seed is no evidence."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import audit
from audit.canary.bench import CanaryTests
from audit.canary.design import Design, Scores
from audit.canary.guesses import stream
from audit.canary.sentences import most_telling, telling
from audit.errors import InputError
from tests.audit.canary.tables import Columns, noisy

ALPHA = 0.05


def audited(made: Columns, sign: float = 1.0, **options: Any) -> audit.CanaryResult:
    members, scores = made
    return audit.canaries(sign * scores, members, epsilon=1.0, delta=1e-5, alpha=ALPHA, **options)


@pytest.mark.slow
@pytest.mark.parametrize("lower", [False, True])
def test_scores_the_wrong_way_round_are_reported_with_a_hint(lower: bool) -> None:
    loud, quiet = noisy(1000, 0.25), noisy(1000, 20.0)
    right, wrong = (audited(loud, sign, lower_is_member=lower) for sign in (1.0, -1.0))
    if lower:
        right, wrong = wrong, right
    assert right.verdict == wrong.verdict == "violation"
    assert not right.notes
    advice = "leave out --lower-is-member" if lower else "give --lower-is-member"
    assert any(advice in note for note in wrong.notes)
    assert wrong.epsilon_lower == pytest.approx(right.epsilon_lower, rel=0.2)
    for sign in (1.0, -1.0):
        result = audited(quiet, sign, lower_is_member=lower)
        assert result.verdict == "not-refuted"
        assert not result.notes


def test_the_direction_is_hinted_at_where_nothing_is_refuted() -> None:
    members, scores = noisy(1000, 1.0)
    options: dict[str, Any] = {"epsilon": 1.0, "delta": 1e-5, "alpha": 0.001}
    right, wrong = (audit.canaries(s * scores, members, **options) for s in (1.0, -1.0))
    assert wrong.verdict == "not-refuted"
    assert any("give --lower-is-member" in note for note in wrong.notes)
    assert not any("--lower-is-member" in note for note in right.notes)
    # δ for 1,000 canaries is more than this α, and less than the other one.
    assert any(
        "δ times the number of canaries is 0.01 and exceeds α" in note for note in right.notes
    )
    options["delta"] = 1e-7
    assert not audit.canaries(scores, members, **options).notes


def test_guesses_the_wrong_way_round_are_reported() -> None:
    members, _ = noisy(400, 1.0)
    guesses = np.where(members, -1, 1)
    result = audit.canaries(None, members, guesses=guesses, epsilon=1.0, alpha=ALPHA)
    assert result.verdict == "violation"
    assert any("1 means in, and -1 out" in note for note in result.notes)


@pytest.mark.slow
def test_noise_is_refuted_as_seldom_as_the_level_says() -> None:
    """At epsilon 0 either direction of 80 noise scores wins by chance."""
    rng, false, trials, alpha = np.random.default_rng(1), 0, 100, 0.2
    for _ in range(trials):
        members = rng.random(80) < 0.5
        result = audit.canaries(
            rng.random(80), members, epsilon=0.0, alpha=alpha, assignment="coin"
        )
        false += result.p_value is not None and result.p_value <= alpha
    assert false <= trials * alpha + 3 * (trials * alpha * (1 - alpha)) ** 0.5


def test_scores_and_guesses_are_not_given_together() -> None:
    members, scores = noisy(50, 1.0)
    with pytest.raises(InputError, match="guesses are given next to scores; give one of the two"):
        audit.canaries(scores, members, guesses=np.where(members, 1, -1), epsilon=1.0)


def places(seed: int, canaries: int) -> NDArray[np.float64]:
    """Scores without any look at members: minus the place in the matching's permutation."""
    scores = np.empty(canaries)
    scores[stream(seed, 2).permutation(canaries)] = -np.arange(canaries)
    return scores


def halves(seed: int | None, trials: int) -> list[str]:
    rng, verdicts = np.random.default_rng(5), []
    for _ in range(trials):
        members = np.zeros(400, dtype=bool)
        members[rng.permutation(400)[:200]] = True
        result = audit.canaries(
            places(0, 400), members, epsilon=0.05, assignment="halves", alpha=1e-6, seed=seed
        )
        verdicts.append(str(result.verdict))
    return verdicts


@pytest.mark.slow
def test_scores_that_know_the_seed_of_a_matching_win_and_others_do_not() -> None:
    """Half of the matched pairs then are right together, by the arcsine law."""
    assert halves(0, 20).count("violation") >= 3
    assert "violation" not in halves(None, 20)


def test_a_fresh_seed_is_part_of_the_result_and_of_its_command() -> None:
    members, scores = noisy(100, 0.5)
    half = np.arange(100) < 50
    given: dict[str, Any] = {"epsilon": 1.0, "assignment": "halves"}
    given["command"] = "audit canaries s.csv"
    first, second = (audit.canaries(scores + half, half, **given) for _ in range(2))
    assert first.seed != second.seed
    assert first.command == f"audit canaries s.csv --seed {first.seed}"
    again = audit.canaries(scores + half, half, **given, seed=first.seed)
    assert again.opened == first.opened
    assert audit.canaries(scores, members, epsilon=1.0, assignment="coin").seed == 0


@pytest.mark.parametrize("sigma", [0.1, 0.25, 0.6])
@pytest.mark.parametrize("delta", [None, 1e-4])
def test_the_headline_has_the_numbers_of_the_bound(sigma: float, delta: float | None) -> None:
    members, scores = noisy(1000, sigma)
    result = audit.canaries(scores, members, epsilon=0.5, delta=delta, alpha=ALPHA)
    row = most_telling(result)
    assert row is not None
    assert row.bound == pytest.approx(result.epsilon_lower, abs=0.05)
    assert (result.guesses, result.correct) == (row.guesses, row.correct)
    _, words = telling(result)
    found = [int(number.replace(",", "")) for number in re.findall(r"[\d,]+\d|\d", words)]
    assert {row.guesses, row.correct} <= set(found)


@pytest.mark.parametrize("independent", [False, True])
def test_all_tests_of_a_claim_share_one_level(independent: bool) -> None:
    members, scores = noisy(100, 1.0)
    held = Scores(
        members=members,
        values=scores,
        guessed=False,
        runs=np.zeros(100, np.int64),
        run_names=("run",),
    )
    design = Design()
    tests = CanaryTests.of(held, design, alpha=0.05, seed=1, independent=independent)
    shares = [direction.alpha for direction in tests.directions]
    assert (tests.alpha > 0.0) is independent
    assert sum(shares) + tests.alpha == pytest.approx(0.05)
    assert min(shares) > 0.0
