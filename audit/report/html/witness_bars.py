"""How likely the witness's event is on both datasets, and what the claim allows."""

from __future__ import annotations

from collections.abc import Iterator

from audit.report.escape import clip
from audit.report.html.drawing import Drawn, box, line, picture, text
from audit.report.numerals import at_most, interval, number
from audit.report.witness_picture import scale
from audit.report.witness_sides import Side, WitnessSides

_WIDTH, _LEFT, _RIGHT = 720.0, 112.0, 690.0
_ROW, _THICK = 46.0, 18.0
_LONGEST_NAME = 14


def witness_bars(found: WitnessSides) -> Drawn:
    """Two bars with their intervals, and a line that the larger one should not pass."""
    ends = [found.left.estimate.high, found.right.estimate.high, found.allowed]
    whole = scale(max(ends))
    parts = [
        *_bar(found.left, "p", 0, whole),
        *_bar(found.right, "q", 1, whole),
        *_limit(found, whole),
        *_axis(whole, found.scale),
    ]
    words = f"{found.left.symbol}: {interval(found.left.estimate)}; "
    words += f"{found.right.symbol}: {interval(found.right.estimate)}"
    return picture(words, _WIDTH, 2.0 * _ROW + 58.0, parts)


def _place(share: float, whole: float) -> float:
    return _LEFT + min(1.0, share / whole) * (_RIGHT - _LEFT)


def _bar(side: Side, look: str, row: int, whole: float) -> Iterator[Drawn]:
    top = 20.0 + row * _ROW
    middle = top + _THICK / 2.0
    low, estimate, high = (
        _place(share, whole)
        for share in (side.estimate.low, side.estimate.estimate, side.estimate.high)
    )
    name = clip(side.name, _LONGEST_NAME) if len(side.name) > _LONGEST_NAME else side.name
    yield text(f"{side.symbol} on {name}", _LEFT - 10.0, middle + 4.0, "strong", "end")
    yield box("track", _LEFT, top, _RIGHT - _LEFT, _THICK)
    yield box(look, _LEFT, top, estimate - _LEFT, _THICK)
    yield line("whisker", (low, middle), (high, middle))
    for end in (low, high):
        yield line("whisker", (end, middle - 5.0), (end, middle + 5.0))
    yield text(interval(side.estimate), _LEFT, top - 5.0, "small")


def _limit(found: WitnessSides, whole: float) -> Iterator[Drawn]:
    """The most that the claim allows, drawn through the bar that it holds for."""
    row = 0 if found.more is found.left else 1
    top, place = 20.0 + row * _ROW, _place(found.allowed, whole)
    yield line("limit", (place, top - 4.0), (place, top + _THICK + 4.0))
    words = f"the claim allows {found.more.symbol} up to {at_most(found.allowed)}, the upright line"
    yield text(words, _RIGHT, top - 5.0, "allowed", "end")


def _axis(whole: float, words: str) -> Iterator[Drawn]:
    under = 2.0 * _ROW + 24.0
    yield line("axis", (_LEFT, under), (_RIGHT, under))
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        place = _place(share * whole, whole)
        yield line("tick", (place, under), (place, under + 4.0))
        yield text(number(share * whole), place, under + 17.0, "small", "middle")
    yield text(words, _LEFT, under + 31.0, "faint")
