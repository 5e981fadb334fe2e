"""Figures: their common style, and all lower bounds of an index against the truth."""

from __future__ import annotations

import io
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import findfont, get_font

from audit.errors import visible
from audit.report.formatting import number
from audit.report.svg import compact
from audit.verdict.result import Verdict

BLUE = "#0072B2"
ORANGE = "#E69F00"
VERMILLION = "#D55E00"
GREY = "#6B6B6B"
PALE = "#DDE7EF"
YELLOW = "#F0E442"
"""Okabe and Ito's palette, which colour-blind readers can tell apart."""

_FONT = "DejaVu Sans"
"""It comes with matplotlib, so that figures look alike everywhere."""

_STYLE: dict[Any, Any] = {
    "font.family": _FONT,
    "font.size": 10.0,
    "axes.titlesize": 12.0,
    "axes.labelsize": 10.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.labelsize": 9.5,
    "ytick.labelsize": 9.5,
    "legend.fontsize": 9.5,
    "legend.frameon": False,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "svg.hashsalt": "dp-audit",
    "svg.fonttype": "none",
    "text.usetex": False,
    "text.parse_math": False,
}


@contextmanager
def style() -> Iterator[None]:
    """The settings under which figures are built and written, whatever the user's own are."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_STYLE)
        yield


def image(figure: Figure, kind: str) -> bytes:
    """The figure as a file: `svg` or `png`, the same bytes for the same figure."""
    target = io.BytesIO()
    metadata = {"Date": None} if kind == "svg" else {"Software": None}
    with style():
        figure.savefig(target, format=kind, metadata=metadata, dpi=150)
    content = target.getvalue()
    return compact(content, _FONT) if kind == "svg" else content


def short(text: str, limit: int) -> str:
    """Text that fits a label, in characters the figures' font can draw."""
    shown = visible(text)
    if len(shown) > limit:
        shown = f"{shown[: limit - 1]}…"
    return "".join(c if ord(c) in _drawable() else ascii(c)[1:-1] for c in shown)


@cache
def _drawable() -> frozenset[int]:
    return frozenset(get_font(findfont(_FONT)).get_charmap())


def legend_above(axes: Axes, columns: int = 3) -> None:
    """A legend on top of the axes, where it covers no data."""
    axes.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=columns, borderaxespad=0.3)


_LOOKS = {
    Verdict.VIOLATION: ("violation", "o", VERMILLION),
    Verdict.NOT_REFUTED: ("not refuted", "s", BLUE),
    Verdict.INCONCLUSIVE: ("inconclusive", "D", GREY),
}
_WRONG = "#F1F1F1"
_APART = 0.02
"""Distance between neighbors that would lie on top of each other, in widths of the axes."""


_PLACES = 11
"""How many of them fit into the strip at the right edge."""


@dataclass(frozen=True, slots=True)
class Point:
    """One audit: the true epsilon, the bound found, the verdict."""

    truth: float
    bound: float
    verdict: Verdict


def bound_figure(points: Sequence[Point]) -> Figure:
    """Each audit's lower bound on epsilon against its mechanism's true epsilon.

    Mechanisms for which no finite epsilon holds stand in a strip of their own
    at the right edge, side by side; audits without a bound in one at the foot.
    """
    across = EdgedScale.over([p.truth for p in points])
    upward = EdgedScale.over([p.bound for p in points])
    with style():
        figure = Figure(figsize=(9.0, 6.2), layout="constrained")
        axes = figure.subplots()
        if across.low < upward.high and upward.low < across.high:
            _ground(axes, across, upward)
        if across.endless:
            axes.axvspan(across.high_edge, across.limits[1], color=PALE, linewidth=0)
        _draw(axes, across, upward, points)
        axes.set_xticks(*across.ticks("0", "∞"))
        axes.set_yticks(*upward.ticks("none", "∞"))
        axes.set_xlim(*across.limits)
        axes.set_ylim(*upward.limits)
        axes.set_xlabel("true ε of the mechanism (∞: no finite ε holds)")
        axes.set_ylabel("ε at least, as found by the audit")
        axes.set_title("What the audits found, against the truth", loc="left", pad=26.0)
        legend_above(axes, 4)
        return figure


def _ground(axes: Axes, across: EdgedScale, upward: EdgedScale) -> None:
    """The diagonal, above it the region of wrong bounds, and the strip of infinite truths."""
    ends = [max(across.low, upward.low), min(across.high, upward.high)]
    x, y = [across.place(v) for v in ends], [upward.place(v) for v in ends]
    axes.plot(x, y, color="black", linewidth=1.2, label="bound = truth")
    top = upward.limits[1]
    axes.fill_between([across.limits[0], *x], [y[0], *y], top, color=_WRONG, linewidth=0)
    axes.text(
        0.03,
        0.95,
        "a bound in here\nwould be wrong",
        transform=axes.transAxes,
        color=GREY,
        fontsize=9.5,
        va="top",
    )


def _draw(axes: Axes, across: EdgedScale, upward: EdgedScale, points: Sequence[Point]) -> None:
    taken: Counter[int] = Counter()
    width = across.limits[1] - across.limits[0]
    for verdict, (name, marker, colour) in _LOOKS.items():
        found = sorted((p for p in points if p.verdict is verdict), key=lambda p: p.bound)
        if not found:
            continue
        y = [upward.place(p.bound) for p in found]
        x = [across.place(p.truth) for p in found]
        for i, point in enumerate(found):
            if math.isinf(point.truth):
                x[i] += _APART * width * _turn(taken, round(y[i] / _APART))
        axes.plot(
            x,
            y,
            marker,
            color=colour,
            markersize=7.0,
            alpha=0.85,
            markeredgecolor="white",
            markeredgewidth=0.7,
            label=name,
        )


def _turn(taken: Counter[int], row: int) -> int:
    """0, 1, -1, 2, -2, ... for those that share a row, over again when it is full."""
    order = taken[row] % _PLACES
    taken[row] += 1
    return (order + 1) // 2 * (1 if order % 2 else -1)


_SMALLEST = 1e-3
_LARGEST = 1e6
_ROUND = (1.0, 2.0, 5.0, 10.0)
_STRIP = 0.16
"""Width of an edge, as a share of the scale between them."""


@dataclass(frozen=True, slots=True)
class EdgedScale:
    """Positions from 0 at `low` to 1 at `high`, edges outside.

    Attributes:
        low: the smallest value drawn to scale.
        high: the largest one.
        empty: whether smaller values need an edge.
        endless: whether larger ones do.
    """

    low: float
    high: float
    empty: bool
    endless: bool

    @classmethod
    def over(cls, values: Sequence[float]) -> EdgedScale:
        """A scale on which all these values have a place."""
        inside = [v for v in values if _SMALLEST <= v <= _LARGEST] or [1.0]
        low, high = _round_down(min(inside) / 1.1), 1.0 / _round_down(1.0 / (max(inside) * 1.1))
        return cls(low, high, any(v < _SMALLEST for v in values), any(v > _LARGEST for v in values))

    @property
    def low_edge(self) -> float:
        return -_STRIP / 3.0 if self.empty else 0.0

    @property
    def high_edge(self) -> float:
        return 1.0 + _STRIP / 4.0 if self.endless else 1.0

    @property
    def limits(self) -> tuple[float, float]:
        """First and last number on the axis."""
        return (
            self.low_edge - (_STRIP / 2.0 if self.empty else 0.0),
            self.high_edge + (2.0 * _STRIP if self.endless else 0.0),
        )

    def place(self, value: float) -> float:
        """The position of a value: to scale inside, in the middle of an edge outside."""
        if value < _SMALLEST:
            return (self.low_edge + self.limits[0]) / 2.0
        if value > _LARGEST:
            return (self.high_edge + self.limits[1]) / 2.0
        return math.log(value / self.low) / math.log(self.high / self.low)

    def ticks(self, nothing: str, infinity: str) -> tuple[list[float], list[str]]:
        """Positions and names: round numbers, and the edges where there are any."""
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        steps = _ROUND[:3] if len(powers) <= 5 else _ROUND[:1]
        values = [step * 10.0**power for power in powers for step in steps]
        inside = [v for v in values if self.low / 1.001 <= v <= self.high * 1.001]
        places, names = [self.place(v) for v in inside], [number(v) for v in inside]
        if self.empty:
            places, names = [self.place(0.0), *places], [nothing, *names]
        if self.endless:
            places, names = [*places, self.place(math.inf)], [*names, infinity]
        return places, names


def _round_down(value: float) -> float:
    """The largest of ..., 0.5, 1, 2, 5, 10, ... that is no larger."""
    power = 10.0 ** math.floor(math.log10(value))
    return max(step * power for step in _ROUND if step * power <= value * 1.0001)
