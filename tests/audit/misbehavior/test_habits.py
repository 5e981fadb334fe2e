"""Black boxes with bad habits: what they are told, and what is not blamed on them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

import audit
from audit.claims import ZCDP
from tests.timeless import timeless

PAIR: dict[str, Any] = {"relation": "declared", "data": [1.0], "neighbors": [[0.0]]}


def shared_noise(data: Any, rng: Generator, size: int) -> Any:
    """All outputs of one call share their noise."""
    return data[0] + rng.laplace() + np.zeros(size)


def laplace(data: Any, rng: Generator, size: int) -> Any:
    return data[0] + rng.laplace(0.0, 1.0, size)


def half_the_noise(data: Any, rng: Generator, size: int) -> Any:
    return data[0] + rng.laplace(0.0, 0.5, size)


@pytest.mark.slow
def test_shared_noise_is_not_taken_for_a_violation() -> None:
    result = audit.run(shared_noise, epsilon=1.0, max_samples=8_000, **PAIR)
    assert result.verdict == "not-refuted"
    assert result.witness is None


@pytest.mark.slow
def test_too_little_shared_noise_is_a_violation() -> None:
    result = audit.run(shared_noise, epsilon=0.2, max_samples=8_000, **PAIR)
    assert result.verdict == "violation"


@pytest.mark.slow
def test_shared_noise_passes_the_null_audit() -> None:
    result = audit.run(shared_noise, epsilon=1.0, max_samples=50_000, null=True, **PAIR)
    assert result.verdict == "not-refuted"


@pytest.mark.slow
def test_a_real_violation_survives_the_self_check() -> None:
    assert audit.run(half_the_noise, epsilon=1.0, **PAIR).verdict == "violation"
    assert audit.run(half_the_noise, epsilon=1.0, null=True, **PAIR).verdict == "not-refuted"


@pytest.mark.slow
@pytest.mark.lowest
def test_one_and_two_workers_give_the_same_result() -> None:
    results = [
        timeless(audit.run(one_at_a_time, epsilon=1.0, max_samples=3_000, workers=workers, **PAIR))
        for workers in (1, 2)
    ]
    assert results[0] == results[1]


def one_at_a_time(data: Any, rng: Generator) -> float:
    """Slow enough to be worth sending to another process."""
    for _ in range(200):
        rng.random()
    return float(data[0] + rng.laplace())


@pytest.mark.slow
def test_permute_and_flip_keeps_pure_epsilon_and_breaks_zcdp() -> None:
    def flip(data: Any, rng: Generator, size: int) -> Any:
        return np.argmax(np.asarray(data) + rng.exponential(2.0, (size, len(data))), axis=1)

    pair: dict[str, Any] = {"relation": "declared", "data": [0.0, 0.0], "neighbors": [[1.0, -1.0]]}
    broken = audit.run(flip, claim=ZCDP(1 / 8), **pair)
    assert broken.verdict == "violation"
    assert 1 / 8 < broken.levels["rho_lower"] < 1
    assert audit.run(flip, epsilon=1.0, **pair).verdict == "not-refuted"


@pytest.mark.slow
def test_a_budget_below_the_floor_is_told_before_the_run() -> None:
    heard: list[Any] = []
    result = audit.run(laplace, epsilon=12.0, max_samples=1_000, on_event=heard.append, **PAIR)
    assert result.verdict == "inconclusive"
    assert isinstance(heard[0], audit.progress.Warned)
    assert "1,000 runs cannot refute ε = 12" in heard[0].sentence
    assert audit.run(laplace, epsilon=1.0, on_event=heard.append, **PAIR).verdict == "not-refuted"
    assert sum(isinstance(event, audit.progress.Warned) for event in heard) == 1
