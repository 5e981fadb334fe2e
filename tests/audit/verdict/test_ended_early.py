"""An audit that was stopped says so; one with too small a budget names the budget."""

from __future__ import annotations

from typing import Any

import pytest
from numpy.random import Generator

import audit
from audit.errors import Interrupted
from audit.progress import Event, StageStarted
from audit.report.text import render_text
from audit.verdict.result import AuditResult, Verdict


def noisy_count(data: Any, rng: Generator, size: int) -> Any:
    return len(data) + rng.laplace(0.0, 1.0, size)


def words(result: AuditResult) -> str:
    assert result.verdict is Verdict.INCONCLUSIVE
    return " ".join(render_text(result).split())


@pytest.mark.slow
def test_an_interrupted_audit_does_not_blame_its_budget() -> None:
    def stops(event: Event) -> None:
        if isinstance(event, StageStarted) and event.stage == "bets":
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as interrupt:
        audit.run(noisy_count, epsilon=1.0, domain="int:0:9", on_event=stops)
    said = words(interrupt.value.result)
    assert "before its bets could decide" in said
    assert "let it run to its end, 400,000 runs at most" in said
    assert "cannot refute" not in said
    assert "in 0 units" not in said


def test_a_budget_that_is_too_small_is_named() -> None:
    said = words(audit.run(noisy_count, epsilon=9.0, data=[1], max_samples=500))
    assert "runs cannot refute ε = 9, whatever the mechanism does" in said
    assert "give max_samples=" in said
    assert "before its bets could decide" not in said
