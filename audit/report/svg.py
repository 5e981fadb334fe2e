"""Pictures as SVG: elements, and drawings in a page or in a file of their own."""

from __future__ import annotations

import html
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources

from audit.errors import visible

_MARGIN = 14.0
"""Around a drawing in a file of its own."""


class Drawn(str):
    """Markup that is not to be escaped once more."""

    __slots__ = ()

    def __html__(self) -> str:
        return str(self)


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


def trace(look: str, places: Iterable[tuple[float, float]]) -> Drawn:
    """A line through several places."""
    return element("polyline", look=f"trace {look}", points=_points(places))


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
        box = f"0 0 {self.width:g} {self.height:g}"
        return element("svg", *self._inside, viewBox=box, role="img", xmlns=_SVG)

    @property
    def file(self) -> bytes:
        """A file of its own, with its looks."""
        width, height = self.width + 2.0 * _MARGIN, self.height + 2.0 * _MARGIN
        whole = element(
            "svg",
            element("style", looks()),
            *self._inside,
            look="dp-audit",
            viewBox=f"{-_MARGIN:g} {-_MARGIN:g} {width:g} {height:g}",
            width=width,
            height=height,
            role="img",
            xmlns=_SVG,
        )
        return f"{whole}\n".encode()

    @property
    def _inside(self) -> tuple[Drawn, ...]:
        return element("title", self.title), *self.parts


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
