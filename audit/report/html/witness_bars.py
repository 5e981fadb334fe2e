"""Bars of a counterexample: both probabilities, and the most that the claim allows."""

from __future__ import annotations

from collections.abc import Iterator

from audit.report.document import Bar, Example
from audit.report.html.drawing import Drawn, box, line, picture, text
from audit.report.numerals import in_percent, number

_WIDTH, _LEFT, _RIGHT = 480.0, 8.0, 472.0
_ROW, _THICK = 46.0, 18.0


def witness_bars(example: Example) -> Drawn:
    """Two bars, and a line that the larger one should not pass."""
    parts = [
        *_bar(example.bars[0], "p", 0, example.scale),
        *_bar(example.bars[1], "q", 1, example.scale),
        *_limit(example),
        *_axis(example),
    ]
    words = "; ".join(f"{bar.name}: {bar.estimate} {bar.interval}" for bar in example.bars)
    return picture(words, _WIDTH, 2.0 * _ROW + 70.0, parts)


def _place(value: float, whole: float) -> float:
    return _LEFT + min(1.0, value / whole) * (_RIGHT - _LEFT)


def _bar(bar: Bar, look: str, row: int, whole: float) -> Iterator[Drawn]:
    top = 20.0 + row * _ROW
    yield text(f"{bar.name} = {bar.estimate} {bar.interval}", _LEFT, top - 6.0, "strong")
    yield box("track", _LEFT, top, _RIGHT - _LEFT, _THICK)
    yield box(look, _LEFT, top, _place(bar.value, whole) - _LEFT, _THICK)
    low, high = (_place(end, whole) for end in bar.reach)
    middle = top + _THICK / 2.0
    yield line("whisker", (low, middle), (high, middle))
    for end in (low, high):
        yield line("whisker", (end, middle - 5.0), (end, middle + 5.0))


def _limit(example: Example) -> Iterator[Drawn]:
    """The most that the claim allows, drawn through both bars."""
    place, end = _place(example.limit.value, example.scale), 24.0 + 2.0 * _ROW
    yield line("limit", (place, 16.0), (place, end - 12.0))
    anchor = "end" if place > _WIDTH / 2.0 else "start"
    words = f"{example.limit.name} {example.limit.estimate}"
    yield text(words, place, end + 2.0, "allowed", anchor)


def _axis(example: Example) -> Iterator[Drawn]:
    shown = in_percent if example.limit.estimate.endswith("%") else number
    under = 2.0 * _ROW + 36.0
    yield line("axis", (_LEFT, under), (_RIGHT, under))
    for share, anchor in ((0.0, "start"), (0.25, "middle"), (0.5, "middle"), (1.0, "end")):
        value = share * example.scale
        place = _place(value, example.scale)
        yield line("tick", (place, under), (place, under + 4.0))
        yield text(shown(value), place, under + 17.0, "small", anchor)
