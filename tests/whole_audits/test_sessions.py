"""Sessions: right ones pass whatever is asked, wrong ones fall on questions the search finds."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from numpy.random import Generator

import audit
from mechanisms import CATALOG

RIGHT = [
    "privacy-filter",
    "budget-session",
    "odometer",
    "sparse-vector-session",
    "sparse-vector-session-same-threshold",
]
WRONG = [
    "privacy-filter-one-more",
    "budget-session-reset",
    "odometer-free-repeats",
    "sparse-vector-session-same-noise",
]


class Count:
    """Counts with half of epsilon = 1 each time, as often as its budget says."""

    def __init__(self, data: Any, rng: Generator, answers: int = 2) -> None:
        self.count, self.rng, self.left = len(data), rng, answers

    def ask(self, question: int) -> float:
        if not self.left:
            raise LookupError
        self.left -= 1
        return self.count + float(self.rng.laplace(0, 2.0))


def endless(data: Any, rng: Generator) -> Count:
    return Count(data, rng, answers=100)


def asked(factory: Any, **more: Any) -> audit.AuditResult:
    given: dict[str, Any] = {"questions": "bool[1..6]", "domain": "int:0:1", "max_samples": 3000}
    return audit.session(factory, 1.0, **given | more)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", RIGHT)
def test_right_sessions_are_not_accused(name: str, seed: int) -> None:
    result = audit.run(CATALOG[name], max_samples=1200, seed=seed, alpha=0.05)
    assert result.verdict is not audit.Verdict.VIOLATION
    assert result.epsilon_lower <= 1.0


@pytest.mark.slow
@pytest.mark.parametrize("name", RIGHT)
def test_right_sessions_are_accused_no_more_often_than_alpha_says(name: str) -> None:
    # 20 audits at .01: four alarms have a chance below 1e-4, and four bounds above the truth too.
    results = [
        audit.run(CATALOG[name], max_samples=3000, seed=seed, alpha=0.01) for seed in range(20)
    ]
    assert sum(result.verdict is audit.Verdict.VIOLATION for result in results) < 4
    assert sum(result.epsilon_lower > 1.0 for result in results) < 4


@pytest.mark.slow
@pytest.mark.parametrize("name", WRONG)
def test_wrong_sessions_fall_on_few_questions(name: str) -> None:
    entry = CATALOG[name]
    result = audit.run(entry, max_samples=250_000)
    assert result.verdict is audit.Verdict.VIOLATION
    assert entry.truth.epsilon is not None
    assert 1.0 < result.epsilon_lower <= entry.truth.epsilon
    assert result.witness is not None
    assert 2 <= len(result.witness.dataset["questions"]) <= 5


@pytest.mark.slow
def test_one_answer_too_many_is_found_and_told_with_its_questions(tmp_path: Path) -> None:
    result = asked(endless, max_samples=30_000, until="violation")
    assert result.verdict is audit.Verdict.VIOLATION
    assert result.witness is not None
    sides = result.witness.dataset, result.witness.neighbor
    assert [set(side) for side in sides] == 2 * [{"data", "questions"}]
    assert sides[0]["questions"] == sides[1]["questions"]
    assert 3 <= len(sides[0]["questions"]) <= 6
    assert result.coupled
    assert "questions" in result.to_markdown()
    stored = tmp_path / "result.json"
    stored.write_text(json.dumps(result.to_json()))
    restored = audit.read_result(stored)
    assert isinstance(restored, audit.AuditResult)
    assert restored.witness == result.witness


@pytest.mark.slow
def test_the_budget_that_runs_out_is_part_of_the_transcript() -> None:
    def counted(data: Any, rng: Generator) -> Count:
        return Count(data, rng, answers=len(data))

    result = asked(counted, questions=[0, 0], data=[1, 0], neighbors=[[1]])
    assert result.verdict is audit.Verdict.VIOLATION
    assert result.epsilon_lower > 2.0


@pytest.mark.slow
def test_questions_that_are_given_are_asked_and_nothing_is_searched() -> None:
    given: dict[str, Any] = {"questions": [1, 0, 1], "data": [1], "neighbors": [[]]}
    right = asked(Count, **given, max_samples=1200)
    wrong = asked(endless, **given, max_samples=20_000, until="violation")
    assert right.verdict is audit.Verdict.NOT_REFUTED
    assert wrong.verdict is audit.Verdict.VIOLATION
    assert wrong.search is None
    assert wrong.witness is not None
    sides = [wrong.witness.dataset, wrong.witness.neighbor]
    assert [side["questions"] for side in sides] == 2 * [[1, 0, 1]]
    assert sorted(side["data"] for side in sides) == [[], [1]]


@pytest.mark.slow
def test_questions_are_searched_for_datasets_that_are_given() -> None:
    result = asked(endless, domain=None, data=[1], neighbors=[[]], max_samples=20_000)
    assert result.verdict is audit.Verdict.VIOLATION
    assert result.witness is not None
    assert sorted(result.witness.dataset["data"] + result.witness.neighbor["data"]) == [1]


@pytest.mark.slow
def test_the_same_seed_asks_the_same_and_the_store_goes_on(tmp_path: Path) -> None:
    store = tmp_path / "store"
    first, again = (asked(endless, max_samples=6000, seed=4) for _ in range(2))
    kept = [asked(endless, max_samples=6000, seed=4, store=store) for _ in range(2)]
    for other in (again, *kept):
        assert (other.epsilon_lower, other.samples) == (first.epsilon_lower, first.samples)
        assert other.witness == first.witness
    with pytest.raises(audit.AuditError, match="its questions is"):
        asked(endless, max_samples=6000, seed=4, store=store, questions="bool[1..5]")


@pytest.mark.slow
def test_sessions_against_themselves() -> None:
    result = asked(Count, null=True, max_samples=1000)
    assert result.verdict is not audit.Verdict.VIOLATION


@pytest.mark.slow
def test_what_cannot_be_asked_is_one_line() -> None:
    for questions, words in ((), "neither a domain"), ("nothing", "domain"):
        with pytest.raises(audit.AuditError, match=words) as caught:
            asked(Count, questions=questions)
        assert "\n" not in str(caught.value)
    with pytest.raises(audit.errors.InputError, match="give `data`, `domain`"):
        asked(Count, domain=None)
    with pytest.raises(audit.AuditError, match="has no method ask"):
        asked(lambda data, rng: 7)
    assert math.isfinite(asked(Count, max_samples=800).epsilon_lower)
