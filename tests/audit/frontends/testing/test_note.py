"""What is remembered of audits, on its way between processes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import audit
from audit.frontends.testing.running import Note, condensed
from audit.verdict.result import AuditResult, Verdict

from .releases import right, wrong

PAIR: dict[str, Any] = {"data": [0.0, 1.0], "neighbors": [[0.0]], "max_samples": 1000}


@pytest.fixture(scope="module")
def quiet() -> AuditResult:
    return audit.run(right, epsilon=1.0, **PAIR)


@pytest.fixture(scope="module")
def violation() -> AuditResult:
    return audit.run(wrong, epsilon=1.0, **PAIR)


@pytest.mark.slow
def test_a_note_survives_the_way(quiet: AuditResult, violation: AuditResult) -> None:
    for result in (quiet, violation):
        note = Note.of("test_a.py::test[ß]", result, True, ["too few"])
        back = Note.from_text(note.to_text())
        assert note.to_text().isascii()
        assert back.result.to_json() == result.to_json()
        assert back.to_text() == note.to_text()
        assert back.warnings == ("too few",)


@pytest.mark.slow
def test_separate_audits_stay_separate(quiet: AuditResult) -> None:
    notes = [Note.of("test", quiet, example=False)] * 3
    assert condensed(notes) == notes


@pytest.mark.slow
def test_examples_are_one_note_with_the_last_of_the_gravest(
    quiet: AuditResult, violation: AuditResult
) -> None:
    lucky = replace(quiet, log_evalue=3.0)
    simplest = replace(violation, log_evalue=violation.log_evalue / 2)
    results = [quiet, lucky, quiet]
    (note,) = condensed(Note.of("test", result, example=True) for result in results)
    assert note.result is lucky
    assert note.audits == 3
    assert note.alpha == pytest.approx(3 * quiet.alpha)
    assert note.samples == sum(result.samples for result in results)
    renamed = [replace(r, mechanism="wrong") for r in (quiet, violation, simplest, quiet)]
    (note,) = condensed(Note.of("test", result, example=True) for result in renamed)
    assert note.result.verdict is Verdict.VIOLATION
    assert note.result.log_evalue == simplest.log_evalue


@pytest.mark.slow
def test_examples_of_two_mechanisms_are_two_notes(
    quiet: AuditResult, violation: AuditResult
) -> None:
    notes = [Note.of("test", result, example=True) for result in (quiet, violation, quiet)]
    assert [note.audits for note in condensed(notes)] == [2, 1]
