"""The classic picture of one pair: frequencies per bin, and beneath them their ratios."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from audit.report.bin_axis import BinAxis, function_steps
from audit.report.curve import LEAST, Curve, Points
from audit.report.figures import BLUE, ORANGE, VERMILLION, YELLOW, legend_above, short, style
from audit.report.numerals import number
from audit.report.ratio_panel import draw_ratios
from audit.report.tables import title
from audit.verdict.intervals import Estimate
from audit.verdict.pair_table import PairTable
from audit.verdict.result import AuditResult


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
