"""Axes: scales put values in their order, and ticks are round and inside."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.report.index import EdgedScale
from audit.report.svg import Axes, Linear, Logarithmic, Scale

VALUES = [0.0, 0.01, 0.5, 3.0, 700.0, math.inf]
SCALES: list[Scale] = [
    Linear(0.0, 700.0),
    Logarithmic(0.01, 700.0),
    EdgedScale.over(VALUES, "none"),
]


@pytest.mark.parametrize("scale", SCALES)
def test_values_lie_in_their_order_and_within_the_scale(scale: Scale) -> None:
    shares = [scale.share(value) for value in VALUES]
    assert shares == sorted(shares)
    assert all(0.0 <= share <= 1.0 for share in shares)
    assert len({scale.share(value) for value in VALUES[1:-1]}) == 4


def test_an_edged_scale_has_a_place_for_nothing_and_for_infinity() -> None:
    edged = EdgedScale.over(VALUES, "none")
    assert len({edged.share(value) for value in VALUES}) == len(VALUES)
    assert [words for _, words in edged.ticks()][:: len(list(edged.ticks())) - 1] == ["none", "∞"]
    plain = [words for _, words in EdgedScale.over([0.5, 3.0], "none").ticks()]
    assert "none" not in plain and "∞" not in plain


@given(st.floats(1e-6, 1e6), st.floats(1.05, 1e6))
def test_ticks_are_inside_and_few(low: float, factor: float) -> None:
    for scale in (Linear(0.0, low), Linear(low, low * factor), Logarithmic(low, low * factor)):
        ticks = [value for value, _ in scale.ticks()]
        assert ticks == sorted(ticks)
        assert len(ticks) <= 14
        assert all(low / 1.01 <= t <= low * factor * 1.01 for t in ticks) or scale.low == 0.0


@pytest.mark.parametrize(("top", "ticks"), [(3.57, [0, 1, 2, 3]), (0.012, [0, 0.005, 0.01])])
def test_ticks_are_round(top: float, ticks: list[float]) -> None:
    assert [value for value, _ in Linear(0.0, top).ticks()] == pytest.approx(ticks)
    assert [words for _, words in Logarithmic(0.9, 12.0).ticks()] == ["1", "2", "5", "10"]
    assert [words for _, words in Logarithmic(1e-6, 1.0).ticks()][:2] == ["1e-06", "1e-05"]


def test_a_scale_whose_half_is_just_below_a_power_of_ten_has_ticks() -> None:
    assert [words for _, words in Linear(0.04, 0.06).ticks()] == ["0.04", "0.05", "0.06"]


def test_a_point_lies_where_both_scales_put_it() -> None:
    axes = Axes(Linear(0.0, 10.0), Logarithmic(1.0, 100.0), top=20.0, bottom=120.0)
    assert axes.place(0.0, 1.0) == (axes.left, 120.0)
    assert axes.place(10.0, 100.0) == (axes.right, 20.0)
    assert axes.place(5.0, 10.0) == ((axes.left + axes.right) / 2.0, 70.0)
    assert axes.place(99.0, 1e9) == (axes.right, 20.0)
