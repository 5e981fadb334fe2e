"""Whole audits of canaries from Python: verdicts, bounds, ceilings, and what is on trust."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pandas as pd
import pytest

import audit
from audit.canary.result import restore_canaries
from audit.claims import ZCDP, GaussianDP, RenyiDP
from audit.errors import InputError
from audit.report.formatting import at_least
from tests.audit.canary.tables import Columns, noisy

SCHEMA = json.loads((Path(__file__).parents[2] / "result.schema.json").read_text())
CLAIMS: tuple[dict[str, Any], ...] = (
    {"epsilon": 1.0},
    {"epsilon": 1.0, "delta": 1e-5},
    {"claim": GaussianDP(0.5)},
    {"claim": ZCDP(0.1)},
    {"claim": RenyiDP(8.0, 0.8)},
)


def response(canaries: int, epsilon: float, seed: int = 0) -> Columns:
    """Randomized response to each coin, exactly epsilon-DP."""
    rng = np.random.default_rng(seed)
    members = rng.random(canaries) < 0.5
    told = rng.random(canaries) < 1.0 / (1.0 + math.exp(-epsilon))
    return members, np.where(told, members, ~members) + 0.01 * rng.random(canaries)


def audited(made: Columns, **options: Any) -> audit.CanaryResult:
    members, scores = made
    return audit.canaries(scores, members, alpha=options.pop("alpha", 0.05), **options)


@pytest.mark.slow
@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_loud_training_is_refuted_and_quiet_training_is_not(claim: dict[str, Any]) -> None:
    loud, quiet = (audited(noisy(2000, sigma), **claim) for sigma in (0.2, 10.0))
    assert (loud.verdict, quiet.verdict) == ("violation", "not-refuted")
    own = loud.levels.keys() - {"epsilon_lower"} or {"epsilon_lower"}
    for name in own:
        assert loud.levels[name] > loud.claim.level > quiet.levels[name]
    for result in (loud, quiet):
        found = json.loads(json.dumps(result.to_json()))
        jsonschema.validate(found, SCHEMA)
        assert restore_canaries(found) == result


@pytest.mark.parametrize("order", [1.001, 1.02, 1.045, 1.05])
def test_noise_alone_breaks_no_claim_of_an_order_near_one(order: float) -> None:
    quiet, loud = (audited(noisy(2000, sigma), claim=RenyiDP(order, 0.03)) for sigma in (10.0, 0.1))
    assert (quiet.verdict, loud.verdict) == ("not-refuted", "violation")
    assert quiet.levels["renyi_lower"] == 0.0
    assert 0.03 < loud.levels["renyi_lower"] < 0.05


@pytest.mark.parametrize(
    "columns", [{"assignment": "coin", "epsilon": 37.0}, {"assignment": "pairs", "epsilon": 18.5}]
)
def test_an_epsilon_that_allows_every_guess_is_not_refuted(columns: dict[str, Any]) -> None:
    first, rng = np.random.default_rng(0).random(500) < 0.5, np.random.default_rng(1)
    members = np.column_stack([first, ~first]).ravel()
    if columns["assignment"] == "pairs":
        columns["pairs"] = np.repeat(np.arange(500), 2)
    result = audited((members, members * 1.5 + rng.normal(size=1000)), **columns)
    assert result.verdict != "violation"
    assert 0.0 < result.epsilon_lower < 6.0


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", [1.0, 2.0, 4.0])
def test_bounds_of_randomized_response(epsilon: float) -> None:
    """Its median bound at m = 1000 and delta = 1e-5 is .84, 1.78, 3.55; these are single ones."""
    result = audited(response(1000, epsilon, seed=1), epsilon=epsilon, delta=1e-5)
    assert 0.7 * epsilon < result.epsilon_lower < epsilon
    assert result.verdict == "not-refuted"
    understated = audited(response(1000, epsilon, seed=1), epsilon=epsilon / 2, delta=1e-5)
    assert understated.verdict == "violation"


@pytest.mark.slow
def test_too_few_canaries_are_told_once() -> None:
    told: list[str] = []
    result = audited(noisy(60, 0.01), epsilon=8.0, warn=told.append)
    said = " ".join(audit.render(result, "text").split())
    assert result.verdict == "inconclusive"
    assert result.ceiling < 8.0
    assert result.needed is not None
    assert "60 guesses cannot refute ε = 8" in said
    assert said.count(f"that takes at least {result.needed:,} right guesses") == 1
    assert told == []
    whole = " ".join(audit.render(result, "text", detail="verbose").split())
    assert f"all of them right, would have shown ε ≥ {at_least(result.ceiling)}" in whole
    enough = audited(noisy(2 * result.needed, 0.01), epsilon=8.0)
    assert enough.verdict == "violation"


@pytest.mark.slow
def test_the_ceiling_is_a_little_below_that_of_any_test() -> None:
    """ln(x/(1 - x)) with x = alpha^(1/r) bounds every test of r guesses."""
    for count in (100, 1000):
        most = 0.05 ** (1.0 / count)
        result = audited(noisy(count, 1.0), epsilon=1.0)
        assert 0.9 * math.log(most / (1.0 - most)) < result.ceiling
        assert result.ceiling <= math.log(most / (1.0 - most))
        perfect = audited(noisy(count, 1e-9), epsilon=1.0)
        assert 0.9 * result.ceiling < perfect.epsilon_lower <= result.ceiling


def test_a_delta_too_large_for_the_canaries_is_no_evidence() -> None:
    """With delta 0.2 all coins may be given away that often: no number of right guesses tells."""
    result = audited(noisy(200, 0.01), epsilon=1.0, delta=0.2)
    said = " ".join(audit.render(result, "text").split())
    assert result.verdict == "inconclusive"
    assert result.needed is None
    assert "no number of canaries can; take a larger α or a smaller δ" in said
    assert audited(noisy(200, 0.01), epsilon=1.0, delta=1e-4).verdict == "violation"


@pytest.mark.slow
def test_abstaining_costs_canaries_but_not_validity() -> None:
    members, scores = response(1000, 2.0)
    scores[np.random.default_rng(6).random(1000) < 0.3] = np.nan
    result = audited((members, scores), epsilon=1.0)
    assert "coins were not guessed" in result.notes[0]
    assert (result.canaries, result.verdict) == (1000, "violation")
    assert result.ceiling < audited(response(1000, 2.0), epsilon=1.0).ceiling


def test_pairs_are_one_substitution_or_an_addition_and_a_removal() -> None:
    rng = np.random.default_rng(1)
    first = rng.random(600) < 0.5
    members = np.column_stack([first, ~first]).ravel()
    scores = members + rng.normal(0.0, 0.3, 1200)
    options: dict[str, Any] = {
        "pairs": np.repeat(np.arange(600), 2),
        "assignment": "pairs",
        "epsilon": 1.5,
    }
    one = audited((members, scores), relation="substitute", **options)
    two = audited((members, scores), relation="add-remove", **options)
    assert one.canaries == two.canaries == 600
    assert one.epsilon_lower == pytest.approx(2.0 * two.epsilon_lower, abs=0.01)
    assert (one.verdict, two.verdict) == ("violation", "violation")


def test_fixed_halves_are_matched() -> None:
    rng = np.random.default_rng(2)
    members = rng.permutation(1000) < 500
    scores = members + rng.normal(0.0, 0.4, 1000)
    with pytest.raises(InputError, match="exactly 500 of 1,000 canaries are members"):
        audited((members, scores), epsilon=1.0)
    result = audited((members, scores), epsilon=1.0, relation="substitute", assignment="halves")
    assert (result.canaries, result.verdict) == (500, "violation")
    noise = audited((members, rng.random(1000)), epsilon=0.3, assignment="halves")
    assert noise.verdict == "not-refuted"


def test_bets_on_halves_as_if_they_were_coins_would_be_wrong() -> None:
    """All but one of forty bits revealed give the last one away; halves count couples instead."""
    rng = np.random.default_rng(3)
    members = rng.permutation(40) < 20
    known = np.where(members, 1.0, 0.0)
    result = audited((members, known + 0.001 * rng.random(40)), epsilon=1.0, assignment="halves")
    assert result.canaries == 20


@pytest.mark.slow
def test_runs_add_up() -> None:
    parts = [response(300, 2.0, seed) for seed in range(4)]
    members, scores = (np.concatenate(column) for column in zip(*parts, strict=True))
    whole = audited((members, scores), epsilon=1.0, runs=np.repeat(np.arange(4), 300))
    alone = audited(parts[0], epsilon=1.0)
    assert (whole.runs, whole.canaries) == (4, 1200)
    assert whole.epsilon_lower > alone.epsilon_lower
    assert any("fresh coins" in line for line in whole.to_markdown().splitlines())


def test_guesses_in_place_of_scores() -> None:
    members, scores = response(1000, 3.0)
    guesses = np.where(scores > 0.5, 1, -1)
    result = audit.canaries(None, members, guesses=guesses, epsilon=1.0, alpha=0.05)
    assert result.verdict == "violation"
    assert "that nobody saw the members is on trust" in " ".join(result.notes)


@pytest.mark.slow
def test_a_table_is_audited_like_its_columns(tmp_path: Path) -> None:
    members, scores = noisy(500, 1.0)
    table = pd.DataFrame({"member": members.astype(int), "score": scores})
    table.to_csv(tmp_path / "scores.csv", index=False)
    found = [
        audit.canaries(source, epsilon=1.0).epsilon_lower
        for source in (table, tmp_path / "scores.csv")
    ]
    assert found == [audit.canaries(scores, members, epsilon=1.0).epsilon_lower] * 2


@pytest.mark.slow
def test_the_same_seed_gives_the_same_answer() -> None:
    columns = (noisy(300, 1.0)[0], np.round(noisy(300, 1.0)[1]))
    first, again, other = (audited(columns, epsilon=1.0, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert first.opened != other.opened


@pytest.mark.slow
def test_the_gaussian_reading_is_labelled() -> None:
    result = audited(noisy(1000, 0.5), epsilon=4.0, delta=1e-5)
    assert result.gaussian is not None
    assert result.gaussian.epsilon is not None
    assert "only if the mechanism is exactly Gaussian" in result.to_markdown()
    assert audited(noisy(1000, 0.5), claim=GaussianDP(2.0)).gaussian is None


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "canaries state no claim"),
        ({"epsilon": 1.0, "probability": 1.0}, "probability 1.0 is not a number between 0 and 1"),
        ({"epsilon": 1.0, "assignment": "thirds"}, "assignment 'thirds' is not known"),
        ({"epsilon": 1.0, "assignment": "halves", "probability": 0.3}, "has no place with"),
        ({"epsilon": 1.0, "relation": "l2:1"}, "relation l2:1 says nothing about records"),
        ({"epsilon": 1.0, "columns": {"losses": "x"}}, "name others than score, guess"),
        ({"epsilon": 1.0, "alpha": 1.5}, "alpha 1.5"),
    ],
)
def test_what_makes_no_sense_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        audited(noisy(100, 1.0), **options)
