"""The terminal's answer: its words, its width, and what it must never claim."""

from __future__ import annotations

import dataclasses
import re

import pytest
from hypothesis import given
from syrupy.assertion import SnapshotAssertion

from audit.report.text import WIDTH, render_text
from audit.result import AuditResult, Verdict

from .sample_results import (
    all_samples,
    exception_violation,
    inconclusive,
    leak,
    not_refuted,
    violation,
)
from .test_escape import HOSTILE

SAMPLES = sorted(all_samples())


@pytest.mark.parametrize("name", SAMPLES)
def test_the_whole_answer(name: str, snapshot: SnapshotAssertion) -> None:
    assert render_text(all_samples()[name]) == snapshot


@pytest.mark.parametrize("name", SAMPLES)
def test_no_line_is_wider_than_a_terminal(name: str) -> None:
    lines = render_text(all_samples()[name]).splitlines()
    assert max(map(len, lines)) <= WIDTH


@pytest.mark.parametrize(
    ("result", "word"),
    [
        (violation(), "VIOLATION"),
        (exception_violation(), "VIOLATION"),
        (not_refuted(), "NOT REFUTED"),
        (leak(), "NOT REFUTED"),
        (inconclusive(), "INCONCLUSIVE"),
    ],
)
def test_the_first_words_are_the_verdict(result: AuditResult, word: str) -> None:
    assert render_text(result).startswith(f"{word}: ")


@pytest.mark.parametrize("name", SAMPLES)
def test_nothing_is_called_private_safe_or_verified(name: str) -> None:
    result = all_samples()[name]
    shown = f"{render_text(result)} {result.to_markdown()}".lower()
    assert not re.search(r"is private|\bsafe\b|verified|satisf|guaranteed private|passed", shown)


def test_not_refuted_says_what_would_have_been_seen() -> None:
    shown = " ".join(render_text(not_refuted()).split())
    assert "been 2.86 times (e^1.05) as likely on one side as on the other" in shown
    assert "not a proof that it holds" in shown
    assert "3 pairs built from D" in shown


def test_inconclusive_says_what_it_would_take() -> None:
    assert "--max-samples 304300" in render_text(inconclusive())


def test_inconclusive_without_usable_output_gives_the_reason() -> None:
    result = dataclasses.replace(inconclusive(), reason="every run timed out after 10 seconds")
    shown = " ".join(render_text(result).split())
    assert "has no answer: every run timed out after 10 seconds." in shown
    assert "more runs alone do not help" in shown


def test_wealth_from_dependent_runs_is_not_called_evidence() -> None:
    result = dataclasses.replace(inconclusive(), log_evalue=50.0, reason="its runs share noise")
    shown = " ".join(render_text(result).split())
    assert "does not count here: its runs share noise" in shown
    assert "had the claim held" not in shown


def test_bounds_of_other_kinds_name_their_delta() -> None:
    assert "ρ ≥ 0.41 and ε ≥ 1.31 at δ = 0, each at 99.9% confidence" in render_text(leak())
    assert "ε ≥ ∞ at δ = 1e-05" in render_text(exception_violation())


def test_a_witness_found_in_the_other_direction_names_its_sides() -> None:
    shown = " ".join(render_text(exception_violation()).split())
    assert "in 86.5% of 2,000 fresh runs on D1 and in none of 2,000 on D:" in shown


def test_a_verdict_from_recorded_samples_names_what_it_rests_on() -> None:
    shown = render_text(dataclasses.replace(violation(), log_evalue=0.0, recorded=True))
    assert "the verdict rests on simultaneous exact intervals" in " ".join(shown.split())
    quiet = dataclasses.replace(not_refuted(), log_evalue=0.0, recorded=True)
    assert "none of the simultaneous exact intervals" in " ".join(render_text(quiet).split())


def test_what_falls_short_of_refuting_does_not_look_as_if_it_did_not() -> None:
    short = dataclasses.replace(not_refuted(), log_evalue=6.9077)
    assert "log e-value 6.9, where refuting takes ln(1/α) = 6.91" in render_text(short)


def test_weak_evidence_is_no_word_about_a_violation() -> None:
    quiet = dataclasses.replace(not_refuted(), verdict=Verdict.VIOLATION)
    assert "weak evidence" not in render_text(quiet)
    assert "weak evidence" in render_text(not_refuted())


@given(HOSTILE)
def test_hostile_words_neither_steer_the_terminal_nor_break_lines(text: str) -> None:
    changed = dataclasses.replace(leak(), mechanism=f"m{text}", notes=(f"n{text}",), command=text)
    assert render_text(changed).replace("\n", "").isprintable()
