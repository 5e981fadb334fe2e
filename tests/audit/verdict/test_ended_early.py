"""An audit that was stopped says so; one with too small a budget names the budget."""

from __future__ import annotations

import re
from typing import Any

import pytest
from numpy.random import Generator

import audit
from audit.errors import Interrupted
from audit.progress import Event, Looked, StageStarted
from audit.report.text import render_text
from audit.verdict.result import AuditResult, Verdict


def noisy_count(data: Any, rng: Generator, size: int) -> Any:
    return len(data) + rng.laplace(0.0, 1.0, size)


def words(result: AuditResult) -> str:
    return " ".join(render_text(result).split())


@pytest.mark.slow
def test_an_interrupted_audit_does_not_blame_its_budget() -> None:
    def stops(event: Event) -> None:
        if isinstance(event, StageStarted) and event.stage == "bets":
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as interrupt:
        audit.run(noisy_count, epsilon=1.0, domain="int:0:9", on_event=stops)
    said = words(interrupt.value.result)
    assert interrupt.value.result.verdict is Verdict.INCONCLUSIVE
    assert "before its bets could decide" in said
    assert "let it run to its end, 400,000 runs at most" in said
    assert "cannot refute" not in said
    assert "in 0 units" not in said


def test_a_budget_that_is_too_small_is_named() -> None:
    result = audit.run(noisy_count, epsilon=9.0, data=[1], max_samples=500)
    assert result.verdict is Verdict.INCONCLUSIVE
    said = words(result)
    assert "500 runs cannot refute ε = 9, whatever the mechanism does" in said
    assert "give max_samples=" in said
    assert "before its bets could decide" not in said


@pytest.mark.parametrize(
    ("most", "why"),
    [
        (50, "50 runs cannot refute ε = 1, whatever the mechanism does: even an event"),
        (80, "80 runs cannot refute ε = 1: the search and the pairs of datasets share them"),
    ],
)
@pytest.mark.parametrize("timing", [False, True])
def test_the_budget_is_named_as_it_was_given_not_by_what_was_used(
    most: int, why: str, timing: bool
) -> None:
    result = audit.run(noisy_count, epsilon=1.0, data=[1, 2, 3], max_samples=most, timing=timing)
    assert result.samples < most == result.max_samples
    assert why in words(result)
    assert render_text(result, detail="quiet").endswith(f": {most} runs cannot refute ε = 1\n")


@pytest.mark.lives
def test_the_budget_that_is_advised_decides() -> None:
    """Also if units get several outputs with more runs."""
    few = audit.run(noisy_count, epsilon=1.0, domain="int:0:9", max_samples=5)
    assert f"give max_samples={few.wanted}" in words(few)
    enough = audit.run(noisy_count, epsilon=1.0, domain="int:0:9", max_samples=few.wanted)
    assert enough.verdict is Verdict.NOT_REFUTED


def test_an_interrupted_audit_says_so_in_its_answer() -> None:
    """Once, and not among the notes; one that ran to its end does not."""
    looks = 0

    def stops(event: Event) -> None:
        nonlocal looks
        looks += isinstance(event, Looked)
        if isinstance(event, Looked) and looks > 2:
            raise KeyboardInterrupt

    case: dict[str, Any] = {"epsilon": 0.1, "data": [1], "neighbors": [[]], "max_samples": 60_000}
    with pytest.raises(Interrupted) as interrupt:
        audit.run(noisy_count, **case, on_event=stops)
    found = interrupt.value.result
    assert found.verdict is Verdict.NOT_REFUTED
    assert words(found).count(f"interrupted after {found.samples:,} of at most 60,000 runs") == 1
    assert "interrupted" not in words(audit.run(noisy_count, **case))


def test_an_audit_interrupted_before_its_first_runs_does_not_count_them() -> None:
    def stops(event: Event) -> None:
        if event == StageStarted("bets", 0):
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as interrupt:
        audit.run(noisy_count, epsilon=0.1, data=[1], neighbors=[[]], on_event=stops)
    found = interrupt.value.result
    assert found.samples == 0
    assert "interrupted before the first of at most 400,000 runs" in words(found)


def test_an_interrupted_audit_that_refuted_the_claim_names_the_event_and_its_counts() -> None:
    """As the test saw them: the sample that measures a counterexample was not drawn."""

    def stops(event: Event) -> None:
        if isinstance(event, Looked) and event.refuted:
            raise KeyboardInterrupt

    case: dict[str, Any] = {"epsilon": 0.1, "data": [1] * 9, "neighbors": [[]]}
    with pytest.raises(Interrupted) as interrupt:
        audit.run(noisy_count, relation="declared", **case, on_event=stops)
    found = interrupt.value.result
    assert found.verdict is Verdict.VIOLATION and found.witness is None
    (note,) = (one for one in found.notes if one.startswith("no fresh runs measured"))
    seen = r"the output is .+ in (\S+) of (\S+) runs on (\S+) and in (\S+) on (\S+), where"
    (counted,) = re.findall(f"in earlier runs, {seen} D is ", note)
    more, pairs, less = (int(counted[place].replace(",", "")) for place in (0, 1, 3))
    assert {counted[2], counted[4]} == {"D", "D'"} and less < more <= pairs < found.samples
    assert note.endswith(f"where D is {[1.0] * 9} and D' is []")
    assert words(found).count("in earlier runs, the output is") == 1
