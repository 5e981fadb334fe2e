"""The event that people are shown: easy to read, and nearly as clear as the best."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import Generator

import audit
from audit.betting.events import describe
from audit.betting.simplest import burden, earnings
from audit.outcomes.binning import Binning
from audit.outcomes.encoding import KIND
from audit.outcomes.features import Distance, LocationScore, Part, Summary
from audit.verdict.result import AuditResult

PAIR: dict[str, Any] = {"data": [1.0], "neighbors": [[]], "max_samples": 8000, "epsilon": 1.0}


def found(mechanism: Any, **changes: Any) -> AuditResult:
    result = audit.run(mechanism, **PAIR | changes, name="m")
    assert result.verdict == "violation"
    assert result.witness is not None
    return result


def event_of(mechanism: Any, **changes: Any) -> str:
    witness = found(mechanism, **changes).witness
    assert witness is not None
    return witness.event.description


def raises(data: Any, rng: Generator) -> Any:
    if len(data):
        raise ValueError("no records wanted")
    return 1.0


def exact(data: Any, rng: Generator, size: int) -> Any:
    return np.full(size, 26.0) if len(data) else np.round(rng.laplace(0.0, 3.0, size))


def keyed(data: Any, rng: Generator) -> Any:
    shown = {"all": len(data) + rng.laplace()}
    return shown | {"rare": 1} if len(data) else shown


def member(data: Any, rng: Generator) -> Any:
    return {"alice"} if len(data) and rng.random() < 0.9 else set()


def bit(data: Any, rng: Generator, size: int) -> Any:
    return (rng.random(size) < (0.9 if len(data) else 0.1)).astype(int)


def words(data: Any, rng: Generator) -> Any:
    return "yes" if rng.random() < (0.95 if len(data) else 0.05) else "no"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mechanism", "said"),
    [
        (raises, "the mechanism raises ValueError"),
        (exact, "the output is exactly 26"),
        (keyed, "key 'rare' is present"),
        (member, "'alice' is in the output"),
        (bit, "the output is exactly 1"),
        (words, "the output is 'yes'"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_an_engineer_would_say(mechanism: Any, said: str) -> None:
    """Each mechanism does on the larger dataset what the sentence says, and seldom on the other."""
    result = found(mechanism)
    witness = result.witness
    assert witness is not None
    assert witness.event.description == said
    assert witness.direction == "D over D1"
    assert witness.separated
    assert witness.p.low > 0.7
    assert witness.q.high < 0.3


@pytest.mark.slow
def test_a_failure_is_named_in_every_format() -> None:
    result = found(raises)
    assert "the mechanism raises ValueError" in result.to_markdown()
    assert "the mechanism raises ValueError" in result.to_html()
    assert result.to_json()["witness"]["event"]["description"].endswith("raises ValueError")


@pytest.mark.slow
def test_a_score_is_shown_where_no_simple_event_comes_near() -> None:
    """Ten counts, each moved by far less than its noise."""

    def many(data: Any, rng: Generator, size: int) -> Any:
        return 0.7 * bool(len(data)) + rng.laplace(0.0, 1.0, (size, 10))

    shown = []
    for seed in range(5):
        witness = found(many, max_samples=60_000, seed=seed).witness
        assert witness is not None
        shown.append(witness.event.parameters["feature"])
    assert not any("[" in feature for feature in shown)
    # The number of positive entries is as easy to read, and now and then comes near.
    assert sum("score" in feature or "sum" in feature for feature in shown) >= 3


@pytest.mark.slow
def test_the_strongest_event_stands_beside_a_simpler_one() -> None:
    """Two counts: their sum says less than the best score, and is easier to read."""

    def two(data: Any, rng: Generator, size: int) -> Any:
        return 1.3 * bool(len(data)) + rng.laplace(0.0, 1.0, (size, 2))

    seen = [found(two, seed=seed, max_samples=20_000).witness for seed in range(6)]
    beside = [w for w in seen if w is not None and w.strongest is not None]
    assert beside
    for witness in beside:
        assert witness.strongest is not None
        assert witness.strongest.counts != witness.counts
        assert witness.strongest.event.description != witness.event.description
        document = witness.as_json()["strongest"]
        assert document["counts"]["pairs"] >= document["counts"]["left"]


@pytest.mark.slow
def test_counts_are_those_of_the_bets() -> None:
    witness = found(bit).witness
    assert witness is not None
    assert witness.counts is not None
    here, there, pairs = witness.counts
    assert here > math.e * there
    assert 0.6 < here / pairs <= 1.0


@given(st.data(), st.floats(0.1, 3.0), st.floats(0.0, 0.2))
def test_earnings_are_what_the_best_stake_wins(
    data: st.DataObject, level: float, offset: float
) -> None:
    """Against the sum over all pairs of runs, one by one."""
    cells = data.draw(st.lists(st.integers(0, 9), min_size=16, max_size=16))
    joint = np.array(cells).reshape(4, 4)
    mask = np.array(data.draw(st.lists(st.booleans(), min_size=4, max_size=4)))
    line = np.array([math.exp(level), offset])
    (won,) = earnings(joint, mask[None], line)
    best = -math.inf
    for part in (0.98, 0.75, 0.5, 0.33, 0.2, 0.12, 0.07, 0.04, 0.02, 0.01, 0.004, 0.0015):
        stake = part / (line[0] + offset)
        total = 0.0
        for left in range(4):
            for right in range(4):
                payoff = float(mask[left]) - line[0] * float(mask[right]) - offset
                total += joint[left, right] * math.log1p(stake * payoff)
        best = max(best, total)
    assert won == pytest.approx(best, abs=1e-6)


def test_what_is_easier_to_read() -> None:
    binning = Binning.of([0.0, 1.0], ["missing", "raised ValueError"], whole=True)

    def rank(feature: Any, bins: list[int]) -> int:
        event = describe(feature, binning, np.isin(np.arange(binning.count), bins))
        return burden(feature, event)

    value, score = Part("output['a']"), LocationScore((), (), (), (), 0.0)
    order = [
        rank(Part(KIND), [4]),
        rank(value, [3]),
        rank(value, [1]),
        rank(value, [2]),
        rank(Summary("sum", (), 0.0), [2]),
        rank(value, [0, 2]),
        rank(score, [2]),
    ]
    assert order == sorted(order)
    assert rank(value, [3]) == 0 < rank(value, [1])
    assert rank(Distance("output", 0.0), [2]) > rank(value, [2])
    without_missing = [0, 1, 2, 4, 5]
    lines = [Part("output[2]"), Part("number 1 of output[2]"), Part("word 1 of output[2]")]
    whole, *inside = (rank(line, without_missing) for line in lines)
    assert all(whole < part for part in inside)
