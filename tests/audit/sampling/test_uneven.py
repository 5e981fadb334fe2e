"""Shares that are too uneven to be chance."""

from __future__ import annotations

import pytest

from audit.sampling.sampler import chance_of


def test_an_even_share_is_likely_and_an_uneven_one_is_not() -> None:
    assert chance_of([50, 50], [10, 10]) == 1.0
    assert chance_of([50, 50], [0, 0]) == 1.0
    # Of 20 of 100 all among the first 50: C(50, 20) / C(100, 20), in both directions.
    assert chance_of([50, 50], [20, 0]) == pytest.approx(2 * 8.8e-8, rel=0.01)
