"""An audit that has little time says what it found by then, and that time ended it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

import audit
from audit.errors import InputError
from audit.sampling.independence.instances import Instances
from audit.sampling.independence.life import Life
from audit.verdict.findings import Cause
from audit.verdict.result import AuditResult

PACE = 0.3
"""Seconds that a call takes on the clock of these tests, which only calls move."""


@dataclass(slots=True)
class Clock:
    time: float = 1000.0

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    for module in (
        "engine.progress",
        "engine.steps",
        "betting.bettor",
        "sampling.unit_sources",
        "sampling.separate_calls",
    ):
        monkeypatch.setattr(f"audit.{module}.perf_counter", made)
    return made


@dataclass(slots=True)
class Slow:
    """A Laplace count each call for which takes a while.

    Attributes:
        clock: moves with every call.
        scale: of the noise.
        many: whether a call gives many outputs.
        common: part of the noise that all outputs of a call have in common.
    """

    clock: Clock
    scale: float
    many: bool
    common: float = 0.0
    name: str = "slow"
    seeded: bool = False
    starts: bool = True
    takes_seed: bool = True

    def bind(self, data: Any) -> Bound:
        return Bound(self, len(data))


@dataclass(slots=True)
class Bound:
    box: Slow
    records: int

    def draw(self, rng: Generator, size: int) -> Any:
        self.box.clock.time += PACE
        shared = rng.random() < self.box.common
        noise = np.full(size, rng.laplace()) if shared else rng.laplace(size=size)
        outputs = self.records + self.box.scale * noise
        return outputs if self.box.many else float(outputs[0])


def hurried(box: Slow, seconds: float | None, **more: Any) -> tuple[AuditResult, float]:
    """The result, and the time it took on the clock."""
    began = box.clock.time
    chosen = {"max_samples": 20_000, "data": [1.0, 2.0, 3.0], **more}
    return audit.run(box, epsilon=1.0, max_seconds=seconds, **chosen), box.clock.time - began


def told(result: AuditResult) -> bool:
    return result.time_limit is not None


@pytest.mark.slow
@pytest.mark.parametrize("many", [False, True])
@pytest.mark.parametrize(("scale", "verdict"), [(0.2, "violation"), (1.0, "not-refuted")])
def test_with_some_time_there_is_an_answer_in_time(
    clock: Clock, many: bool, scale: float, verdict: str
) -> None:
    result, took = hurried(Slow(clock, scale, many), 400.0)
    assert result.verdict == verdict
    # The time that calls will take is foreseen from those before.
    assert took <= 400.0 + 8 * PACE
    assert told(result)
    assert result.samples == sum(result.effort.values()) < 20_000
    assert result.epsilon_lower <= 1 / scale


@pytest.mark.parametrize("many", [False, True])
@pytest.mark.parametrize("seconds", [2.0, 20.0, 45.0])
def test_little_time_is_no_reason_to_state_more(clock: Clock, many: bool, seconds: float) -> None:
    """The first batch of every pair is always drawn; what it shows is stated at level alpha."""
    result, took = hurried(Slow(clock, 0.2, many), seconds)
    assert took <= seconds + 64 * PACE
    assert told(result)
    assert result.epsilon_lower <= 5.0
    if result.verdict != "violation":
        assert result.epsilon_lower < 1.0


def test_tables_that_time_ended_are_not_said_to_lack_runs(clock: Clock) -> None:
    result, _ = hurried(Slow(clock, 1.0, many=True), 2.0)
    assert not result.pairs
    assert result.time_limit is not None
    assert "tables" in result.time_limit.parts
    assert not any(note.startswith("no tables were drawn") for note in result.notes)


@pytest.mark.parametrize("seconds", [30.0, 60.0, 120.0, 400.0])
def test_want_of_time_accuses_nobody_whose_calls_share_noise(clock: Clock, seconds: float) -> None:
    """Exactly private at the claim; a factor for each output would reject what calls share."""
    result, _ = hurried(Slow(clock, 1.0, True, common=0.5), seconds)
    assert result.verdict != "violation"
    assert result.epsilon_lower <= 1.0


def noisy_count(data: Any, rng: Generator) -> float:
    return float(len(data) + rng.laplace())


@pytest.mark.lives
def test_fresh_instances_on_both_datasets_end_in_time_too(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bets take one instance a unit, the pairs that are drawn after them two."""
    _slow_down_instances(clock, monkeypatch)
    began = clock.time
    pair: dict[str, Any] = {"data": [1.0], "neighbors": [[]]}
    result = audit.run(noisy_count, epsilon=1.0, max_seconds=200.0, **pair)
    assert result.effort["witness"] > 0 and told(result)
    assert clock.time - began <= 200.0 + 8 * PACE


@pytest.mark.lives
@pytest.mark.parametrize("seconds", [120.0, 200.0])
def test_a_counterexample_leaves_time_for_its_cause(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    """The cause is read from calls of one instance, which cost less than instances do."""
    _slow_down_instances(clock, monkeypatch)
    pair: dict[str, Any] = {"data": [1.0], "neighbors": [[]]}
    result = audit.run(
        lambda data, rng: float(len(data) + rng.laplace(0.0, 0.2)), 1.0, max_seconds=seconds, **pair
    )
    assert result.witness is not None and told(result)
    assert result.diagnosis is not None
    assert result.diagnosis.cause == Cause.NOISE_TOO_SMALL


def _slow_down_instances(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    def slowed(self: Instances, lives: Sequence[Life], of_a_unit: int = 1) -> Any:
        clock.time += PACE * len(lives)
        return answered(self, lives, of_a_unit)

    answered = Instances.answered
    monkeypatch.setattr(Instances, "answered", slowed)


@pytest.mark.slow
def test_a_search_ends_in_time_too(clock: Clock) -> None:
    result, took = hurried(Slow(clock, 1.0, False), 200.0, data=None, domain="float:0:1")
    assert took <= 200.0
    assert 0 < result.effort["search"] * PACE <= 0.2 * 200.0 + 20 * PACE
    assert result.effort["bets"] > 0


@pytest.mark.slow
def test_without_a_time_or_with_enough_of_it_the_clock_is_no_matter(clock: Clock) -> None:
    alone, _ = hurried(Slow(clock, 0.2, False), None)
    ample, _ = hurried(Slow(clock, 0.2, False), 1e8)
    assert not told(alone) and not told(ample)
    assert alone.epsilon_lower == ample.epsilon_lower
    # Under a limit one unit shows the costs, by which the pilot is chosen.
    assert 2 <= ample.samples - alone.samples <= 16


def slow(data: Any, rng: Generator) -> float:
    return float(len(data) + rng.laplace())


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"max_seconds": 0}, "max_seconds 0 is not a number of seconds above 0"),
        ({"max_seconds": float("nan")}, "max_seconds nan is not a number of seconds above 0"),
        ({"max_seconds": 5, "store": "x.store"}, "`max_seconds` and `store` exclude each other"),
        ({"max_seconds": 5, "timing": True}, "`max_seconds` and `timing` exclude each other"),
    ],
)
def test_what_is_no_time_is_refused(
    arguments: dict[str, Any], problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run: Callable[..., AuditResult] = audit.run
    with pytest.raises(InputError, match=problem):
        run(slow, epsilon=1.0, data=[1.0], **arguments)
    assert not list(tmp_path.iterdir())
