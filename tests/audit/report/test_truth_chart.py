"""Lower bounds against truths: every audit has a mark at its place."""

from __future__ import annotations

import math

import pytest

from audit.report.benchmark import benchmark_chart
from audit.report.index import Point, truth_chart
from audit.verdict.result import Verdict

from .html.markup import drawn

POINTS = [
    Point(1.0, 0.97, Verdict.NOT_REFUTED),
    Point(2.0, 1.9, Verdict.VIOLATION),
    Point(math.inf, 5.1, Verdict.VIOLATION),
    Point(math.inf, 5.1, Verdict.VIOLATION),
    Point(10.0, 0.0, Verdict.INCONCLUSIVE),
]


def test_every_audit_has_a_mark_of_its_verdict() -> None:
    picture = drawn(truth_chart(POINTS))
    for look, count in (("p", 1), ("beyond", 3), ("open", 1)):
        assert len(picture.all("circle", look)) == count
    assert {"violation", "not refuted", "inconclusive", "bound = truth"} <= {
        text.text for text in picture.all("text", "small")
    }


def test_bounds_lie_below_the_diagonal() -> None:
    picture = drawn(truth_chart(POINTS))
    (diagonal,) = picture.all("line", "claimed")
    rise = diagonal.number("y2") - diagonal.number("y1")
    slope = rise / (diagonal.number("x2") - diagonal.number("x1"))
    for mark in picture.all("circle", "p") + picture.all("circle", "beyond")[:1]:
        line = diagonal.number("y1") + slope * (mark.number("cx") - diagonal.number("x1"))
        assert mark.number("cy") >= line - 0.2
    (one,) = picture.all("circle", "p")
    wrong = drawn(truth_chart([*POINTS[1:], Point(1.0, 1.5, Verdict.NOT_REFUTED)]))
    (other,) = wrong.all("circle", "p")
    assert other.number("cy") < one.number("cy")


def test_points_that_share_a_place_in_the_strip_stand_side_by_side() -> None:
    picture = drawn(truth_chart([Point(math.inf, 5.0, Verdict.VIOLATION)] * 5))
    assert len({mark.number("cx") for mark in picture.all("circle", "beyond")}) == 5


@pytest.mark.parametrize("points", [[Point(math.inf, 0.0, Verdict.INCONCLUSIVE)], POINTS[:1]])
def test_a_few_points_are_enough(points: list[Point]) -> None:
    assert len(drawn(truth_chart(points)).all("circle", "")) == len(points)


def test_a_benchmark_has_a_mark_for_each_error_and_each_bound() -> None:
    points = [
        (name, epsilon, error / epsilon, 0.9 * epsilon)
        for name, error in (("raw", 1.0), ("local", 30.0))
        for epsilon in (0.5, 1.0, 2.0)
    ]
    picture = drawn(benchmark_chart(points))
    for look in ("p", "q"):
        assert len(picture.marks(look)) == 6
    unknown = drawn(benchmark_chart([("raw", 1.0, math.nan, 0.0)]))
    assert not unknown.marks("p")
