"""The size of a loss as a picture: a scale, or a claimed curve with what is broken, and bounds."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from audit.claims import EPSILON_BOUND
from audit.report.formatting import at_least, number
from audit.report.picture_data import LEAST, Curve, Points
from audit.report.svg import Drawn, box, line, picture, shape, text
from audit.verdict.result import AuditResult, Verdict

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


_GAUGE_WIDTH, _GAUGE_LEFT, _GAUGE_RIGHT = 480.0, 24.0, 448.0
_GAUGE_TOP, _THICK = 44.0, 16.0
_GAUGE_STEPS = (1.0, 2.0, 5.0)
_LEAST, _MOST = 0.1, 10.0
_ROOM = 2.0


def gauge(result: AuditResult) -> Drawn:
    """A logarithmic scale of the claim's own level, with the factor of odds where it is epsilon."""
    claimed, bound = result.claim.stated(result.claim.level), _shown_bound(result)
    known = [value for value in (claimed, bound) if value > 0.0] or [_LEAST]
    scale = _Scale(min(known), max(known))
    factors = result.claim.bound == EPSILON_BOUND
    parts = [
        box("track", _GAUGE_LEFT, _GAUGE_TOP, _GAUGE_RIGHT - _GAUGE_LEFT, _THICK),
        *_filled(result, scale, claimed, bound),
        *_ticks(scale, factors),
        *_marks(result, scale, claimed, bound),
    ]
    words = f"{result.claim.symbol} claimed: {claimed:g}; shown at least: {at_least(bound)}"
    return picture(words, _GAUGE_WIDTH, 116.0 if factors else 98.0, parts)


def _shown_bound(result: AuditResult) -> float:
    """Lower bound; nothing if no bound counts."""
    if result.null or (result.verdict is Verdict.INCONCLUSIVE and result.reason):
        return 0.0
    return result.levels.get(result.claim.bound, 0.0)


class _Scale:
    """Places of values between two ends; smaller and larger ones lie at the ends."""

    def __init__(self, low: float, high: float) -> None:
        self.low = min(_LEAST, max(low / _ROOM, 1e-6))
        self.high = max(_MOST, min(high, 1e6) * _ROOM)

    def place(self, value: float) -> float:
        inside = min(max(value, self.low), self.high)
        share = math.log(inside / self.low) / math.log(self.high / self.low)
        return _GAUGE_LEFT + share * (_GAUGE_RIGHT - _GAUGE_LEFT)

    def ticks(self) -> Iterator[float]:
        """Round numbers, fewer where the scale is long."""
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        steps = _GAUGE_STEPS if len(powers) <= 3 else _GAUGE_STEPS[:1]
        for power in powers:
            for step in steps:
                if self.low * 0.999 <= step * 10.0**power <= self.high * 1.001:
                    yield step * 10.0**power


def _filled(result: AuditResult, scale: _Scale, claimed: float, bound: float) -> Iterator[Drawn]:
    """The part that was shown, up to the claim and beyond it."""
    end, limit = scale.place(bound), scale.place(claimed)
    if bound > 0.0:
        yield box("shown", _GAUGE_LEFT, _GAUGE_TOP, min(end, limit) - _GAUGE_LEFT, _THICK)
    if result.verdict is Verdict.VIOLATION and result.by_versions is None:
        yield box("beyond", limit, _GAUGE_TOP, max(end - limit, 2.0), _THICK)
        yield shape(
            "beyond",
            [
                (end, _GAUGE_TOP - 4.0),
                (end + 12.0, _GAUGE_TOP + _THICK / 2.0),
                (end, _GAUGE_TOP + _THICK + 4.0),
            ],
        )


def _ticks(scale: _Scale, factors: bool) -> Iterator[Drawn]:
    under = _GAUGE_TOP + _THICK
    for value in scale.ticks():
        place = scale.place(value)
        yield line("tick", (place, under), (place, under + 5.0))
        yield text(number(value), place, under + 18.0, "small", "middle")
        if factors and value <= 20.0:
            yield text(f"×{number(math.exp(value))}", place, under + 33.0, "faint", "middle")
    if factors:
        words = "how many times as likely an outcome may become (e to the power of ε)"
        yield text(words, _GAUGE_LEFT, under + 50.0, "faint")


def _marks(result: AuditResult, scale: _Scale, claimed: float, bound: float) -> Iterator[Drawn]:
    """Words above the scale for the claim and the lower bound."""
    symbol, limit, end = result.claim.symbol, scale.place(claimed), scale.place(bound)
    yield line("mark", (limit, _GAUGE_TOP - 8.0), (limit, _GAUGE_TOP + _THICK + 3.0))
    right = limit > _GAUGE_WIDTH / 2.0
    beyond = bound > claimed
    words = f"claimed {symbol} = {claimed:g}"
    anchor = "end" if right or beyond else "start"
    yield text(
        words, limit + (3.0 if anchor == "end" else -3.0), _GAUGE_TOP - 13.0, "small", anchor
    )
    if bound > 0.0:
        shown = f"at least {symbol} = {at_least(bound)}"
        yield text(
            shown,
            max(end, _GAUGE_LEFT),
            14.0,
            "strong",
            "end" if end > _GAUGE_WIDTH / 2 else "start",
        )
