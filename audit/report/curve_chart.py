"""The size of a loss as pictures: a scale with claim and bound, and the privacy profile."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from audit.claims import EPSILON_BOUND, Claim, ProfileDP
from audit.report import svg
from audit.report.formatting import at_least, number, percent
from audit.report.loss import bounded, has_a_bound, own_bound
from audit.verdict.result import AuditResult, Verdict

_WIDTH, _WIDTH_OF_ROWS = 480.0, 720.0
_TOP, _BOTTOM = 44.0, 244.0
_LEAST_DELTA, _LEAST_OF_ROWS = 1e-3, 1e-6
"""Where the axis of deltas ends at most, also if the claim is a curve with rows below."""
_POINTS = 200

Points = tuple[tuple[float, float], ...]
"""Epsilon and delta of each."""


@dataclass(frozen=True, slots=True)
class Curve:
    """Content of a picture of a privacy profile.

    Attributes:
        claimed: the largest delta that the claim allows, at many epsilons, or its rows.
        moved: rows moved by the lower bound on the shift; a mechanism that kept these
            or any between would have been refuted with probability alpha at most. Empty if
            no bound counts.
        shown: points below the profile of the mechanism, by growing epsilon.
    """

    claimed: Points
    moved: Points
    shown: Points

    @classmethod
    def of(cls, result: AuditResult) -> Curve | None:
        """Of a result; None if there is nothing to show."""
        claim = result.claim
        shown = tuple((p.epsilon_lower, p.delta) for p in result.curve) if bounded(result) else ()
        if isinstance(claim, ProfileDP):
            return cls(claim.rows, _moved(result, claim), shown)
        return cls(_allowed(claim, 1.25 * shown[-1][0]), (), shown) if shown else None

    @property
    def farthest(self) -> float:
        """The largest epsilon that is drawn."""
        points = (*self.claimed, *self.moved, *self.shown)
        return max([1e-3, *(epsilon for epsilon, delta in points if delta >= self.lowest)])

    @property
    def lowest(self) -> float:
        """The smallest delta that is drawn."""
        return _LEAST_OF_ROWS if self.moved else _LEAST_DELTA

    @property
    def highest(self) -> float:
        """The largest delta that is drawn."""
        return max(delta for _, delta in (*self.claimed, *self.shown))

    @property
    def steps(self) -> Points:
        """Corners of the area below the points: the profile never rises."""
        corners, start = [], 0.0
        for epsilon, delta in self.shown:
            corners += [(start, delta), (epsilon, delta)]
            start = epsilon
        return ((0.0, self.lowest), *corners, (start, self.lowest))


def _allowed(claim: Claim, farthest: float) -> Points:
    """The profile of a claim, up to a step beyond the epsilon from which on it stays."""
    end = farthest
    while claim.delta(end) > max(_LEAST_DELTA, claim.delta(2.0 * end)):
        end *= 2.0
    return tuple((e, claim.delta(e)) for e in np.linspace(0.0, end, _POINTS + 1).tolist())


def _moved(result: AuditResult, claim: ProfileDP) -> Points:
    shift = result.levels[claim.bound]
    if not has_a_bound(result):
        return ()
    return tuple((max(0.0, epsilon + shift), delta) for epsilon, delta in claim.rows)


def size_pictures(result: AuditResult) -> Iterator[tuple[str, Callable[[], svg.Drawing]]]:
    """Pictures of the size of the loss, with their titles."""
    curve = Curve.of(result)
    if not isinstance(result.claim, ProfileDP):
        yield "Size of the loss", partial(gauge, result)
    if curve is not None:
        yield "Privacy profile", partial(curve_chart, result, curve)


def curve_chart(result: AuditResult, curve: Curve) -> svg.Drawing:
    """Delta over epsilon, on a logarithmic axis."""
    rows = isinstance(result.claim, ProfileDP)
    width = _WIDTH_OF_ROWS if rows else _WIDTH
    up = svg.Logarithmic(curve.lowest, curve.highest * 2.0)
    axes = svg.Axes(svg.Linear(0.0, curve.farthest), up, _TOP, _BOTTOM, right=width - 20.0)
    drawn = _drawn(curve, curve.claimed)
    parts = (
        *([svg.shape("shown", (axes.place(*p) for p in curve.steps))] if curve.shown else []),
        *axes.frame("ε", "δ(ε)"),
        *(axes.marks("p", drawn) if rows else [axes.trace("limit", curve.claimed)]),
        *axes.marks("q", _drawn(curve, curve.moved)),
        *svg.legend(_keys(result, curve), axes.left, 4.0),
    )
    words = "; ".join(f"ε at least {number(e)} at δ = {number(d)}" for e, d in curve.shown)
    return svg.Drawing(f"the privacy profile: {words or 'no bound'}", width, _BOTTOM + 40.0, parts)


def _keys(result: AuditResult, curve: Curve) -> Iterator[tuple[str, str]]:
    rows = isinstance(result.claim, ProfileDP)
    yield ("p", "rows of the claimed curve") if rows else ("limit", "δ(ε) as claimed")
    if curve.moved:
        yield "q", f"moved by {at_least(own_bound(result))}, broken"
    if curve.shown:
        yield "shown", f"δ(ε) lies above ({percent(1.0 - result.alpha)} confidence)"


def _drawn(curve: Curve, points: Points) -> list[tuple[float, float]]:
    return [(e, d) for e, d in points if d >= curve.lowest and e <= curve.farthest]


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
    bound = own_bound(result) if bounded(result) else 0.0
    known = [value for value in (claimed, bound) if value > 0.0] or [_LEAST]
    low, high = max(min(known) / _ROOM, 1e-6), min(max(known), 1e6) * _ROOM
    scale = svg.Logarithmic(min(_LEAST, low), max(_MOST, high))
    place = _GAUGE_TOP, _GAUGE_BOTTOM, _GAUGE_LEFT, _GAUGE_RIGHT
    axes = svg.Axes(scale, svg.Linear(0.0, 1.0), *place)
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
