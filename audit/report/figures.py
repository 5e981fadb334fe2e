"""Common style of figures: colours, type sizes, and reproducible files."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import findfont, get_font

from audit.errors import visible
from audit.report.svg import compact

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
