"""Audits inside Hypothesis tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st
from numpy.random import Generator
from scipy.stats import binom

from audit.errors import InputError
from audit.frontends.testing.budget import Budget
from audit.frontends.testing.running import running
from audit.testing import AuditFailure, assert_private, audited

from .releases import Released, noisy_sum

PAIR: dict[str, Any] = {"data": [0.0, 1.0], "neighbors": [[0.0]]}


def sum_with(scale: float) -> Callable[[Any, Generator, int], Released]:
    """A mechanism of records in [0, 1] whose epsilon is 1/scale."""
    return lambda data, rng, size: noisy_sum(data, scale, rng, size)


@pytest.mark.slow
def test_the_simplest_failing_parameters_are_found() -> None:
    tried: list[int] = []

    @audited(max_examples=20, database=None)
    @seed(0)
    @given(st.integers(0, 40))
    def audit_of(k: int) -> None:
        tried.append(k)
        scale = 1.0 if k < 17 else 0.25
        assert_private(sum_with(scale), epsilon=1.0, **PAIR, max_samples=1000)

    with pytest.raises(AuditFailure):
        audit_of()
    assert tried[-1] == 17


@pytest.mark.slow
def test_a_right_mechanism_passes_whatever_is_drawn() -> None:
    @audited(max_examples=10, database=None)
    @seed(0)
    @given(st.floats(1.0, 5.0))
    def audit_of(scale: float) -> None:
        assert_private(sum_with(scale), epsilon=1.0, **PAIR, max_samples=1000)

    audit_of()


@pytest.mark.slow
def test_the_search_works_inside_an_example() -> None:
    @audited(max_examples=2, database=None)
    @given(st.just(0.5))
    def audit_of(scale: float) -> None:
        assert_private(sum_with(scale), epsilon=1.0, domain="float:0:1")

    with pytest.raises(AuditFailure):
        audit_of()


@pytest.mark.slow
def test_examples_share_alpha_and_have_a_budget_of_their_own() -> None:
    @audited(max_examples=4, database=None)
    @given(st.booleans())
    def audit_of(own: bool) -> None:
        more: dict[str, Any] = {"max_samples": 1200, "alpha": 0.01} if own else {}
        assert_private(sum_with(2.0), epsilon=1.0, **PAIR, **more)

    with running("test", Budget(max_samples=9000, max_samples_per_example=600)) as test:
        audit_of()
    assert {(note.example, note.result.alpha) for note in test.notes} == {
        (True, Budget().alpha / 4),
        (True, 0.01 / 4),
    }
    assert all(
        note.samples <= (1200 if note.result.alpha == 0.01 / 4 else 600) for note in test.notes
    )
    assert sum(note.alpha for note in test.notes if note.result.alpha < 1e-4) <= Budget().alpha


@pytest.mark.slow
def test_tests_of_many_examples_keep_their_level() -> None:
    """Mechanisms at the edge of their claim: error budget 1e-9."""
    tests, alpha = 8, 0.05

    def fails(number: int) -> bool:
        @audited(max_examples=6, database=None)
        @seed(number)
        @given(st.floats(0.0, 50.0))
        def audit_of(start: float) -> None:
            pair: dict[str, Any] = {"data": [start, 1.0], "neighbors": [[start]]}
            assert_private(sum_with(1.0), epsilon=1.0, **pair, max_samples=400, seed=number)

        with running("test", Budget(alpha=alpha)):
            try:
                audit_of()
            except AuditFailure:
                return True
        return False

    assert sum(map(fails, range(tests))) <= binom.isf(1e-9, tests, alpha)


@pytest.mark.parametrize(
    ("calm", "complaint"),
    [
        (settings(deadline=200), "deadline of 0:00:00.2"),
        (settings(deadline=None), "uses Hypothesis inside this test"),
    ],
    ids=["deadline", "nested"],
)
def test_settings_that_would_make_audits_flaky_are_refused(calm: settings, complaint: str) -> None:
    @settings(calm, database=None)
    @given(st.just(1.0))
    def audit_of(scale: float) -> None:
        assert_private(sum_with(scale), epsilon=1.0, **PAIR, max_samples=300)

    with pytest.raises(InputError, match=complaint) as error:
        audit_of()
    assert "@audited()" in str(error.value)


def test_other_settings_are_passed_on() -> None:
    found = audited(7, derandomize=True)
    assert (found.max_examples, found.derandomize, found.deadline) == (7, True, None)
