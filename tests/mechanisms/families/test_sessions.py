"""What the sessions of the catalogue may and do tell, calculated."""

from __future__ import annotations

import contextlib
import math
from itertools import product
from typing import Literal

import numpy as np
import pytest
from numpy.random import default_rng
from scipy import stats

from mechanisms.parts.sessions import (
    REFUSED,
    BudgetedCounts,
    BudgetExceeded,
    GroupCounts,
    LargeGroups,
    NoRoundLeft,
)

GRID = np.linspace(-400.0, 400.0, 800_001)
STEP = GRID[1] - GRID[0]
Answers = tuple[bool, ...]
REPEATED: tuple[Literal["same"], Literal["fresh"]] = ("same", "fresh")


def transcripts(length: int) -> list[Answers]:
    """All answers before the second "above", or so many."""
    found = set()
    for answers in product((False, True), repeat=length):
        above = [at for at, answer in enumerate(answers) if answer][:2]
        found.add(answers[: above[1] + 1] if len(above) == 2 else answers)
    return sorted(found)


def runs_of(answers: Answers) -> list[Answers]:
    """The answers of each round, each ending with "above" but the last."""
    rounds: list[Answers] = []
    start = 0
    for at, answer in enumerate(answers):
        if answer:
            rounds.append(answers[start : at + 1])
            start = at + 1
    return [*rounds, answers[start:]] if start < len(answers) else rounds


def odds(counts: list[int], answers: Answers, kept: str) -> float:
    """The chance of a transcript, at epsilon = 1."""
    density = stats.laplace.pdf(GRID, scale=4.0)
    factors = [
        stats.laplace.sf(GRID - count, scale=8.0)
        if answer
        else stats.laplace.cdf(GRID - count, scale=8.0)
        for count, answer in zip(counts, answers, strict=False)
    ]
    if kept == "threshold":
        return float((density * np.prod(factors, axis=0)).sum() * STEP)
    found, at = 1.0, 0
    for part in runs_of(answers):
        inside = np.prod(factors[at : at + len(part)], axis=0)
        found *= float((density * inside).sum() * STEP)
        at += len(part)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("kept", "most"), [("nothing", 1.0), ("threshold", 0.75)])
def test_whatever_a_right_sparse_vector_answers_keeps_the_claim(kept: str, most: float) -> None:
    worst = 0.0
    for shift in product((-1, 0, 1), repeat=3):
        left, right = [0, 3, -2], [count + by for count, by in zip((0, 3, -2), shift, strict=True)]
        pairs = [(odds(left, a, kept), odds(right, a, kept)) for a in transcripts(3)]
        assert sum(p for p, _ in pairs) == pytest.approx(1.0, abs=1e-6)
        worst = max(worst, *(abs(math.log(p / q)) for p, q in pairs))
    assert 0.1 < worst <= most


@pytest.mark.slow
@pytest.mark.parametrize("kept", ["nothing", "threshold"])
def test_sparse_vectors_answer_as_calculated(kept: str) -> None:
    mechanism, rng = LargeGroups(kept=kept), default_rng(5)  # type: ignore[arg-type]
    data, asking = [1, 1, 1, 2], (0, 1, 1)
    seen = []
    for _ in range(4000):
        session = mechanism.release(data, rng)
        answered: list[bool] = []
        with contextlib.suppress(NoRoundLeft):
            answered += (session.ask(group) for group in asking)
        seen.append(tuple(answered))
    for answers in transcripts(3):
        expected = odds([0, 3, 3], answers, kept)
        count = seen.count(answers)
        assert stats.binomtest(count, len(seen), expected).pvalue > 1e-9


def test_one_noise_for_all_answers_tells_which_group_is_larger() -> None:
    mechanism, rng = LargeGroups(kept="noise"), default_rng(6)

    def below_then_above(data: list[int]) -> int:
        sessions = (mechanism.release(data, rng) for _ in range(3000))
        return sum((not session.ask(0)) and session.ask(1) for session in sessions)

    assert below_then_above([1]) > 50
    assert below_then_above([0]) == 0


def spent(mechanism: BudgetedCounts, shares: list[float]) -> float:
    """What the answers to these questions cost, in shares of the budget."""
    session, found = mechanism.release([1, 2], default_rng(0)), 0.0
    for share in shares:
        try:
            found += share * (session.ask(share) != REFUSED)
        except BudgetExceeded:
            continue
    return found


@pytest.mark.parametrize(
    ("mechanism", "most"),
    [
        (BudgetedCounts(), 1.0),
        (BudgetedCounts(refusal="exception"), 1.0),
        (BudgetedCounts(checked="spent"), 2.0),
        (BudgetedCounts(refusal="exception", afterwards="new"), 3.0),
    ],
)
def test_what_sessions_of_five_questions_cost_at_most(
    mechanism: BudgetedCounts, most: float
) -> None:
    asked = product((0.25, 0.5, 1.0), repeat=5)
    assert max(spent(mechanism, list(shares)) for shares in asked) == most


def test_an_odometer_answers_again_or_afresh() -> None:
    same, fresh = (
        GroupCounts(repeated=repeated).release([0, 1], default_rng(0)) for repeated in REPEATED
    )
    assert same.ask(0) == same.ask(0)
    assert fresh.ask(0)[0] != fresh.ask(0)[0]
    assert [same.ask(group)[1] for group in (1, 2, 0)] == [1.0, 1.0, 1.0]
    assert same.ask(3)[0] is None
