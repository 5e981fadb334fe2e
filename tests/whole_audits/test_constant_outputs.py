"""Black boxes of which all outputs, or all of the first ones, are one and the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

import audit

RUNS = 20_000


def constant(data: Any, rng: Generator, size: int) -> Any:
    return np.full(size, 5.0)


def rare(data: Any, rng: Generator, size: int) -> Any:
    """An output that only D has, once in a thousand runs."""
    return np.where(rng.random(size) < 1e-3 * (len(data) > 1), 7.0, 5.0)


def late(data: Any, rng: Generator, size: int) -> Any:
    """Fails on the first dataset alone."""
    if len(data) > 1:
        raise ValueError("no")
    return np.full(size, 5.0)


def broken(data: Any, rng: Generator, size: int) -> Any:
    raise ValueError("no")


def audited(function: Any, runs: int = RUNS, **given: Any) -> audit.AuditResult:
    usual: dict[str, Any] = {"data": [1.0, 2.0], "neighbors": [[1.0]], "search": False}
    calls = ("independent-calls",)
    return audit.run(function, epsilon=0.1, max_samples=runs, assume=calls, **usual | given)


def test_a_constant_output_takes_a_tenth_of_the_runs() -> None:
    result = audited(constant)
    assert result.verdict is audit.Verdict.INCONCLUSIVE
    assert "one and the same output" in result.reason
    assert RUNS // 20 <= result.effort["bets"] < RUNS // 5


def test_all_runs_are_spent_on_request() -> None:
    assert audited(constant, until="budget").effort["bets"] > RUNS // 2


@pytest.mark.slow
def test_an_output_of_one_run_in_a_thousand_is_found() -> None:
    result = audited(rare, 400_000, until="violation")
    assert result.verdict is audit.Verdict.VIOLATION


@pytest.mark.parametrize("until", ["bound", "budget"])
def test_first_runs_that_all_fail_in_the_same_way_are_an_error(until: str) -> None:
    with pytest.raises(audit.errors.BlackBoxError, match="ValueError: no .* on every dataset"):
        audited(broken, until=until)


@pytest.mark.parametrize("assume", [(), ("independent-calls",)])
def test_a_small_budget_suffices_for_that_error(assume: tuple[str, ...]) -> None:
    """Failures are no constant output, which would end the bets before twenty runs of each."""

    def fails(data: Any, rng: Generator) -> float:
        raise ValueError("no")

    def answers(data: Any, rng: Generator) -> float:
        return 5.0

    usual: dict[str, Any] = {"epsilon": 1.0, "data": [1, 2, 3], "assume": assume}
    with pytest.raises(audit.errors.BlackBoxError, match="ValueError: no .* on every dataset"):
        audit.run(fails, max_samples=300, **usual)
    few = audit.run(fails, max_samples=60, **usual)
    assert "failed in the same way (ValueError: no)" in few.reason
    assert "one and the same output" in audit.run(answers, max_samples=300, **usual).reason


@pytest.mark.slow
def test_failures_on_one_dataset_alone_are_evidence() -> None:
    assert audited(late).verdict is audit.Verdict.VIOLATION


def test_a_failure_where_a_group_is_empty_is_a_violation_and_no_wrong_input() -> None:
    """All small datasets failed, so that the domain was taken to be wrong."""

    def means(data: Any, rng: Generator) -> list[float]:
        groups = [[r["v"] for r in data if r["g"] == g] for g in "abc"]
        return [sum(group) / len(group) + rng.laplace() for group in groups]

    result = audit.run(
        means,
        epsilon=1.0,
        domain="g=choice:a,b,c,v=float:0:1",
        records="dict",
        assume=("independent-calls",),
        max_samples=20_000,
        until="violation",
    )
    assert result.verdict is audit.Verdict.VIOLATION
    assert result.failure is not None
