"""What an audit tells while it runs."""

from __future__ import annotations

import time
from typing import Any

import pytest
from numpy.random import Generator

import audit
from audit.errors import BlackBoxError, Interrupted
from audit.progress import Event, Finished, Looked, StageStarted, Warned


def noisy_count(data: Any, rng: Generator, size: int) -> Any:
    return len(data) + rng.laplace(0.0, 1.0, size)


def heard(function: Any = noisy_count, **more: Any) -> tuple[list[Event], audit.AuditResult]:
    events: list[Event] = []
    given: dict[str, Any] = {"epsilon": 1.0, "max_samples": 20_000, "on_event": events.append}
    return events, audit.run(function, **given | more)


@pytest.mark.slow
def test_stages_come_in_order_and_the_end_is_the_result() -> None:
    events, result = heard(domain="int:0:9", epsilon=0.5)
    stages = [event.stage for event in events if isinstance(event, StageStarted)]
    assert list(dict.fromkeys(stages)) == ["search", "bets", "check", "witness", "tables"]
    assert events[-1] == Finished("violation", result.samples, result.log_evalue)
    assert sum(isinstance(event, Finished) for event in events) == 1
    assert not any(isinstance(event, Warned) for event in events)


@pytest.mark.slow
def test_runs_never_become_fewer_and_looks_belong_to_the_stage_that_began() -> None:
    events, result = heard(data=[1], neighbors=[[]])
    counted = [event for event in events if not isinstance(event, Warned)]
    samples = [event.samples for event in counted]
    assert samples == sorted(samples)
    assert samples[-1] == result.samples
    stage = ""
    for event in counted:
        stage = event.stage if isinstance(event, StageStarted) else stage
        assert not isinstance(event, Looked) or event.stage == stage
    looks = [e.log_wealth for e in counted if isinstance(e, Looked) and e.stage == "bets"]
    assert looks == sorted(looks)
    assert len(looks) > 5


def test_a_hopeless_budget_is_warned_of_first() -> None:
    events, _ = heard(data=[1], neighbors=[[]], epsilon=9.0, max_samples=500)
    assert isinstance(events[0], Warned)
    assert "500 runs cannot refute ε = 9" in events[0].sentence


def test_an_interrupted_audit_finishes_with_what_it_has() -> None:
    events: list[Event] = []

    def stops(event: Event) -> None:
        events.append(event)
        if isinstance(event, Looked):
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as interrupt:
        audit.run(noisy_count, epsilon=1.0, data=[1], neighbors=[[]], on_event=stops)
    result = interrupt.value.result
    assert events[-1] == Finished(result.verdict, result.samples, result.log_evalue)


def test_an_error_ends_it_without_a_result() -> None:
    events: list[Event] = []

    def fails(data: Any) -> Any:
        raise ValueError(data)

    with pytest.raises(BlackBoxError):
        audit.run(fails, epsilon=1.0, data=[1], neighbors=[[]], on_event=events.append)
    assert not any(isinstance(event, Finished) for event in events)


@pytest.mark.slow
def test_what_is_found_does_not_depend_on_who_listens() -> None:
    _, loud = heard(data=[1], neighbors=[[]])
    silent = audit.run(noisy_count, epsilon=1.0, data=[1], neighbors=[[]], max_samples=20_000)
    assert silent == loud


def test_outputs_that_never_vary_are_warned_of_before_a_long_audit() -> None:
    def returns_nothing(data: Any) -> None:
        time.sleep(0.002)

    def stops(event: Event) -> None:
        if isinstance(event, Warned) and "one and the same output (None)" in event.sentence:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as interrupt:
        audit.run(returns_nothing, epsilon=1.0, data=[1], neighbors=[[]], on_event=stops)
    assert interrupt.value.result.samples < 1_000
