"""Bounds of every mechanism beside its true epsilon, ours and the peer's."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from matplotlib.figure import Figure

from audit.report.figures import BLUE, GREY, ORANGE, VERMILLION, legend_above, style
from tests.canaries.bounds import GAUSSIAN_ONLY, Bounds, best_of

_HALF = 0.38
_APART = 0.2


def bounds_figure(found: Sequence[Bounds]) -> Figure:
    """A column for each mechanism: its truth as a line, bounds from least to most, medians."""
    with style():
        figure = Figure(figsize=(9.0, 4.2), layout="constrained")
        axes = figure.subplots()
        for place, bounds in enumerate(found):
            ends = (place - _HALF, place + _HALF)
            first = place == 0  # each look stands in the legend once
            axes.plot(
                ends,
                [bounds.row.epsilon] * 2,
                color=GREY,
                linestyle="--",
                label="true ε" if first else None,
            )
            for shift, colour, values, words in _columns(bounds):
                across = place + shift * _APART
                axes.vlines(across, min(values), max(values), color=colour, alpha=0.4, linewidth=6)
                axes.plot(
                    across,
                    median(values),
                    "_",
                    color=colour,
                    markersize=14,
                    label=words if first else None,
                )
        names = [b.row.name.replace("response", "resp.") for b in found]
        labels = [f"{n}\nε = {b.row.epsilon:g}" for n, b in zip(names, found, strict=True)]
        axes.set_xticks(range(len(found)), labels, fontsize=7)
        axes.set_ylabel("lower bound on ε")
        axes.set_ylim(bottom=0.0)
        legend_above(axes)
        return figure


def _columns(bounds: Bounds) -> list[tuple[int, str, list[float], str]]:
    columns = [(-1, BLUE, bounds.own, "audit canaries")]
    if bounds.others:
        columns.append((0, ORANGE, bounds.others[best_of(bounds)[0]], "jax_privacy, its best"))
        reading = bounds.others[GAUSSIAN_ONLY]
        columns.append((1, VERMILLION, reading, "jax_privacy, as if Gaussian"))
    return columns
