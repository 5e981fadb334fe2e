"""The preliminary sample is part of the budget."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from numpy.random import Generator

import audit

pytestmark = pytest.mark.lives


def loud(data: Any, rng: Generator, size: int) -> Any:
    return len(data) + rng.laplace(0.0, 0.05, size)


def coin(data: Any, rng: Generator) -> bool:
    return bool(rng.random() < (0.95 if data else 0.05))


def counted(data: Any, rng: Generator) -> float:
    """A byte for each call in a log, which nobody reads back."""
    with open(os.environ["COUNTED_CALLS"], "ab") as log:
        log.write(b".")
    return len(data) + rng.laplace()


def test_every_call_is_counted_those_of_trial_instances_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "calls"
    monkeypatch.setenv("COUNTED_CALLS", str(log))
    result = audit.run(counted, epsilon=1.0, data=[], neighbors=[[1]], max_samples=300)
    assert result.units is not None
    assert result.units.kind == "life"
    assert result.samples == sum(result.effort.values()) == log.stat().st_size


@pytest.mark.slow
@pytest.mark.parametrize("release", [loud, coin])
@pytest.mark.parametrize("budget", [300, 1200])
def test_no_audit_by_lives_exceeds_its_runs(release: Any, budget: int) -> None:
    result = audit.run(
        release, epsilon=1.0, data=[], neighbors=[[1]], max_samples=budget, alpha=0.05
    )
    assert result.verdict == "violation"
    assert 0 < result.effort["check"] <= budget // 3
    assert result.samples <= budget


def laplace(scale: float) -> Any:
    def release(data: Any, rng: Generator, size: int) -> Any:
        return len(data) + rng.laplace(0.0, scale, size)

    return release


@pytest.mark.slow
@pytest.mark.parametrize(("scale", "verdict"), [(0.5, "violation"), (1.0, "not-refuted")])
def test_few_runs_are_spent_on_many_instances(scale: float, verdict: str) -> None:
    """A large n is quick but wastes runs: with n = 8 half the noise needs more than 2,000."""
    result = audit.run(laplace(scale), epsilon=1.0, data=[], neighbors=[[1]], max_samples=1000)
    assert result.verdict == verdict
