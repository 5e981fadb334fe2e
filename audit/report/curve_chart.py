"""The size of a loss as a picture: a scale, or a claimed curve with what is broken, and bounds."""

from __future__ import annotations

import math
from collections.abc import Iterator

from audit.claims import EPSILON_BOUND
from audit.report.axes import Axes, Linear, Logarithmic, legend
from audit.report.formatting import at_least, number
from audit.report.picture_data import LEAST, Curve, Points
from audit.report.svg import Drawing, Drawn, box, line, shape, text
from audit.verdict.result import AuditResult, Verdict

_WIDTH, _TOP, _BOTTOM = 720.0, 44.0, 244.0


def size_picture(result: AuditResult) -> Drawing:
    """Picture of the size of the loss: a scale, or the claimed curve with the measured one."""
    curve = Curve.of(result)
    return gauge(result) if curve is None else curve_chart(result, curve)


def curve_chart(result: AuditResult, curve: Curve) -> Drawing:
    """Delta over epsilon, on a logarithmic axis."""
    axes = Axes(Linear(0.0, curve.farthest), Logarithmic(LEAST, curve.highest * 2.0), _TOP, _BOTTOM)
    shift = at_least(result.levels[result.claim.bound])
    keys = [("p", "rows of the claimed curve")]
    keys += [("q", f"moved by {shift}, broken")] if curve.moved else []
    keys += [("limit", "δ at least, by the intervals of p and q")] if curve.shown else []
    parts = (
        *axes.frame("ε", "δ(ε)"),
        *axes.marks("p", _drawn(curve, curve.claimed)),
        *axes.marks("q", _drawn(curve, curve.moved)),
        axes.trace("limit", curve.shown),
        *legend(keys, axes.left, 4.0),
    )
    return Drawing(f"the claimed curve; shift at least {shift}", _WIDTH, _BOTTOM + 40.0, parts)


def _drawn(curve: Curve, points: Points) -> Iterator[tuple[float, float]]:
    """Those within the axes."""
    for epsilon, delta in points:
        if delta >= LEAST and epsilon <= curve.farthest:
            yield epsilon, delta


_GAUGE_WIDTH, _GAUGE_LEFT, _GAUGE_RIGHT = 480.0, 24.0, 448.0
_GAUGE_TOP, _THICK = 44.0, 16.0
_LEAST, _MOST = 0.1, 10.0
_ROOM = 2.0


def gauge(result: AuditResult) -> Drawing:
    """A logarithmic scale of the claim's own level, with the factor of odds where it is epsilon."""
    claimed, bound = result.claim.stated(result.claim.level), _shown_bound(result)
    known = [value for value in (claimed, bound) if value > 0.0] or [_LEAST]
    scale = Logarithmic(
        min(_LEAST, max(min(known) / _ROOM, 1e-6)), max(_MOST, min(max(known), 1e6) * _ROOM)
    )
    factors = result.claim.bound == EPSILON_BOUND
    parts = (
        box("track", _GAUGE_LEFT, _GAUGE_TOP, _GAUGE_RIGHT - _GAUGE_LEFT, _THICK),
        *_filled(result, scale, claimed, bound),
        *_ticks(scale, factors),
        *_marks(result, scale, claimed, bound),
    )
    words = f"{result.claim.symbol} claimed: {claimed:g}; shown at least: {at_least(bound)}"
    return Drawing(words, _GAUGE_WIDTH, 116.0 if factors else 98.0, parts)


def _shown_bound(result: AuditResult) -> float:
    """Lower bound; nothing if no bound counts."""
    if result.null or (result.verdict is Verdict.INCONCLUSIVE and result.reason):
        return 0.0
    return result.levels.get(result.claim.bound, 0.0)


def _place(scale: Logarithmic, value: float) -> float:
    return _GAUGE_LEFT + scale.share(value) * (_GAUGE_RIGHT - _GAUGE_LEFT)


def _filled(
    result: AuditResult, scale: Logarithmic, claimed: float, bound: float
) -> Iterator[Drawn]:
    """The part that was shown, up to the claim and beyond it."""
    end, limit = _place(scale, bound), _place(scale, claimed)
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


def _ticks(scale: Logarithmic, factors: bool) -> Iterator[Drawn]:
    under = _GAUGE_TOP + _THICK
    for value, words in scale.ticks():
        place = _place(scale, value)
        yield line("tick", (place, under), (place, under + 5.0))
        yield text(words, place, under + 18.0, "small", "middle")
        if factors and value <= 20.0:
            yield text(f"×{number(math.exp(value))}", place, under + 33.0, "faint", "middle")
    if factors:
        words = "how many times as likely an outcome may become (e to the power of ε)"
        yield text(words, _GAUGE_LEFT, under + 50.0, "faint")


def _marks(
    result: AuditResult, scale: Logarithmic, claimed: float, bound: float
) -> Iterator[Drawn]:
    """Words above the scale for the claim and the lower bound."""
    symbol, limit, end = result.claim.symbol, _place(scale, claimed), _place(scale, bound)
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
