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
    assert "a loss of ε ≥ 1.04 would have been refuted with probability 0.9" in shown
    assert "not a proof that the claim holds" in shown
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
    assert "is 0.865 on D1 and 0 on D, where the claim allows at most 1e-05 on D1" in " ".join(
        render_text(exception_violation()).split()
    )


@pytest.mark.parametrize("verdict", [Verdict.VIOLATION, Verdict.NOT_REFUTED])
def test_the_null_self_check_accuses_the_draws_not_the_claim(verdict: Verdict) -> None:
    shown = " ".join(
        render_text(dataclasses.replace(violation(), verdict=verdict, null=True)).split()
    )
    assert "breaks" not in shown.split("Witness")[0]
    assert "itself" in shown


def test_a_verdict_from_recorded_samples_names_what_it_rests_on() -> None:
    shown = render_text(dataclasses.replace(violation(), log_evalue=0.0, witness=None))
    assert "rests on the simultaneous exact intervals" in " ".join(shown.split())


@given(HOSTILE)
def test_hostile_words_neither_steer_the_terminal_nor_break_lines(text: str) -> None:
    changed = dataclasses.replace(leak(), mechanism=f"m{text}", notes=(f"n{text}",), command=text)
    assert render_text(changed).replace("\n", "").isprintable()
