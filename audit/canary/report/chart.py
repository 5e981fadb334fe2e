"""The same two panels as the figure, drawn for a page: shares of right guesses, and bounds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from audit.canary.report.sentences import telling_rows
from audit.canary.result import CanaryResult
from audit.report.html.drawing import Drawn, box, element, line, picture, text
from audit.report.numerals import at_least, count, number

_WIDTH, _LEFT, _RIGHT = 720.0, 58.0, 706.0
_TOP, _BOTTOM, _FOOT = 22.0, 190.0, 232.0
_LOWEST = 0.4
_HEADROOM = 1.08

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class _Axes:
    """Axes: guesses opened from left to right on a logarithmic scale.

    Attributes:
        opened: all guesses, at least 1.
        low: value at the bottom.
        high: value at the top.
    """

    opened: int
    low: float
    high: float

    def place(self, opened: float, value: float) -> Point:
        share = math.log(max(opened, 1.0)) / math.log(max(self.opened, 2.0))
        inside = min(max(value, self.low), self.high)
        up = (inside - self.low) / (self.high - self.low)
        return _LEFT + share * (_RIGHT - _LEFT), _BOTTOM - up * (_BOTTOM - _TOP)

    def frame(self, name: str, values: Iterable[float]) -> Iterator[Drawn]:
        """Grid, numbers beside it, and numbers of guesses below."""
        for value in values:
            _, height = self.place(1.0, value)
            yield line("grid", (_LEFT, height), (_RIGHT, height))
            yield text(number(value), _LEFT - 6.0, height + 4.0, "small", "end")
        power = 1
        while power <= self.opened:
            across, _ = self.place(power, self.low)
            yield line("tick", (across, _BOTTOM), (across, _BOTTOM + 5.0))
            yield text(count(power), across, _BOTTOM + 18.0, "small", "middle")
            power *= 10
        yield text(name, _LEFT, _TOP - 8.0, "faint")
        words = "guesses opened, the most confident first"
        yield text(words, _RIGHT, _BOTTOM + 34.0, "faint", "end")


def share_chart(result: CanaryResult) -> Drawn:
    """Chart of the share of right guesses so far, and of the share that the claim allows."""
    axes = _Axes(_opened(result), _LOWEST, 1.0)
    trace = [axes.place(opened, right / opened) for opened, right in result.opened]
    parts = [
        *axes.frame("share of the guesses that is right", (0.4, 0.6, 0.8, 1.0)),
        _trace(trace),
    ]
    for row in telling_rows(result):
        if row.allowed is not None:
            across, height = axes.place(row.guesses, row.allowed / row.guesses)
            parts.append(line("limit", (across - 9.0, height), (across + 9.0, height)))
        across, height = axes.place(row.guesses, row.correct / row.guesses)
        parts.append(box("p", across - 3.0, height - 3.0, 6.0, 6.0))
    return picture("right guesses, and what the claim allows", _WIDTH, _FOOT, parts)


def bound_chart(result: CanaryResult) -> Drawn:
    """Chart of the bound of each prefix by itself, with the claim and the lower bound."""
    bound, claimed = result.levels[result.claim.bound], result.claim.stated(result.claim.level)
    rows = telling_rows(result)
    top = _HEADROOM * max([bound, claimed, 1e-3, *(row.bound for row in rows)])
    axes, symbol = _Axes(_opened(result), 0.0, top), result.claim.symbol
    places = [axes.place(row.guesses, row.bound) for row in rows]
    parts = [
        *axes.frame(f"lower bound on {symbol}, prefix by prefix", _ticks(top)),
        _trace(places),
        *(box("p", across - 3.0, height - 3.0, 6.0, 6.0) for across, height in places),
    ]
    for look, value, words in (
        ("limit", claimed, f"claimed {symbol} = {claimed:g}"),
        ("mark", bound, f"at least {symbol} = {at_least(bound)}"),
    ):
        across, height = axes.place(1.0, value)
        parts.append(line(look, (across, height), (_RIGHT, height)))
        parts.append(text(words, across + 6.0, height - 5.0, "small"))
    return picture("the lower bound as canaries are opened", _WIDTH, _FOOT, parts)


def _ticks(top: float) -> list[float]:
    """Zero and two to five round numbers up to the top."""
    power = 10.0 ** math.floor(math.log10(top / 2.0))
    step = max(power * part for part in (1.0, 2.0, 5.0) if power * part <= top / 2.0)
    return [place * step for place in range(math.floor(top / step) + 1)]


def _opened(result: CanaryResult) -> int:
    sizes = [row.guesses for row in result.prefixes]
    return max([1, *sizes, *(opened for opened, _ in result.opened)])


def _trace(places: Iterable[Point]) -> Drawn:
    points = " ".join(f"{across:.1f},{height:.1f}" for across, height in places)
    return element("polyline", look="trace", points=points)
