"""Scalable pictures as text: elements whose looks are classes, so that a style sheet decides."""

from __future__ import annotations

import html
from collections.abc import Iterable

from audit.errors import visible


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


def box(look: str, x: float, y: float, width: float, height: float) -> Drawn:
    """A rectangle; without an extent none."""
    if width <= 0 or height <= 0:
        return Drawn()
    return element("rect", look=look, x=x, y=y, width=width, height=height)


def shape(look: str, corners: Iterable[tuple[float, float]]) -> Drawn:
    """A closed polygon."""
    points = " ".join(f"{_written(x)},{_written(y)}" for x, y in corners)
    return element("polygon", look=look, points=points)


def picture(title: str, width: float, height: float, parts: Iterable[str]) -> Drawn:
    """A picture that fills the width it is given; its title is read aloud."""
    return element(
        "svg",
        element("title", title),
        *parts,
        viewBox=f"0 0 {width:g} {height:g}",
        role="img",
        xmlns="http://www.w3.org/2000/svg",
    )


def escaped(words: str) -> str:
    """Text without markup, and without characters that do not print."""
    return words if isinstance(words, Drawn) else html.escape(visible(words))


def _written(value: float | str) -> str:
    if isinstance(value, str):
        return html.escape(visible(value))
    return f"{round(value, 1) + 0.0:.1f}".removesuffix(".0")
