"""Scalable pictures as text: elements, and files without what nobody sees.

Marks drawn by reference become paths, neighboring paths of one look become one
path, looks become classes, and places are rounded to a tenth of a point, which
is less than a pixel.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from audit.errors import visible

_SVG = "{http://www.w3.org/2000/svg}"
_HREF = "{http://www.w3.org/1999/xlink}href"
_PLACES = ("d", "x", "y", "points", "transform", "width", "height")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
_STRAIGHT = re.compile(r"[MLz\d.\s-]+")
_STEP = re.compile(r"([ML])\s*(\S+)\s+(\S+)|z")
_UPRIGHT = re.compile(r"rotate\(0 [^)]*\)")
_REFERENCE = re.compile(r"url\(#([^)]+)\)")
_LOOKS = ("style", "clip-path")


def compact(content: bytes, font: str) -> bytes:
    """The same picture in fewer bytes.

    Args:
        content: an SVG file as matplotlib writes it, text as text.
        font: the family all of its text is set in; named once, with substitutes
            for readers whose system lacks it.
    """
    ElementTree.register_namespace("", _SVG[1:-1])
    ElementTree.register_namespace("xlink", _HREF[1:].partition("}")[0])
    root = ElementTree.fromstring(content)
    for metadata in root.findall(f"{_SVG}metadata"):
        root.remove(metadata)
    paths = (path for path in root.iter(f"{_SVG}path") if _STRAIGHT.fullmatch(path.get("d", "")))
    marks = {path.get("id"): path for path in paths}
    for element in list(root.iter()):
        _draw_here(element, marks)
        _round(element)
    _drop_names(root)
    _unwrap(root)
    for path in root.iter(f"{_SVG}path"):
        # A line without points is written without its path.
        path.set("d", _shorter(path.get("d", "")))
    _join(root)
    rules = _classes(root, font)
    style = next(root.iter(f"{_SVG}style"))
    style.text = f"{style.text}text{{font-family:'{font}',Verdana,sans-serif}}{rules}"
    written: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return written + b"\n"


def _draw_here(element: Element, marks: dict[str | None, Element]) -> None:
    """Put a mark of straight lines where it is referred to."""
    mark = marks.get(element.get(_HREF, "")[1:])
    if element.tag != f"{_SVG}use" or mark is None:
        return
    own = element.attrib
    shift = (float(own.pop("x", "0")), float(own.pop("y", "0")))
    turn = iter(range(10**9))
    path = _NUMBER.sub(lambda n: str(float(n[0]) + shift[next(turn) % 2]), mark.attrib["d"])
    # What the mark says of itself goes before what its place says.
    style = _properties(own.get("style", "")) | _properties(mark.get("style", ""))
    element.tag = f"{_SVG}path"
    del own[_HREF]
    own |= {"d": path, "style": _style(style)}


def _properties(style: str) -> dict[str, str]:
    pairs = (part.partition(":") for part in style.split(";") if part.strip())
    return {key.strip(): value.strip() for key, _, value in pairs}


def _style(properties: dict[str, str]) -> str:
    return ";".join(f"{key}:{value}" for key, value in properties.items())


def _round(element: Element) -> None:
    """To a tenth of a point; spaces that no text needs go too."""
    own = element.attrib
    for name in own.keys() & set(_PLACES):
        own[name] = " ".join(_NUMBER.sub(_tenths, own[name]).split())
    if _UPRIGHT.fullmatch(own.get("transform", "")):
        del own["transform"]
    if "style" in own:
        own["style"] = _style(_properties(own["style"]))
    if not (element.text or "").strip():
        element.text = None
    element.tail = None


def _tenths(number: re.Match[str]) -> str:
    return f"{round(float(number[0]), 1) + 0.0:.1f}".removesuffix(".0")


def _shorter(path: str) -> str:
    """A path of straight lines by steps across and up; others stay as they are."""
    if not _STRAIGHT.fullmatch(path):
        return path
    written, before, first = "", (0, 0), (0, 0)
    for step in _STEP.finditer(path):
        if step[0] == "z":
            written, before = f"{written}z", first
            continue
        here = (round(float(step[2]) * 10), round(float(step[3]) * 10))
        across, up = here[0] - before[0], here[1] - before[1]
        if step[1] == "M":
            written, first = f"{written}M{here[0] / 10:g} {here[1] / 10:g}", here
        elif across and up:
            written += f"l{across / 10:g} {up / 10:g}"
        else:
            written += f"v{up / 10:g}" if up else f"h{across / 10:g}"
        before = here
    return written


def _names_used(root: Element) -> set[str]:
    """Names that an attribute refers to."""
    values = [value for element in root.iter() for value in element.attrib.values()]
    used = {value[1:] for value in values if value.startswith("#")}
    return used | {name for value in values for name in _REFERENCE.findall(value)}


def _drop_names(root: Element) -> None:
    """Without names nobody refers to, nor marks that all have been drawn elsewhere."""
    used = _names_used(root)
    for element in root.iter():
        if element.tag == f"{_SVG}defs":
            for child in [c for c in element if c.get("id", "") not in used and c.get("id")]:
                element.remove(child)
        elif element.get("id") not in used:
            element.attrib.pop("id", None)


def _unwrap(parent: Element) -> None:
    """Put the children of groups that say nothing, or only clip paths, in their place."""
    for child in list(parent):
        _unwrap(child)
        clip = child.attrib.keys() == {"clip-path"} and all(c.tag == f"{_SVG}path" for c in child)
        empty = child.tag == f"{_SVG}defs" and not len(child)
        if empty or (child.tag == f"{_SVG}g" and (clip or not child.attrib)):
            place = list(parent).index(child)
            parent.remove(child)
            for shift, grandchild in enumerate(child):
                grandchild.attrib |= child.attrib
                parent.insert(place + shift, grandchild)


def _join(parent: Element) -> None:
    """Make neighboring paths of one look one path, unless one would shine through another."""
    before: Element | None = None
    for child in list(parent):
        _join(child)
        alike = before is not None and _look(before) == _look(child) is not None
        if before is not None and alike:
            before.attrib["d"] += child.attrib["d"]
            parent.remove(child)
        else:
            before = child


def _look(element: Element) -> tuple[str | None, ...] | None:
    """Attributes that decide how a path looks; None for a path that must stay by itself."""
    own = element.attrib
    if element.tag != f"{_SVG}path" or not own.keys() <= {"d", *_LOOKS}:
        return None
    return None if "opacity" in own.get("style", "") else tuple(own.get(name) for name in _LOOKS)


def _classes(root: Element, font: str) -> str:
    """Replace looks by classes; the rules that say what the classes mean."""
    names: dict[str, str] = {}
    for element in root.iter():
        look = ";".join(_look_of(element, font))
        if look:
            element.set("class", names.setdefault(look, f"c{len(names)}"))
    return "".join(f".{name}{{{look}}}" for look, name in names.items())


def _look_of(element: Element, font: str) -> Iterator[str]:
    style = element.attrib.pop("style", "").replace(f";font-family:'{font}'", "")
    clip = element.attrib.pop("clip-path", "")
    yield from [style] if style else []
    yield from [f"clip-path:{clip}"] if clip else []


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
