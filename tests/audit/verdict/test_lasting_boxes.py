"""Bounds of black boxes that keep something: won again by blocks of calls, or not said."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtr

import audit

Release = Callable[..., float]


def independent(seed: int) -> Release:
    """Laplace noise that loses epsilon = 1, from a generator that lives on between calls."""
    rng = np.random.default_rng([7, seed])
    return lambda data: float(len(data) + rng.laplace())


def kept(seed: int) -> Release:
    """The same, but every noise is used for two calls."""
    rng, state = np.random.default_rng([9, seed]), [0, 0.0]

    def release(data: Any) -> float:
        if state[0] % 2 == 0:
            state[1] = rng.laplace()
        state[0] += 1
        return float(len(data) + state[1])

    return release


def walking(seed: int) -> Release:
    """The same law in every call, but noise follows that of the call before."""
    rng, state = np.random.default_rng([10, seed]), [0.0]

    def release(data: Any) -> float:
        state[0] = 0.5 * state[0] + math.sqrt(0.75) * rng.standard_normal()
        away = float(ndtr(state[0])) - 0.5
        return len(data) - math.copysign(math.log1p(-2.0 * abs(away)), away)

    return release


def counting(seed: int) -> Release:
    """Laplace noise that loses epsilon = 1, from the given generator; calls are counted."""
    calls = [seed]

    def release(data: Any, rng: np.random.Generator) -> float:
        calls[0] += 1
        return float(len(data) + rng.laplace())

    return release


def kept_of_given(seed: int) -> Release:
    """Noise of the given generator, that of every second call left unused."""
    state = [seed, 0.0]

    def release(data: Any, rng: np.random.Generator) -> float:
        noise = float(rng.laplace())
        state[1] = state[1] if state[0] % 2 else noise
        state[0] += 1
        return len(data) + state[1]

    return release


def drifting(step: float) -> Release:
    """Laplace noise on a number that grows by so much with every call."""
    rng, calls = np.random.default_rng(13), [0]

    def release(data: Any) -> float:
        calls[0] += 1
        return float(len(data) + rng.laplace() + step * calls[0])

    return release


class KeepsLater:
    """A Laplace count of which a look shows from some call on that it counts its calls."""

    def __init__(self, first: int) -> None:
        self.first, self.calls, self.outputs = first, 0, 0

    def __call__(self, data: Any, rng: np.random.Generator, size: int) -> Any:
        self.calls, self.outputs = self.calls + 1, self.outputs + size
        return len(data) + rng.laplace(0.0, 2.0, size)

    def __getstate__(self) -> dict[str, int]:
        return {"first": self.first, "calls": max(0, self.calls - self.first), "outputs": 0}


def audited(release: Release, seed: int, runs: int = 20_000) -> audit.AuditResult:
    return audit.run(
        release,
        epsilon=1.0,
        data=[1.0],
        neighbors=[[]],
        alpha=0.05,
        max_samples=runs,
        seed=seed,
    )


@pytest.mark.parametrize("alike", [independent, counting])
@pytest.mark.parametrize("seed", range(3))
def test_a_bound_is_stated_where_calls_are_independent(
    alike: Callable[[int], Release], seed: int
) -> None:
    result = audited(alike(seed), seed)
    assert result.verdict == "not-refuted"
    assert 0.4 < result.epsilon_lower <= 1.0


@pytest.mark.parametrize("seed", range(3))
def test_after_few_runs_half_of_them_are_for_the_bound(seed: int) -> None:
    result = audited(counting(seed), seed, 5_000)
    assert result.verdict == "not-refuted"
    assert 0.7 < result.epsilon_lower <= 1.0
    assert result.effort["check"] > result.effort["bets"]
    assert result.effort["tables"] > 0


@pytest.mark.parametrize("dependent", [kept, walking, kept_of_given])
@pytest.mark.parametrize("seed", range(2))
def test_none_is_where_they_are_not(dependent: Callable[[int], Release], seed: int) -> None:
    result = audited(dependent(seed), seed)
    # Copies may show what noise that is kept for a while does not hide.
    assert result.verdict == "inconclusive" or dependent is not walking
    assert result.verdict != "violation"
    assert result.epsilon_lower <= (0.0 if dependent is walking else 1.0)


@pytest.mark.parametrize(
    ("step", "verdict"), [(0.01, "inconclusive"), (0.0001, "inconclusive"), (0.0, "not-refuted")]
)
def test_what_drifts_is_no_answer_though_nothing_was_won(step: float, verdict: str) -> None:
    result = audited(drifting(step), 3)
    assert result.verdict == verdict
    assert ("one after the other are more alike" in result.reason) == (step > 0.0)


@pytest.mark.parametrize("first", [0, 20, 60, 1 << 60])
def test_nothing_is_drawn_ahead_that_does_not_count(first: int) -> None:
    box = KeepsLater(first)
    result = audit.run(
        box,
        epsilon=1.0,
        data=[1.0],
        neighbors=[[]],
        alpha=0.05,
        max_samples=400_000,
        until="budget",
    )
    # Copies of the box make some of the runs, too.
    assert box.outputs <= result.samples <= 400_000
    # What is known before anything is planned ahead leaves half of it for the bound.
    assert (result.effort["bets"] < 200_000) == (first == 0)


def test_tables_show_no_difference_that_only_lies_in_time() -> None:
    calls = [0]

    def release(data: Any) -> int:
        calls[0] += 1
        return calls[0]

    table = audited(release, 4).pairs[0]
    assert table.satisfied
    assert not any(cell.flagged for cell in table.bins)
