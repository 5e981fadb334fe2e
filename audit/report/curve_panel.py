"""A claimed curve on axes: its rows, moved ones that are broken, what was shown of delta."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter

from audit.report.curve import LEAST, Curve, Points
from audit.report.figures import BLUE, ORANGE, VERMILLION
from audit.report.numerals import number
from audit.verdict.result import AuditResult


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
