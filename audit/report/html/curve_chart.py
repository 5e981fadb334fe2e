"""A claimed curve as a picture of a page: its rows, moved ones that are broken, and bounds."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from audit.report.curve import LEAST, Curve, Points
from audit.report.html.drawing import Drawn, box, line, picture, text
from audit.report.html.gauge import gauge
from audit.report.numerals import at_least, number
from audit.verdict.result import AuditResult

_WIDTH, _LEFT, _RIGHT = 720.0, 64.0, 700.0
_TOP, _BOTTOM = 44.0, 244.0
_MARK = 6.0
_STEPS = 4


def size_picture(result: AuditResult) -> Drawn:
    """Picture of the size of the loss: a scale, or the claimed curve with the measured one."""
    curve = Curve.of(result)
    return gauge(result) if curve is None else curve_chart(result, curve)


def curve_chart(result: AuditResult, curve: Curve) -> Drawn:
    """Delta over epsilon, on a logarithmic axis."""
    axes = _Axes(curve.farthest, curve.highest * 2.0)
    shift = at_least(result.levels[result.claim.bound])
    parts = [
        *_grid(axes),
        *(_square("p", axes, point) for point in curve.claimed),
        *(_square("q", axes, point) for point in curve.moved),
        *_bound(axes, curve.shown),
        *_legend(curve, shift),
    ]
    return picture(f"the claimed curve; shift at least {shift}", _WIDTH, _BOTTOM + 40.0, parts)


@dataclass(frozen=True, slots=True)
class _Axes:
    """Axes of the chart.

    Attributes:
        farthest: epsilon at the right end.
        highest: delta at the top.
    """

    farthest: float
    highest: float

    def across(self, epsilon: float) -> float:
        return _LEFT + min(1.0, epsilon / self.farthest) * (_RIGHT - _LEFT)

    def down(self, delta: float) -> float:
        share = math.log(max(delta, LEAST) / LEAST) / math.log(self.highest / LEAST)
        return _BOTTOM - min(1.0, share) * (_BOTTOM - _TOP)


def _grid(axes: _Axes) -> Iterator[Drawn]:
    for power in range(math.ceil(math.log10(LEAST)), math.floor(math.log10(axes.highest)) + 1):
        height = axes.down(10.0**power)
        yield line("grid", (_LEFT, height), (_RIGHT, height))
        yield text(f"{10.0**power:g}", _LEFT - 6.0, height + 4.0, "small", "end")
    for step in range(_STEPS + 1):
        epsilon = axes.farthest * step / _STEPS
        yield text(number(epsilon), axes.across(epsilon), _BOTTOM + 16.0, "small", "middle")
    yield text("ε", _RIGHT, _BOTTOM + 34.0, "small", "end")
    yield text("δ(ε)", _LEFT - 6.0, _TOP - 8.0, "small", "end")


def _square(look: str, axes: _Axes, point: tuple[float, float]) -> Drawn:
    epsilon, delta = point
    if delta < LEAST or epsilon > axes.farthest:
        return Drawn()
    left, top = axes.across(epsilon) - _MARK / 2.0, axes.down(delta) - _MARK / 2.0
    return box(look, left, top, _MARK, _MARK)


def _bound(axes: _Axes, shown: Points) -> Iterator[Drawn]:
    places = [(axes.across(epsilon), axes.down(delta)) for epsilon, delta in shown]
    yield from (line("limit", start, end) for start, end in pairwise(places))


def _legend(curve: Curve, shift: str) -> Iterator[Drawn]:
    yield box("p", _LEFT, 8.0, _MARK, _MARK)
    yield text("rows of the claimed curve", _LEFT + 12.0, 15.0, "small")
    if curve.moved:
        yield box("q", _LEFT + 190.0, 8.0, _MARK, _MARK)
        yield text(f"moved by {shift}, broken", _LEFT + 202.0, 15.0, "small")
    if curve.shown:
        yield line("limit", (_LEFT + 410.0, 11.0), (_LEFT + 424.0, 11.0))
        yield text("δ at least, by the intervals of p and q", _LEFT + 430.0, 15.0, "small")
