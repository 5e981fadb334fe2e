"""How long an audit took and when it ended: in every result, and no part of what it found."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from numpy.random import Generator

import audit
from audit.claims import PureDP
from audit.errors import Interrupted
from audit.progress import Event, StageStarted
from audit.report.restore import restore
from audit.verdict.recorded.run import samples
from audit.verdict.result import AuditResult


def noisy_count(data: Any, rng: Generator, size: int) -> Any:
    return len(data) + rng.laplace(0.0, 1.0, size)


def audited(**more: Any) -> AuditResult:
    return audit.run(noisy_count, epsilon=1.0, data=[1], max_samples=2000, **more)


def said(result: AuditResult, since: datetime) -> None:
    assert result.seconds is not None
    assert 0.0 <= result.seconds <= (datetime.now(UTC) - since).total_seconds() + 1.0
    assert since.replace(microsecond=0) <= datetime.fromisoformat(result.finished)
    assert datetime.fromisoformat(result.finished) <= datetime.now(UTC)


@pytest.mark.slow
def test_a_result_says_how_long_it_took_and_when_it_ended() -> None:
    since = datetime.now(UTC)
    said(audited(), since)


def test_so_does_one_of_recorded_outputs(tmp_path: Path) -> None:
    since = datetime.now(UTC)
    for name in ("D.txt", "D1.txt"):
        (tmp_path / name).write_text("1\n2\n")
    said(samples([tmp_path / "D.txt", tmp_path / "D1.txt"], PureDP(1.0)), since)


def test_so_does_one_of_an_interrupted_audit() -> None:
    def stops(event: Event) -> None:
        if isinstance(event, StageStarted) and event.stage == "bets":
            raise KeyboardInterrupt

    since = datetime.now(UTC)
    with pytest.raises(Interrupted) as interrupt:
        audited(on_event=stops)
    said(interrupt.value.result, since)


@pytest.mark.slow
def test_results_are_equal_whenever_they_were_found() -> None:
    result = audited()
    assert replace(result, seconds=9.0, finished="2026-01-31T12:00:00+00:00") == result
    assert replace(result, seed=9) != result


@pytest.mark.slow
def test_times_come_back_from_the_json_and_may_be_missing() -> None:
    result = audited()
    again = restore(result.to_json())
    assert (again.seconds, again.finished) == (result.seconds, result.finished)
    document = result.to_json()
    del document["seconds"], document["finished"]
    early = restore(document)
    assert (early.seconds, early.finished) == (None, "")
    assert early.to_json() == document
