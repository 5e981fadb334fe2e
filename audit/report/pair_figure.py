"""The classic picture of one pair: frequencies per bin, and beneath them their ratios."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator

from audit.claims import Claim
from audit.report.figures import (
    BLUE,
    GREY,
    ORANGE,
    PALE,
    VERMILLION,
    YELLOW,
    legend_above,
    short,
    style,
)
from audit.report.formatting import number
from audit.report.picture_data import LEAST, BinAxis, Curve, Points, function_steps
from audit.report.tables import title
from audit.report.witness_sides import allowed_ratios
from audit.verdict.intervals import Estimate
from audit.verdict.pair_table import Bin, PairTable
from audit.verdict.result import AuditResult

_LARGEST = 1e6
_SMALLEST = 1.5
_NARROW = 4.0
_LONGEST_CLAIM = 56
_LEVEL = 0.01
"""A limit that varies by less than this share is named beside the axes."""
_SHORT = 1e3
"""An interval whose ends are within this factor of each other is shown whole."""


def draw_ratios(axes: Axes, table: PairTable, claim: Claim) -> None:
    """p/q of every bin with its interval, over the band of ratios the claim allows.

    The axis reaches as far down as up. A ratio of infinity or of zero is an
    arrow at the edge, and intervals that reach beyond the axis end there.
    """
    allowed = allowed_ratios(table.bins, claim)
    reach = _reach(table.bins, allowed)
    _band(axes, allowed, reach, claim)
    for place, cell in enumerate(table.bins):
        if cell.p.estimate > 0 or cell.q.estimate > 0:
            _ratio(axes, place + 0.5, cell, reach)
    _legend_entries(axes, table)
    _scale(axes, reach, table.name)


def _reach(bins: Sequence[Bin], allowed: Sequence[tuple[float, float]]) -> float:
    """The axis runs from 1/reach to reach: all estimates, and the ends that matter."""
    found = [end for b in bins for end in (b.ratio.estimate, *_telling_ends(b))]
    sizes = [_size(end) for end in found]
    sizes += [_size(end) ** 1.5 for ends in allowed for end in ends if 0.0 < end < math.inf]
    return float(min(_LARGEST, max([_SMALLEST, *sizes]) ** 1.15))


def _size(ratio: float) -> float:
    """Distance of a ratio from 1, either way; arrows take no room."""
    if ratio == 0.0 or math.isinf(ratio):
        return 1.0
    return min(max(ratio, 1.0 / ratio), _LARGEST)


def _telling_ends(cell: Bin) -> tuple[float, ...]:
    """Ends of an interval worth room on the axis: both, or the inner one of an arrow."""
    ratio = cell.ratio
    if math.isinf(ratio.estimate):
        return (ratio.low,) if ratio.low > 1.0 else ()
    if ratio.estimate == 0.0:
        return (ratio.high,) if ratio.high < 1.0 else ()
    return (ratio.low, ratio.high) if ratio.high < _SHORT * ratio.low else ()


def _band(axes: Axes, allowed: Sequence[tuple[float, float]], reach: float, claim: Claim) -> None:
    edges = np.arange(len(allowed) + 1)
    low, high = np.clip(np.array(allowed), 1.0 / reach, reach).T
    name = short(f"allowed by {claim}", _LONGEST_CLAIM)
    axes.stairs(high, edges, baseline=low, fill=True, color=PALE, label=name)
    for ends, words, anchor in ((high, "p/q", "bottom"), (low, "q/p", "top")):
        axes.stairs(ends, edges, baseline=None, color=BLUE, linewidth=1.4)
        limit = max(ends[0], 1.0 / ends[0])
        if np.ptp(np.log(ends)) < _LEVEL and limit < reach:
            power = f"e^{number(math.log(limit))}"
            _beside(axes, ends[0], f"{words} ≤ {power}\n= {number(limit)}", BLUE, anchor)
    axes.axhline(1.0, color=GREY, linewidth=0.8, linestyle=":")


def _ratio(axes: Axes, place: float, cell: Bin, reach: float) -> None:
    colour = VERMILLION if cell.flagged else "black"
    low, high = np.clip([cell.ratio.low, cell.ratio.high], 1.0 / reach, reach)
    axes.plot([place, place], [low, high], color=colour, linewidth=1.6, solid_capstyle="butt")
    value, marker = float(np.clip(cell.ratio.estimate, 1.0 / reach, reach)), "o"
    if value == reach:
        value, marker = reach**0.95, "^"
    elif value == 1.0 / reach:
        value, marker = reach**-0.95, "v"
    face = colour if cell.flagged else "white"
    axes.plot(place, value, marker, color=colour, markerfacecolor=face, markersize=6.5)


def _legend_entries(axes: Axes, table: PairTable) -> None:
    axes.plot([], [], "o-", color="black", markerfacecolor="white", label="p/q with interval")
    if not table.satisfied:
        axes.plot([], [], "o-", color=VERMILLION, label="interval wholly outside (!)")
    if any(math.isinf(b.ratio.estimate) for b in table.bins):
        axes.plot([], [], "^", color="black", markerfacecolor="white", label="infinite (q = 0)")
    if any(b.ratio.estimate == 0.0 for b in table.bins):
        axes.plot([], [], "v", color="black", markerfacecolor="white", label="zero (p = 0)")


def _scale(axes: Axes, reach: float, name: str) -> None:
    axes.set_yscale("log")
    axes.set_ylim(1.0 / reach, reach)
    narrow = reach < _NARROW
    subs = (1.0,) if reach > 30.0 else (1.0, 2.0, 5.0)
    axes.yaxis.set_major_locator(MaxNLocator(6) if narrow else LogLocator(subs=subs))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: number(value)))
    axes.set_ylabel("ratio p/q (log scale)")
    _beside(axes, reach, "more likely\non D", GREY, "top")
    _beside(axes, 1.0 / reach, f"more likely\non {short(name, 12)}", GREY, "bottom")


def _beside(axes: Axes, value: float, text: str, colour: str, anchor: str) -> None:
    """Words to the right of the axes, where they cover no data."""
    axes.annotate(
        text,
        (1.01, value),
        xycoords=("axes fraction", "data"),
        color=colour,
        va=anchor,
        fontsize=9.0,
        annotation_clip=False,
    )


def pair_figure(result: AuditResult, table: PairTable) -> Figure:
    """Frequencies on both sides with intervals, and the ratio against what the claim allows.

    Args:
        result: its claim decides the band of allowed ratios, and its witness'
            event is shaded where the table's bins can show it.
        table: one of the result's pairs.
    """
    witness = result.witness
    with style():
        curve = Curve.of(result)
        figure = Figure(figsize=(9.0, 7.4 if curve is None else 10.6), layout="constrained")
        above, below = _panels(figure, result, curve)
        axis = BinAxis.of(table)
        if witness is not None and witness.pair == table.name:
            spans = axis.spans(witness.event)
            shaded = "event E of the witness" if witness.function is None else "where h is high"
            _shade(above, spans, shaded)
            _shade(below, spans, None)
            _function(above, function_steps(table.bins, table.feature, witness))
        _frequencies(above, table)
        draw_ratios(below, table, result.claim)
        axis.label(below, short)
        words = textwrap.wrap(short(f"{result.mechanism}, {title(table)}", 180), 92)
        above.set_title("\n".join(words), loc="left", pad=26.0)
        legend_above(above)
        legend_above(below)
        return figure


def _panels(figure: Figure, result: AuditResult, curve: Curve | None) -> tuple[Axes, Axes]:
    """The two of the pair; beneath them that of the curve where one is claimed."""
    if curve is None:
        above, below = figure.subplots(2, 1, sharex=True)
        return above, below
    above, below, beneath = figure.subplots(3, 1)
    below.sharex(above)
    draw_curve(beneath, curve, result)
    legend_above(beneath)
    return above, below


def _shade(axes: Axes, spans: Sequence[tuple[float, float]], name: str | None) -> None:
    for low, high in spans:
        axes.axvspan(low, high, color=YELLOW, alpha=0.35, linewidth=0, label=name, zorder=0)
        name = None


def _function(axes: Axes, steps: Sequence[tuple[float, float, float]]) -> None:
    """A function from 0 to 1 over the bins, on an axis of its own."""
    if not steps:
        return
    right = axes.twinx()
    values = [value for _, _, value in steps]
    edges = [steps[0][0], *(high for _, high, _ in steps)]
    right.stairs(values, edges, color="black", linewidth=1.2, label="function h")
    right.set_ylim(0.0, 1.05)
    right.set_ylabel("h")
    axes.plot([], [], color="black", linewidth=1.2, label="function h")


def _frequencies(axes: Axes, table: PairTable) -> None:
    _bars(axes, 0.3, [b.p for b in table.bins], BLUE, "p, share of runs on D")
    _bars(axes, 0.7, [b.q for b in table.bins], ORANGE, f"q, on {short(table.name, 20)}")
    axes.set_ylabel("share of runs, with interval")
    axes.set_ylim(bottom=0.0)


def _bars(axes: Axes, shift: float, found: Sequence[Estimate], colour: str, name: str) -> None:
    places = [place + shift for place in range(len(found))]
    low, height, high = np.array([(e.low, e.estimate, e.high) for e in found]).T
    reach = np.maximum([height - low, high - height], 0.0)
    axes.bar(places, height, 0.38, color=colour, label=name)
    axes.errorbar(places, height, reach, fmt="none", ecolor="black", elinewidth=1.0, capsize=2.0)


def draw_curve(axes: Axes, curve: Curve, result: AuditResult) -> None:
    """Delta over epsilon, on a logarithmic axis."""
    shift = number(result.levels[result.claim.bound])
    _points(axes, curve.claimed, "o", BLUE, "claimed rows")
    _points(axes, curve.moved, "s", ORANGE, f"moved by {shift}: broken")
    if curve.shown:
        epsilons, deltas = zip(*curve.shown, strict=True)
        words = "δ at least, by p and q"
        axes.plot(epsilons, deltas, color=VERMILLION, linewidth=1.6, label=words)
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(FuncFormatter(lambda delta, _: f"{delta:g}"))
    axes.set_ylim(LEAST, curve.highest * 2.0)
    axes.set_xlim(-0.02 * curve.farthest, curve.farthest * 1.04)
    axes.set_xlabel("ε")
    axes.set_ylabel("δ(ε)")


def _points(axes: Axes, points: Points, marker: str, colour: str, label: str) -> None:
    if points:
        epsilons, deltas = zip(*points, strict=True)
        axes.plot(
            epsilons, deltas, marker, color=colour, markersize=5.0, fillstyle="none", label=label
        )
