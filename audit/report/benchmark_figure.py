"""Approaches over epsilon: their errors above, what audits could see of their epsilon below."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from audit.report.figures import BLUE, GREY, ORANGE, VERMILLION, legend_above, short, style
from audit.report.numerals import number

Point = tuple[str, float, float, float]
"""Approach, claimed epsilon, error, audited lower bound."""

_LOOKS = ((BLUE, "o"), (ORANGE, "s"), (VERMILLION, "^"), (GREY, "D"))


def benchmark_figure(points: Sequence[Point], error: str = "root mean squared error") -> Figure:
    """Two panels over the claimed epsilon.

    Args:
        points: one for each approach and epsilon.
        error: what the errors are, in words.
    """
    with style():
        figure = Figure(figsize=(7.0, 7.0), layout="constrained")
        above, below = figure.subplots(2, 1, sharex=True)
        for place, approach in enumerate(dict.fromkeys(point[0] for point in points)):
            own = sorted(point[1:] for point in points if point[0] == approach)
            _draw(above, [p[0] for p in own], [p[1] for p in own], approach, place)
            _draw(below, [p[0] for p in own], [p[2] for p in own], approach, place)
        claimed = sorted({point[1] for point in points})
        below.plot(claimed, claimed, color=GREY, linestyle="--", label="what is claimed")
        for axes, name in ((above, error), (below, "audited ε, a lower bound")):
            axes.set_yscale("log", nonpositive="mask")
            axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: number(value)))
            axes.set_ylabel(name)
        below.set_xlabel("claimed ε")
        below.set_xticks(claimed, [f"{value:g}" for value in claimed])
        legend_above(above)
        legend_above(below, 4)
        return figure


def _draw(axes: Axes, across: list[float], up: list[float], name: str, place: int) -> None:
    colour, marker = _LOOKS[place % len(_LOOKS)]
    axes.plot(across, up, color=colour, marker=marker, label=short(name, 30))
