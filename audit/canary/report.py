"""A folder with the report of an audit: Markdown, JSON, page and figures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from audit.canary.document import GUESSES, answer_of, document_of, one_line
from audit.canary.result import CanaryResult, PrefixRow
from audit.canary.sentences import telling_rows
from audit.report.document import Detail
from audit.report.figures import BLUE, GREY, ORANGE, VERMILLION, image, legend_above, short, style
from audit.report.formatting import number
from audit.report.html import fragment, page
from audit.report.json_node import render_json
from audit.report.markdown import render_document
from audit.report.text import line, render_answer
from audit.report.text import render_document as document_text
from audit.report.write import Kind, file_name, own_name, write_files
from audit.report.write import write_report as write_audit_report
from audit.verdict.result import AuditResult


def write_report(
    result: AuditResult | CanaryResult, folder: Path, kind: Kind = "svg", *, again: bool = False
) -> list[Path]:
    """Write NAME.md, NAME.json, NAME.html and figures, of a black box or of canaries.

    The report of an earlier run of the same audit is written anew. Where another
    audit's report has the name, this one is called NAME-2, and so on.

    Args:
        result: what an audit found.
        folder: made when it is missing.
        kind: format of the figures.
        again: whether whatever has the name is written anew, in a collection
            where names say enough.

    Returns:
        The files, the Markdown first.

    Raises:
        InputError: the folder cannot be written to.
    """
    if isinstance(result, CanaryResult):
        return write_canaries_report(result, folder, kind, again=again)
    return write_audit_report(result, folder, kind, again=again)


def write_canaries_report(
    result: CanaryResult, folder: Path, kind: Kind = "svg", *, again: bool = False
) -> list[Path]:
    """Write NAME.md, NAME.json, NAME.html and one figure, as `write_report` does.

    Args:
        result: what an audit of canaries found.
        folder: made when it is missing.
        kind: format of the figure.
        again: whether whatever has the name is written anew.

    Returns:
        The files, the Markdown first.

    Raises:
        InputError: the folder cannot be written to.
    """
    name = file_name(result.mechanism) if again else own_name(result, folder)
    figure = f"{name}.{kind}" if result.prefixes else ""
    files = {
        f"{name}.md": render_canaries_markdown(result, figure).encode("utf-8"),
        f"{name}.json": render_json(result).encode("utf-8"),
        f"{name}.html": render_canaries_page(result).encode("utf-8"),
    }
    if figure:
        files[figure] = image(canary_figure(result), kind)
    return write_files(folder, files)


def render_canaries_markdown(result: CanaryResult, figure: str = "") -> str:
    """One result as a Markdown document.

    Args:
        result: of an audit of canaries.
        figure: file of its figure, relative to the document; empty for none.
    """
    return render_document(document_of(result), {GUESSES: figure} if figure else {})


def render_canaries_page(result: CanaryResult) -> str:
    """One result as a whole document: no scripts, and nothing to be loaded."""
    return page(one_line(result), document_of(result))


def render_canaries_fragment(result: CanaryResult) -> str:
    """The same without what surrounds it, as a notebook shows it."""
    return fragment(document_of(result))


def render_canaries_text(result: CanaryResult, *, detail: Detail = "normal") -> str:
    """The answer: by default at most 20 lines of 80 columns.

    Args:
        result: of an audit of canaries.
        detail: "quiet" for one line, "verbose" for the whole report.
    """
    if detail == "quiet":
        return line(one_line(result))
    if detail == "verbose":
        return document_text(document_of(result))
    return render_answer(answer_of(result))


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
