"""Pictures as SVG: elements, drawings in a page or a file of their own, and axes of charts."""

from __future__ import annotations

import html
import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources

from audit.errors import visible
from audit.report.formatting import number

_MARGIN = 14.0
"""Around a drawing in a file of its own."""


class Drawn(str):
    """Markup that is not to be escaped once more."""

    __slots__ = ()


def element(name: str, *content: str, look: str = "", **places: float | str) -> Drawn:
    """One element; numbers are rounded to a tenth, which is less than a pixel.

    Args:
        name: of the element.
        content: elements, or text, which is escaped.
        look: its class.
        places: other attributes, underscores for hyphens.
    """
    attributes = {"class": look} if look else {}
    attributes |= {key.replace("_", "-"): _written(value) for key, value in places.items()}
    written = "".join(f' {key}="{value}"' for key, value in attributes.items())
    inside = "".join(escaped(part) for part in content)
    return Drawn(f"<{name}{written}>{inside}</{name}>")


def text(words: str, x: float, y: float, look: str, anchor: str = "start") -> Drawn:
    """Words at a place; they end or have their middle there where `anchor` says so."""
    return element("text", words, look=look, x=x, y=y, text_anchor=anchor)


def line(look: str, start: tuple[float, float], end: tuple[float, float]) -> Drawn:
    """A straight line."""
    return element("line", look=look, x1=start[0], y1=start[1], x2=end[0], y2=end[1])


def box(look: str, x: float, y: float, width: float, height: float) -> Drawn:
    """A rectangle; without an extent none."""
    if width <= 0 or height <= 0:
        return Drawn()
    return element("rect", look=look, x=x, y=y, width=width, height=height)


def shape(look: str, corners: Iterable[tuple[float, float]]) -> Drawn:
    """A closed polygon."""
    return element("polygon", look=look, points=_points(corners))


def _points(places: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{_written(x)},{_written(y)}" for x, y in places)


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture.

    Attributes:
        title: what it shows; it is read aloud.
        width: in its own coordinates.
        height: in its own coordinates.
        parts: its elements, from the back to the front.
    """

    title: str
    width: float
    height: float
    parts: tuple[Drawn, ...]

    @property
    def inline(self) -> Drawn:
        """An element that fills the width it is given and takes its looks from the page."""
        box, title = f"0 0 {self.width:g} {self.height:g}", element("title", self.title)
        return element("svg", title, *self.parts, viewBox=box, role="img", xmlns=_SVG)

    @property
    def file(self) -> bytes:
        """A file of its own, with its looks."""
        width, height = self.width + 2.0 * _MARGIN, self.height + 2.0 * _MARGIN
        whole = element(
            "svg",
            element("style", looks()),
            element("title", self.title),
            *self.parts,
            look="dp-audit",
            viewBox=f"{-_MARGIN:g} {-_MARGIN:g} {width:g} {height:g}",
            width=width,
            height=height,
            role="img",
            xmlns=_SVG,
        )
        return f"{whole}\n".encode()


_SVG = "http://www.w3.org/2000/svg"


@cache
def looks() -> Drawn:
    """The style sheet of drawings, light and dark."""
    return Drawn((resources.files("audit.report") / "picture.css").read_text("utf-8"))


def escaped(words: str) -> str:
    """Text without markup, and without characters that do not print."""
    return words if isinstance(words, Drawn) else html.escape(visible(words))


def _written(value: float | str) -> str:
    if isinstance(value, str):
        return html.escape(visible(value))
    return f"{round(value, 1) + 0.0:.1f}".removesuffix(".0")


_STEPS = (1.0, 2.0, 5.0)
_MARK = 6.0
_KEY = 10.0
_LETTER = 6.2
"""Width of a letter of a legend, roughly."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Scale(ABC):
    """One direction of a chart."""

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
        step = max(power * part for part in _STEPS if power * part <= most * 1.001)
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
            place, _ = self.place(value, self.up.low)
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
        places = _points(self.place(x, y) for x, y in points)
        return element("polyline", look=f"trace {look}", points=places)

    def level(self, look: str, value: float, words: str) -> Iterator[Drawn]:
        """A line across at one value, with its name."""
        _, height = self.place(0.0, value)
        yield line(look, (self.left, height), (self.right, height))
        yield text(words, self.left + 6.0, height - 5.0, "small")


def legend(keys: Iterable[tuple[str, str]], left: float, top: float) -> Iterator[Drawn]:
    """A legend in one row."""
    for look, words in keys:
        yield box(f"key {look}", left, top, _KEY, _KEY)
        yield text(words, left + _KEY + 5.0, top + _KEY - 1.0, "small")
        left += _KEY + 22.0 + _LETTER * len(words)
