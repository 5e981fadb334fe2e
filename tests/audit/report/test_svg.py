"""Smaller SVG files show the same picture, read here by an interpreter of its own."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest
from matplotlib.figure import Figure

from audit.report.benchmark import benchmark_figure
from audit.report.figures import Point, bound_figure, style
from audit.report.pair_figure import pair_figure
from audit.report.svg import compact
from audit.verdict.result import Verdict

from .sample_results import all_samples

pytestmark = pytest.mark.lowest

SVG, HREF = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1999/xlink}href"
TOKEN = re.compile(r"[A-Za-z]|-?\d*\.?\d+(?:e-?\d+)?")
FONT = "DejaVu Sans"
POINTS = [
    Point(1.0, 0.97, Verdict.NOT_REFUTED),
    Point(2.0, 1.9, Verdict.VIOLATION),
    Point(math.inf, 5.1, Verdict.VIOLATION),
]


@dataclass(frozen=True)
class Stroke:
    """One line, outline or text as a reader sees it.

    Attributes:
        look: color, width and so on, with the rectangle it is clipped to.
        text: empty for a line.
        points: the places it goes through, or where the text starts.
        closed: whether it ends where it began.
    """

    look: tuple[tuple[str, str], ...]
    text: str
    points: tuple[tuple[float, float], ...]
    closed: bool = False


def strokes(content: bytes) -> list[Stroke]:
    """All that is drawn, in order."""
    root = ElementTree.fromstring(content)
    named = {element.get("id", ""): element for element in root.iter()}
    sheet = "".join(element.text or "" for element in root.iter(f"{SVG}style"))
    rules = dict(re.findall(r"\.(\w+)\{([^}]*)\}", sheet))
    return list(_drawn(root, {}, named, rules))


def _drawn(
    element: Element, look: dict[str, str], named: dict[str, Element], rules: dict[str, str]
) -> Iterator[Stroke]:
    if element.tag == f"{SVG}defs":
        return
    look = look | _look(element, rules)
    shift = (0.0, 0.0)
    shape: Element | None = element
    if element.tag == f"{SVG}use":
        shape = named[element.attrib[HREF][1:]]
        shift = (float(element.get("x", "0")), float(element.get("y", "0")))
        look = look | _look(shape, rules)
    seen = dict(look)
    if "clip-path" in seen:
        clip = named[seen["clip-path"][5:-1]]
        seen["clip-path"] = str([_place(float(clip[0].attrib[k])) for k in ("x", "y")])
    seen.pop("font-family", None)
    key = tuple(sorted(seen.items()))
    if element.tag == f"{SVG}text":
        turn = element.get("transform", "")
        moved = [float(number) for number in TOKEN.findall(turn.partition("(")[2])][-2:]
        place = (float(element.get("x") or moved[0]), float(element.get("y") or moved[1]))
        turned = (("turned", str(turn.startswith("rotate(-90"))),)
        yield Stroke(key + turned, element.text or "", (place,))
    elif shape is not None and shape.tag == f"{SVG}path":
        for points, closed in _walked(shape.get("d", "")):
            yield Stroke(key, "", tuple((x + shift[0], y + shift[1]) for x, y in points), closed)
    else:
        for child in element:
            yield from _drawn(child, look, named, rules)


def _look(element: Element, rules: dict[str, str]) -> dict[str, str]:
    own = f"{element.get('style', '')};{rules.get(element.get('class', ''), '')}"
    parts = (part.partition(":") for part in own.split(";") if part.strip())
    look = {key.strip(): value.strip() for key, _, value in parts}
    if "clip-path" in element.attrib:
        look["clip-path"] = element.attrib["clip-path"]
    return look


def _walked(path: str) -> Iterator[tuple[list[tuple[float, float]], bool]]:
    """The lines of a path, in absolute places; of curves their control points too."""
    tokens = TOKEN.findall(path)
    points: list[tuple[float, float]] = []
    command, place = "", 0
    while place < len(tokens):
        if tokens[place].isalpha():
            command, place = tokens[place], place + 1
            if command == "M" and points:
                yield points, False
                points = []
        if command == "z":
            yield points, True
            points = []
            continue
        x, y = points[-1] if points else (0.0, 0.0)
        if command in "hv":
            step = float(tokens[place])
            points.append((x + step, y) if command == "h" else (x, y + step))
            place += 1
            continue
        a, b = float(tokens[place]), float(tokens[place + 1])
        points.append((x + a, y + b) if command == "l" else (a, b))
        place += 2
    if points:
        yield points, False


def _place(value: float) -> float:
    return round(value, 1)


def written(figure: Figure) -> bytes:
    target = io.BytesIO()
    with style():
        figure.savefig(target, format="svg", metadata={"Date": None})
    return target.getvalue()


FIGURES = {
    f"{name}-{place}": (result, pair)
    for name, result in all_samples().items()
    for place, pair in enumerate(result.pairs)
}


def same(content: bytes) -> None:
    smaller = compact(content, FONT)
    before, after = strokes(content), strokes(smaller)
    assert [(s.look, s.text, s.closed, len(s.points)) for s in after] == [
        (s.look, s.text, s.closed, len(s.points)) for s in before
    ]
    for one, two in zip(before, after, strict=True):
        for left, right in zip(one.points, two.points, strict=True):
            assert left == pytest.approx(right, abs=0.1001)
    assert len(smaller) < 0.5 * len(content)
    assert compact(content, FONT) == smaller


@pytest.mark.parametrize("name", FIGURES)
def test_figures_of_pairs_look_the_same(name: str) -> None:
    result, pair = FIGURES[name]
    same(written(pair_figure(result, pair)))


def test_the_figure_of_an_index_looks_the_same() -> None:
    same(written(bound_figure(POINTS)))


def test_the_figure_of_a_benchmark_looks_the_same() -> None:
    same(written(benchmark_figure([("raw", 1.0, 2.0, 0.5), ("global", 1.0, 0.0, 0.25)])))


@pytest.mark.slow
def test_texts_stay_texts_in_a_font_that_every_system_has_a_substitute_for() -> None:
    result = next(iter(all_samples().values()))
    smaller = compact(written(pair_figure(result, result.pairs[0])), FONT).decode("utf-8")
    assert "text{font-family:'DejaVu Sans',Verdana,sans-serif}" in smaller
    assert smaller.count("DejaVu Sans") == 1
    assert "metadata" not in smaller


def test_the_interpreter_sees_a_point_that_moved() -> None:
    drawing = (
        '<svg xmlns="http://www.w3.org/2000/svg"><style>.a{{fill:red}}</style>'
        '<path class="a" d="M1 2h{}v4z"/></svg>'
    )
    near, far = (strokes(drawing.format(step).encode()) for step in (3, 4))
    assert near != far
    assert near[0].points == ((1.0, 2.0), (4.0, 2.0), (4.0, 6.0))
    assert near[0].look == (("fill", "red"),)
