"""Mechanisms whose outputs hold the time at which they were made."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from numpy.random import Generator

import audit
from audit.verdict.result import AuditResult, Verdict

Made = Callable[[float], Any]


def in_json(noisy: float) -> str:
    return json.dumps({"ts": int(time.time()), "n": round(noisy, 1)})


def in_a_line(noisy: float) -> str:
    return f"{datetime.now().isoformat()} INFO count={noisy:.3f}"


def in_nanoseconds(noisy: float) -> dict[str, Any]:
    return {"n": noisy, "ns": time.time_ns()}


def with_an_address(noisy: float) -> str:
    return f"{object()} count={noisy:.2f}"


MADE = [in_json, in_a_line, in_nanoseconds, with_an_address]


def audited(made: Made, scale: float, workers: int = 1, **more: Any) -> AuditResult:
    def release(data: Any, rng: Generator) -> Any:
        return made(len(data) + rng.laplace(0.0, scale))

    given: dict[str, Any] = {"data": [1, 2], "neighbors": [[1]], "epsilon": 1.0, "alpha": 0.05}
    return audit.run(release, workers=workers, **given | {"max_samples": 6000} | more)


@pytest.mark.slow
@pytest.mark.parametrize("made", MADE)
def test_right_ones_are_not_refuted_and_wrong_ones_are(made: Made) -> None:
    right, wrong = audited(made, 1.0), audited(made, 0.25)
    assert right.verdict is Verdict.NOT_REFUTED
    assert wrong.verdict is Verdict.VIOLATION
    for result in (right, wrong):
        assert any("the time at which they were made" in note for note in result.notes)


@pytest.mark.slow
def test_they_are_repeatable() -> None:
    told = [audited(in_a_line, 0.25, workers).to_json() for workers in (1, 1, 3)]
    first, *others = ({key: value for key, value in t.items() if key not in LATER} for t in told)
    assert all(other == first for other in others)


@pytest.mark.slow
def test_a_store_tells_it_again(tmp_path: Path) -> None:
    def release(data: Any, rng: Generator) -> str:
        return in_a_line(len(data) + rng.laplace())

    store = tmp_path / "runs.sqlite"
    given: dict[str, Any] = {"data": [1, 2], "neighbors": [[1]], "epsilon": 1.0}
    first, again = (audit.run(release, store=store, max_samples=600, **given) for _ in range(2))
    assert again.to_json()["notes"] == first.to_json()["notes"]
    assert any("the time at which they were made" in note for note in again.notes)


LATER = ("seconds", "finished", "notes")


@pytest.mark.slow
def test_a_time_that_the_data_hold_is_read() -> None:
    times = [1.7e9 + 7.0 * place for place in range(3)]

    def latest(data: Any, rng: Generator) -> dict[str, Any]:
        return {"latest": max(data), "made": time.time(), "n": len(data) + rng.laplace()}

    found = audit.run(latest, data=times, neighbors=[times[:2]], epsilon=1.0, max_samples=6000)
    assert found.verdict is Verdict.VIOLATION
    assert found.witness is not None
    assert "latest" in str(found.witness.event.description)


@pytest.mark.slow
def test_a_number_in_hexadecimal_is_no_address() -> None:
    def placed(data: Any, rng: Generator) -> str:
        return f"{rng.random():.2f} rows end at 0x{len(data):x}"

    found = audit.run(placed, data=[1, 2], neighbors=[[1]], epsilon=1.0, max_samples=2000)
    assert found.verdict is Verdict.VIOLATION


@pytest.mark.slow
def test_outputs_without_it_have_no_such_note() -> None:
    found = audited(float, 1.0)
    assert found.verdict is Verdict.NOT_REFUTED
    assert not any("time at which" in note for note in found.notes)
