"""Axes of a chart: scales, a grid with numbers, and data as marks, traces and levels."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from audit.report.formatting import number
from audit.report.svg import Drawn, box, line, text, trace

_STEPS = (1.0, 2.0, 5.0)
_MARK = 6.0
_KEY = 10.0
_LETTER = 6.2
"""Width of a letter of a legend, roughly."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Scale(ABC):
    """One direction of a chart.

    Attributes:
        low: value at the beginning.
        high: value at the end, larger.
    """

    low: float
    high: float

    @abstractmethod
    def share(self, value: float) -> float:
        """Position of a value from 0 to 1; an end if the value lies beyond it."""

    @abstractmethod
    def ticks(self) -> Iterator[tuple[float, str]]:
        """Values that get a label, with the label."""


class Linear(Scale):
    """Equal steps are equally long."""

    __slots__ = ()

    def share(self, value: float) -> float:
        return min(max((value - self.low) / (self.high - self.low), 0.0), 1.0)

    def ticks(self) -> Iterator[tuple[float, str]]:
        """Multiples of a round step, two to five of them above the first."""
        most = (self.high - self.low) / 2.0
        power = 10.0 ** math.floor(math.log10(most))
        step = max(power * part for part in _STEPS if power * part <= most)
        for place in range(math.ceil(self.low / step), math.floor(self.high / step) + 1):
            yield place * step, number(place * step)


class Logarithmic(Scale):
    """Equal ratios are equally long; both ends are above 0."""

    __slots__ = ()

    def share(self, value: float) -> float:
        inside = min(max(value, self.low), self.high)
        return math.log(inside / self.low) / math.log(self.high / self.low)

    def ticks(self) -> Iterator[tuple[float, str]]:
        """Powers of ten; on a short scale their doubles and halves too."""
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        steps = _STEPS if len(powers) <= 4 else _STEPS[:1]
        for value in (step * 10.0**power for power in powers for step in steps):
            if self.low / 1.001 <= value <= self.high * 1.001:
                yield value, number(value)


@dataclass(frozen=True, slots=True)
class Axes:
    """The place of a chart in a drawing.

    Attributes:
        across: its horizontal scale.
        up: its vertical scale.
        top: vertical coordinate of the upper end, the smaller one.
        bottom: of the lower end.
        left: horizontal coordinate of the beginning.
        right: of the end.
    """

    across: Scale
    up: Scale
    top: float
    bottom: float
    left: float = 64.0
    right: float = 700.0

    def place(self, x: float, y: float) -> Point:
        """Coordinates of a point of the data."""
        return (
            self.left + self.across.share(x) * (self.right - self.left),
            self.bottom - self.up.share(y) * (self.bottom - self.top),
        )

    def frame(self, across: str, up: str) -> Iterator[Drawn]:
        """Grid, numbers, and the names of both directions."""
        for value, words in self.up.ticks():
            yield from self.rule(value, words)
        for value, words in self.across.ticks():
            place = self.left + self.across.share(value) * (self.right - self.left)
            yield line("tick", (place, self.bottom), (place, self.bottom + 5.0))
            yield text(words, place, self.bottom + 18.0, "small", "middle")
        yield text(up, self.left, self.top - 8.0, "faint")
        yield text(across, self.right, self.bottom + 34.0, "faint", "end")

    def rule(self, value: float, words: str) -> Iterator[Drawn]:
        """A line of the grid at one value, with its number."""
        _, height = self.place(0.0, value)
        yield line("grid", (self.left, height), (self.right, height))
        yield text(words, self.left - 6.0, height + 4.0, "small", "end")

    def marks(self, look: str, points: Iterable[Point]) -> Iterator[Drawn]:
        """A square on each point."""
        for x, y in points:
            left, top = self.place(x, y)
            yield box(look, left - _MARK / 2.0, top - _MARK / 2.0, _MARK, _MARK)

    def trace(self, look: str, points: Iterable[Point]) -> Drawn:
        """A line through the points."""
        return trace(look, (self.place(x, y) for x, y in points))

    def level(self, look: str, value: float, words: str) -> Iterator[Drawn]:
        """A line across at one value, with its name."""
        _, height = self.place(0.0, value)
        yield line(look, (self.left, height), (self.right, height))
        yield text(words, self.left + 6.0, height - 5.0, "small")


def legend(keys: Iterable[tuple[str, str]], left: float, top: float) -> Iterator[Drawn]:
    """A legend in one row.

    Args:
        keys: looks and their meanings.
        left: where the row begins.
        top: its vertical coordinate.
    """
    for look, words in keys:
        yield box(f"key {look}", left, top, _KEY, _KEY)
        yield text(words, left + _KEY + 5.0, top + _KEY - 1.0, "small")
        left += _KEY + 22.0 + _LETTER * len(words)
