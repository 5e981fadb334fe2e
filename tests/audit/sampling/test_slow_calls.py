"""A function whose calls take long is called seldom, for many outputs each."""

from __future__ import annotations

from typing import Any

import pytest
from numpy.random import Generator

import audit
from audit.sampling import separate_calls, unit_sources
from audit.verdict.result import AuditResult


class Clock:
    """Moves only where somebody says so; a box that holds one does not change with it."""

    def __init__(self) -> None:
        self.time, self.calls = 100.0, 0

    def __reduce__(self) -> tuple[type[Clock], tuple[()]]:
        return Clock, ()

    def __call__(self) -> float:
        return self.time


def audited(
    monkeypatch: pytest.MonkeyPatch, seconds: float, scale: float = 0.2
) -> tuple[AuditResult, int]:
    """An audit of a count whose calls take so long, and how many there were."""
    clock = Clock()
    for module in (unit_sources, separate_calls):
        monkeypatch.setattr(module, "perf_counter", clock)

    def count(data: Any, rng: Generator, size: int) -> Any:
        clock.time += seconds
        clock.calls += 1
        return len(data) + rng.laplace(0.0, scale, size)

    result = audit.run(count, epsilon=1.0, data=[1, 2, 3], max_samples=30_000)
    return result, clock.calls


def test_few_calls_are_made_where_they_start_slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    result, calls = audited(monkeypatch, 0.3)
    assert result.verdict == "violation"
    assert calls < 4_500
    assert calls < result.samples / 2
    assert 2.0 <= result.epsilon_lower <= 5.0


def test_others_are_called_as_often_as_is_good_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    result, calls = audited(monkeypatch, 0.0001)
    assert result.verdict == "violation"
    assert calls > 0.9 * result.samples


@pytest.mark.slow
def test_right_noise_keeps_its_claim(monkeypatch: pytest.MonkeyPatch) -> None:
    result, calls = audited(monkeypatch, 0.3, scale=1.0)
    assert result.verdict == "not-refuted"
    assert result.epsilon_lower <= 1.0
    assert calls < 0.68 * result.samples
