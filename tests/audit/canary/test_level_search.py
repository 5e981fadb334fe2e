"""Bounds end where refutation does, and never beyond."""

from __future__ import annotations

import pytest

from audit.canary.guesses import largest_refuted


@pytest.mark.parametrize("truth", [0.0004, 0.3, 0.9995, 2.71, 11.0])
def test_bounds_are_close(truth: float) -> None:
    found = largest_refuted(lambda low, high: high <= truth, 0.0, 1.0, 30.0)
    assert truth - 1e-3 <= found <= truth


def test_a_gap_ends_the_search() -> None:
    found = largest_refuted(lambda low, high: not (low <= 1.2 <= high), 0.0, 5.0, 30.0)
    assert 1.199 <= found < 1.2


def test_wide_intervals_may_be_harder() -> None:
    found = largest_refuted(lambda low, high: high <= 2.0 and high - low < 0.1, 0.0, 5.0, 30.0)
    assert found == pytest.approx(2.0, abs=1e-3)


def test_the_claim_is_met_exactly() -> None:
    met = 1.2345678
    assert largest_refuted(lambda low, high: high <= met, 0.0, met, 30.0) == met


def test_nothing_and_all() -> None:
    assert largest_refuted(lambda low, high: False, 0.5, 1.0, 30.0) == 0.0
    assert largest_refuted(lambda low, high: True, 0.5, 1.0, 30.0) == 30.0
