"""Noise whose seed comes from a clock that nobody sees, and no noise at all, within one second."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import audit
from audit.blackbox.clock_reading import ClockReading
from audit.outcomes.encoding import encode
from audit.sampling.deadline import Deadline
from audit.sampling.repetition import Answer, in_stretches
from audit.verdict import later_answers
from audit.verdict.later_answers import LaterAnswers
from audit.verdict.result import AuditResult


def audited(box: Callable[..., Any], **more: Any) -> AuditResult:
    settings: dict[str, Any] = {"data": [1, 0, 1], "neighbors": [[1, 0]], "epsilon": 1.0, "seed": 0}
    return audit.run(box, **settings, max_samples=4_000, **more)


def noised(data: Any, moment: float) -> float:
    """Exactly private at the claim, were its seed another one in every call."""
    return float(np.sum(data)) + float(np.random.default_rng(int(moment)).laplace())


def by_numpy(data: Any) -> float:
    return noised(data, np.datetime64("now").astype(int))


def by_pandas(data: Any) -> float:
    return noised(data, pd.Timestamp.now().timestamp())


def by_monotonic(data: Any) -> float:
    return noised(data, time.monotonic())


def by_work(data: Any) -> float:
    return noised(data, time.process_time())


def without_noise(data: Any) -> float:
    return float(np.sum(data))


@pytest.fixture
def early() -> None:
    """Audits within one second of the clock, and with the process to compare with at hand."""
    audited(without_noise)
    time.sleep(1.02 - time.time() % 1.0)


@pytest.fixture
def waited(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """For how many seconds audits would have waited; nobody has to."""
    seconds: list[float] = []
    monkeypatch.setattr(ClockReading, "wait", lambda clock, time: seconds.append(time))
    return seconds


@pytest.mark.usefixtures("early")
@pytest.mark.parametrize("box", [by_numpy, by_pandas, by_monotonic, by_work])
def test_a_clock_that_is_not_seen_is_no_reason_to_accuse(box: Callable[..., Any]) -> None:
    assert audited(box).verdict == "inconclusive"


@pytest.mark.usefixtures("early")
@pytest.mark.parametrize("place", [0.94, 0.97, 0.99])
def test_nor_is_one_that_ticks_while_bets_are_made(place: float) -> None:
    time.sleep(place - time.time() % 1.0)
    assert audited(by_numpy).verdict == "inconclusive"


@pytest.mark.usefixtures("early")
def test_it_is_said_that_the_seed_comes_from_a_clock() -> None:
    assert "takes the seed of its noise from a clock" in audited(by_numpy).reason


@pytest.mark.usefixtures("early")
def test_no_noise_is_a_violation_a_second_later(waited: list[float]) -> None:
    assert audited(without_noise).verdict == "violation"
    assert sum(waited) <= 1.05


@pytest.mark.usefixtures("early")
def test_where_there_is_no_time_to_wait_more_is_asked_for() -> None:
    result = audited(without_noise, max_seconds=0.9)
    assert result.verdict == "inconclusive"
    assert "give more --max-seconds" in result.reason
    assert audited(without_noise, max_seconds=3.0).verdict == "violation"


@pytest.mark.parametrize(("ago", "waits"), [(0.0, 1.05), (0.9, 0.15), (5.0, 0.0)])
def test_no_longer_is_waited_than_another_second_takes(
    ago: float, waits: float, waited: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(later_answers, "perf_counter", lambda: 100.0)
    outcomes, clock = encode([1.0], 1), ClockReading()
    given = (in_stretches(encode([1.0] * 9, 9)), frozenset[Answer]())
    later = LaterAnswers(given, 100.0 - ago, lambda side: outcomes, clock, Deadline())
    assert later.same(2)
    assert waited == pytest.approx([waits, 1.05])
