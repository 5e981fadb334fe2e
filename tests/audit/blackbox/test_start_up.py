"""First calls are timed: of a function that starts slowly many outputs are asked for at once."""

from __future__ import annotations

from contextlib import nullcontext, suppress
from typing import Any

import pytest
from numpy.random import Generator

import audit
from audit.blackbox import interface
from audit.blackbox.interface import StartUp, starts
from audit.blackbox.python import PythonBlackBox
from audit.sampling import call_units, separate_calls
from audit.verdict.result import AuditResult


class Clock:
    """Moves only where somebody says so; a box that holds one does not change with it."""

    def __init__(self) -> None:
        self.time, self.calls = 100.0, 0

    def __reduce__(self) -> tuple[type[Clock], tuple[()]]:
        return Clock, ()

    def __call__(self) -> float:
        return self.time


def timed(*calls: tuple[int, float]) -> StartUp:
    """After calls for so many outputs that took so long."""
    clock = Clock()
    found = StartUp(now=clock)
    for size, seconds in calls:
        with found.timed() if found.asked_of(size) else nullcontext():
            clock.time += seconds
    return found


@pytest.mark.parametrize(
    ("calls", "slow"),
    [
        ([], False),
        ([(8, 0.3)], False),  # the very first may prepare things once and for all
        ([(8, 0.3), (8, 0.3)], True),
        ([(8, 3.0), (8, 0.001)], False),
        ([(1000, 0.3), (2000, 0.3)], False),  # outputs may take their own time
        ([(1, 0.001)] * 4 + [(1, 0.3)] * 4, False),
        ([(1, 0.3)] * 4 + [(1, 0.001)] * 4, True),  # what was decided stays so
    ],
)
def test_calls_for_few_outputs_tell(calls: list[tuple[int, float]], slow: bool) -> None:
    found = timed(*calls)
    assert found.dominates == slow


def test_a_call_that_fails_takes_its_time_as_well() -> None:
    clock = Clock()
    found = StartUp(now=clock)
    for _ in range(2):
        with suppress(ValueError), found.timed():
            clock.time += 0.3
            raise ValueError
    assert found.dominates


def audited(
    monkeypatch: pytest.MonkeyPatch, seconds: float, scale: float = 0.2
) -> tuple[AuditResult, int]:
    """An audit of a count whose calls take so long, and how many there were."""
    clock = Clock()
    for module in (interface, call_units, separate_calls):
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


@pytest.mark.slow
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


def test_where_every_run_takes_a_call_no_clock_decides() -> None:
    box = PythonBlackBox(lambda data, rng: rng.random())
    box.start_up = timed((1, 0.3), (1, 0.3))
    assert not box.starts
    assert not starts(box)
