"""Canaries as they are opened: guesses right against what is allowed, their order, the bound."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from audit.canary.report.sentences import telling_rows
from audit.canary.result import CanaryResult, PrefixRow
from audit.report.figures import BLUE, GREY, ORANGE, VERMILLION, legend_above, short, style
from audit.report.numerals import number

_HEADROOM = 1.08
_LOWEST = 0.4
_FIRST = 0.9
"""Where a logarithmic axis begins."""
_STRIDE = 10
"""Points of the trace between two that the order is drawn for: single guesses say little."""


def canary_figure(result: CanaryResult) -> Figure:
    """Three panels over the canaries opened, the most confident guesses first.

    Which share of all that are opened is right, and which share the claim allows
    at each prefix; which share of those opened last is right, which shows whether
    confidence puts them in a useful order; and the bound that each prefix shows
    by itself, the largest of which is the result's, beside the claim.
    """
    rows = telling_rows(result)
    with style():
        figure = Figure(figsize=(9.0, 8.6), layout="constrained")
        shares, order, bounds = figure.subplots(3, 1, sharex=True, height_ratios=(4, 2, 3))
        _shares(shares, result, rows)
        _order(order, result)
        _bounds(bounds, result, rows)
        bounds.set_xscale("log")
        bounds.xaxis.set_major_formatter(FuncFormatter(lambda value, _: number(value)))
        bounds.set_xlabel("guesses opened, the most confident first")
        shares.set_title(short(f"{result.mechanism}, {result.claim}", 90), loc="left", pad=26.0)
        for axes in (shares, order, bounds):
            legend_above(axes)
        return figure


def _shares(axes: Axes, result: CanaryResult, rows: list[PrefixRow]) -> None:
    if result.opened:
        opened, right = np.array(result.opened).T
        axes.plot(opened, right / opened, color=GREY, linewidth=1.0, label="right, all guesses")
    right = [(row.guesses, row.correct / row.guesses) for row in rows]
    most = [(row.guesses, row.allowed / row.guesses) for row in rows if row.allowed is not None]
    named = f"right, {rows[0].strategy}" if rows else "right"
    for points, colour, marker, words in (
        (right, BLUE, "o", named),
        (most, VERMILLION, "_", "allowed by the claim"),
    ):
        sizes, shares = np.array(points).reshape(-1, 2).T
        axes.plot(sizes, shares, marker, color=colour, markersize=8, label=words)
    axes.set_ylim(_LOWEST, 1.02)
    axes.set_ylabel("share of the guesses")


def _order(axes: Axes, result: CanaryResult) -> None:
    """Of the guesses between two points, the share that is right."""
    points = np.array([(0, 0), *result.opened])
    kept = points[[0, *range(min(len(points) - 1, 1), len(points), _STRIDE)]]
    if len(points) > 1 and kept[-1][0] < points[-1][0]:
        kept = np.vstack([kept, points[-1]])
    opened, right = np.diff(kept, axis=0).T
    axes.stairs(
        right / np.maximum(opened, 1),
        np.maximum(kept[:, 0], _FIRST),
        color=BLUE,
        label="right among those opened last",
    )
    axes.axhline(0.5, color=GREY, linestyle="--", label="chance, fair coins")
    axes.set_ylim(0.0, 1.05)
    axes.set_ylabel("share")


def _bounds(axes: Axes, result: CanaryResult, rows: list[PrefixRow]) -> None:
    symbol, bound = result.claim.symbol, result.levels[result.claim.bound]
    axes.plot(
        [row.guesses for row in rows],
        [row.bound for row in rows],
        "o-",
        color=BLUE,
        label="shown by the prefix",
    )
    axes.axhline(bound, color=ORANGE, label="lower bound")
    claimed = result.claim.stated(result.claim.level)
    axes.axhline(claimed, color=GREY, linestyle="--", label="claimed")
    top = max([bound, claimed, 1e-3, *(row.bound for row in rows)])
    axes.set_ylim(0.0, _HEADROOM * top)
    axes.set_ylabel(f"{symbol} at least")
