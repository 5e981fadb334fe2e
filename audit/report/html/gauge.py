"""Scale of the loss: the claim, and the lower bound."""

from __future__ import annotations

import math
from collections.abc import Iterator

from audit.claims import EPSILON_BOUND
from audit.report.html.drawing import Drawn, box, line, picture, shape, text
from audit.report.numerals import at_least, number
from audit.verdict.result import AuditResult, Verdict

_WIDTH, _LEFT, _RIGHT = 480.0, 16.0, 456.0
_TOP, _THICK = 44.0, 16.0
_STEPS = (1.0, 2.0, 5.0)
_LEAST, _MOST = 0.1, 10.0
_ROOM = 2.0


def gauge(result: AuditResult) -> Drawn:
    """A logarithmic scale of the claim's own level, with the factor of odds where it is epsilon."""
    claimed, bound = result.claim.stated(result.claim.level), _bound(result)
    known = [value for value in (claimed, bound) if value > 0.0] or [_LEAST]
    scale = _Scale(min(known), max(known))
    factors = result.claim.bound == EPSILON_BOUND
    parts = [
        box("track", _LEFT, _TOP, _RIGHT - _LEFT, _THICK),
        *_filled(result, scale, claimed, bound),
        *_ticks(scale, factors),
        *_marks(result, scale, claimed, bound),
    ]
    words = f"{result.claim.symbol} claimed: {claimed:g}; shown at least: {at_least(bound)}"
    return picture(words, _WIDTH, 116.0 if factors else 98.0, parts)


def _bound(result: AuditResult) -> float:
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
        return _LEFT + share * (_RIGHT - _LEFT)

    def ticks(self) -> Iterator[float]:
        """Round numbers, fewer where the scale is long."""
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        steps = _STEPS if len(powers) <= 3 else _STEPS[:1]
        for power in powers:
            for step in steps:
                if self.low * 0.999 <= step * 10.0**power <= self.high * 1.001:
                    yield step * 10.0**power


def _filled(result: AuditResult, scale: _Scale, claimed: float, bound: float) -> Iterator[Drawn]:
    """The part that was shown, up to the claim and beyond it."""
    end, limit = scale.place(bound), scale.place(claimed)
    if bound > 0.0:
        yield box("shown", _LEFT, _TOP, min(end, limit) - _LEFT, _THICK)
    if result.verdict is Verdict.VIOLATION and result.by_versions is None:
        yield box("beyond", limit, _TOP, max(end - limit, 2.0), _THICK)
        yield shape(
            "beyond",
            [(end, _TOP - 4.0), (end + 12.0, _TOP + _THICK / 2.0), (end, _TOP + _THICK + 4.0)],
        )


def _ticks(scale: _Scale, factors: bool) -> Iterator[Drawn]:
    under = _TOP + _THICK
    for value in scale.ticks():
        place = scale.place(value)
        yield line("tick", (place, under), (place, under + 5.0))
        yield text(number(value), place, under + 18.0, "small", "middle")
        if factors and value <= 20.0:
            yield text(f"×{number(math.exp(value))}", place, under + 33.0, "faint", "middle")
    if factors:
        words = "how many times as likely an outcome may become (e to the power of ε)"
        yield text(words, _LEFT, under + 50.0, "faint")


def _marks(result: AuditResult, scale: _Scale, claimed: float, bound: float) -> Iterator[Drawn]:
    """Words above the scale for the claim and the lower bound."""
    symbol, limit, end = result.claim.symbol, scale.place(claimed), scale.place(bound)
    yield line("mark", (limit, _TOP - 8.0), (limit, _TOP + _THICK + 3.0))
    right = limit > _WIDTH / 2.0
    beyond = bound > claimed
    words = f"claimed {symbol} = {claimed:g}"
    anchor = "end" if right or beyond else "start"
    yield text(words, limit + (3.0 if anchor == "end" else -3.0), _TOP - 13.0, "small", anchor)
    if bound > 0.0:
        shown = f"at least {symbol} = {at_least(bound)}"
        yield text(shown, max(end, _LEFT), 14.0, "strong", "end" if end > _WIDTH / 2 else "start")
