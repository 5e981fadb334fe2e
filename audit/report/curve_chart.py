"""The size of a loss as a picture: a scale, or a claimed curve with what is broken, and bounds."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from audit.claims import EPSILON_BOUND, Claim, ProfileDP
from audit.report import svg
from audit.report.formatting import at_least, number
from audit.report.loss import bounded
from audit.verdict.result import AuditResult, Verdict

_WIDTH, _TOP, _BOTTOM = 720.0, 44.0, 244.0
_LEAST_DELTA = 1e-6
"""Where the axis of deltas ends at most."""
_POINTS = 100

Points = tuple[tuple[float, float], ...]
"""Epsilon and delta of each."""


@dataclass(frozen=True, slots=True)
class Curve:
    """Content of a picture of a curve.

    Attributes:
        claimed: the rows.
        moved: the same, moved by the lower bound on the shift; a mechanism that kept these
            or any between would have been refuted with probability alpha at most. Empty where
            no bound counts.
        shown: delta at least, at many epsilons, by the intervals of the witness.
    """

    claimed: Points
    moved: Points
    shown: Points

    @classmethod
    def of(cls, result: AuditResult) -> Curve | None:
        """Of a result; None where its claim is no curve."""
        claim = result.claim
        if not isinstance(claim, ProfileDP):
            return None
        return cls(claim.rows, _moved(result, claim), _shown(result, claim))

    @property
    def farthest(self) -> float:
        """The largest epsilon that is drawn."""
        drawn = [
            epsilon for epsilon, delta in (*self.claimed, *self.moved) if delta >= _LEAST_DELTA
        ]
        return max([1e-3, *drawn])

    @property
    def highest(self) -> float:
        """The largest delta that is drawn."""
        return max(delta for _, delta in (*self.claimed, *self.shown))


def _moved(result: AuditResult, claim: ProfileDP) -> Points:
    shift = result.levels[claim.bound]
    if not bounded(result) or shift <= claim.stated(0.0):
        return ()
    return tuple((max(0.0, epsilon + shift), delta) for epsilon, delta in claim.rows)


def _shown(result: AuditResult, claim: ProfileDP) -> Points:
    """P[E] - e^epsilon Q[E] at least; each epsilon's delta is no smaller for any event E."""
    witness = result.witness
    if witness is None or witness.function is not None:
        return ()
    found = []
    for epsilon in np.linspace(0.0, claim.rows[-1][0], _POINTS + 1).tolist():
        delta = witness.p.low - math.exp(epsilon) * witness.q.high
        if delta < _LEAST_DELTA:
            break
        found.append((epsilon, delta))
    return tuple(found)


def size_picture(result: AuditResult) -> svg.Drawing:
    """Picture of the size of the loss: a scale, or the claimed curve with the measured one."""
    curve = Curve.of(result)
    return gauge(result) if curve is None else curve_chart(result, curve)


def curve_chart(result: AuditResult, curve: Curve) -> svg.Drawing:
    """Delta over epsilon, on a logarithmic axis."""
    axes = svg.Axes(
        svg.Linear(0.0, curve.farthest),
        svg.Logarithmic(_LEAST_DELTA, curve.highest * 2.0),
        _TOP,
        _BOTTOM,
    )
    shift = at_least(result.levels[result.claim.bound])
    keys = [("p", "rows of the claimed curve")]
    keys += [("q", f"moved by {shift}, broken")] if curve.moved else []
    keys += [("limit", "δ at least, by both intervals")] if curve.shown else []
    parts = (
        *axes.frame("ε", "δ(ε)"),
        *axes.marks("p", _drawn(curve, curve.claimed)),
        *axes.marks("q", _drawn(curve, curve.moved)),
        axes.trace("limit", curve.shown),
        *svg.legend(keys, axes.left, 4.0),
    )
    return svg.Drawing(f"the claimed curve; shift at least {shift}", _WIDTH, _BOTTOM + 40.0, parts)


def _drawn(curve: Curve, points: Points) -> Iterator[tuple[float, float]]:
    """Those within the axes."""
    for epsilon, delta in points:
        if delta >= _LEAST_DELTA and epsilon <= curve.farthest:
            yield epsilon, delta


def about_curve(claim: Claim) -> str:
    """Sentence on the bets on a curve and the quantity of its bound; else empty."""
    if not isinstance(claim, ProfileDP):
        return ""
    rows = ", ".join(f"δ({number(epsilon)}) = {number(delta)}" for epsilon, delta in claim.rows)
    return (
        f"The claim is a curve, bet on at these rows, which were chosen before any draw: {rows}; "
        "the lower bound is that of a shift s, which moves each row (ε, δ) to (max(0, ε + s), δ): "
        "the smallest with which the mechanism would keep all of them."
    )


_GAUGE_WIDTH, _GAUGE_LEFT, _GAUGE_RIGHT = 480.0, 24.0, 448.0
_GAUGE_TOP, _GAUGE_BOTTOM = 44.0, 60.0
_LEAST, _MOST = 0.1, 10.0
_ROOM = 2.0


def gauge(result: AuditResult) -> svg.Drawing:
    """A logarithmic scale of the claim's own level, with the factor of odds where it is epsilon."""
    claimed = result.claim.stated(result.claim.level)
    bound = result.levels.get(result.claim.bound, 0.0) if bounded(result) else 0.0
    known = [value for value in (claimed, bound) if value > 0.0] or [_LEAST]
    scale = svg.Logarithmic(
        min(_LEAST, max(min(known) / _ROOM, 1e-6)), max(_MOST, min(max(known), 1e6) * _ROOM)
    )
    axes = svg.Axes(
        scale, svg.Linear(0.0, 1.0), _GAUGE_TOP, _GAUGE_BOTTOM, _GAUGE_LEFT, _GAUGE_RIGHT
    )
    factors = result.claim.bound == EPSILON_BOUND
    limit, end = (axes.place(value, 1.0)[0] for value in (claimed, bound))
    parts = (
        _bar("track", _GAUGE_LEFT, _GAUGE_RIGHT),
        *_filled(result, limit, end, bound),
        *_ticks(axes, factors),
        *_marks(result, limit, end, bound),
    )
    words = f"{result.claim.symbol} claimed: {claimed:g}; shown at least: {at_least(bound)}"
    return svg.Drawing(words, _GAUGE_WIDTH, 116.0 if factors else 98.0, parts)


def _bar(look: str, start: float, end: float) -> svg.Drawn:
    return svg.box(look, start, _GAUGE_TOP, end - start, _GAUGE_BOTTOM - _GAUGE_TOP)


def _filled(result: AuditResult, limit: float, end: float, bound: float) -> Iterator[svg.Drawn]:
    """The part that was shown, up to the claim and beyond it."""
    if bound > 0.0:
        yield _bar("shown", _GAUGE_LEFT, min(end, limit))
    if result.verdict is Verdict.VIOLATION and result.by_versions is None:
        yield _bar("beyond", limit, max(end, limit + 2.0))
        middle = (_GAUGE_TOP + _GAUGE_BOTTOM) / 2.0
        corners = [(end, _GAUGE_TOP - 4.0), (end + 12.0, middle), (end, _GAUGE_BOTTOM + 4.0)]
        yield svg.shape("beyond", corners)


def _ticks(axes: svg.Axes, factors: bool) -> Iterator[svg.Drawn]:
    for value, words in axes.across.ticks():
        place, under = axes.place(value, 0.0)
        yield svg.line("tick", (place, under), (place, under + 5.0))
        yield svg.text(words, place, under + 18.0, "small", "middle")
        if factors and value <= 10.0:
            yield svg.text(f"×{number(math.exp(value))}", place, under + 33.0, "faint", "middle")
    if factors:
        words = "how many times as likely an outcome may become (e^ε)"
        yield svg.text(words, _GAUGE_LEFT, _GAUGE_BOTTOM + 50.0, "faint")


def _marks(result: AuditResult, limit: float, end: float, bound: float) -> Iterator[svg.Drawn]:
    """Words above the scale for the claim and the lower bound."""
    symbol, claimed = result.claim.symbol, result.claim.stated(result.claim.level)
    yield svg.line("mark", (limit, _GAUGE_TOP - 8.0), (limit, _GAUGE_BOTTOM + 3.0))
    before = limit > _GAUGE_WIDTH / 2.0 or bound > claimed
    place, anchor = (limit + 3.0, "end") if before else (limit - 3.0, "start")
    yield svg.text(f"claimed {symbol} = {claimed:g}", place, _GAUGE_TOP - 13.0, "small", anchor)
    if bound > 0.0:
        shown = f"at least {symbol} = {at_least(bound)}"
        anchor = "end" if end > _GAUGE_WIDTH / 2.0 else "start"
        yield svg.text(shown, max(end, _GAUGE_LEFT), 14.0, "strong", anchor)
