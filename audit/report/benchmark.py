"""A benchmark as text, Markdown, JSON and a figure: how good each approach is, what audits saw."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from audit.declaration import Compared
from audit.jsonable import jsonable
from audit.report.figures import BLUE, GREY, ORANGE, VERMILLION, image, legend_above, short, style
from audit.report.formatting import at_least, count, number
from audit.report.tables import aligned
from audit.report.write import free_name, write_files
from audit.verdict.result import AuditResult

_LEGEND = (
    "Figures are averages over the seeds. *Spent ε* is what one record truly pays, where that is "
    "known; *audited ε* is a lower bound on it, so it lies below."
)


@dataclass(frozen=True, slots=True)
class Measured:
    """One approach at one epsilon.

    Attributes:
        compared: the approach and how good it is.
        result: what its audit found.
    """

    compared: Compared
    result: AuditResult

    @property
    def cells(self) -> dict[str, str]:
        """The row in words, by heading."""
        truth = self.compared.entry.truth.epsilon
        return {
            "claimed ε": number(self.compared.epsilon),
            "approach": self.compared.approach,
            **{name.replace("_", " "): number(x) for name, x in self.compared.figures.items()},
            "spent ε": "" if truth is None else number(truth),
            "audited ε ≥": at_least(self.result.epsilon_lower),
            "verdict": str(self.result.verdict),
            "runs": count(self.result.samples),
        }

    def as_json(self) -> dict[str, Any]:
        """The row as plain values."""
        found: dict[str, Any] = jsonable(
            {
                "approach": self.compared.approach,
                "epsilon": self.compared.epsilon,
                "figures": dict(self.compared.figures),
                "spent_epsilon": self.compared.entry.truth.epsilon,
                "epsilon_lower": self.result.epsilon_lower,
                "verdict": str(self.result.verdict),
                "samples": self.result.samples,
            }
        )
        return found


@dataclass(frozen=True, slots=True)
class BenchmarkReport:
    """All that a benchmark found.

    Attributes:
        name: of the benchmark.
        summary: what it compares, one line.
        parameters: its parameters.
        rows: approaches at all epsilons.
        command: what made it.
    """

    name: str
    summary: str
    parameters: dict[str, Any]
    rows: Sequence[Measured]
    command: str

    def text(self) -> str:
        """A table for a terminal."""
        cells = [list(row.cells.values()) for row in self.rows]
        table = [list(self.rows[0].cells), *cells]
        return "\n".join(aligned(table)) + "\n"

    def markdown(self, figure: str = "") -> str:
        """A page; `figure` is the file of its figure, empty for none."""
        heads = list(self.rows[0].cells)
        lines = [f"# {self.name}", "", self.summary, "", self._command_block, ""]
        if figure:
            lines += [f"![errors and audited epsilon of each approach]({figure})", ""]
        lines += [f"| {' | '.join(heads)} |", f"|{'|'.join(':--' for _ in heads)}|"]
        lines += [f"| {' | '.join(row.cells.values())} |" for row in self.rows]
        parameters = json.dumps(jsonable(self.parameters), ensure_ascii=False)
        return "\n".join([*lines, "", _LEGEND, "", f"Parameters: `{parameters}`", ""])

    @property
    def _command_block(self) -> str:
        return f"```sh\n{self.command}\n```"

    def json(self) -> str:
        """One object with the parameters and a row for each approach and epsilon."""
        document = {
            "benchmark": self.name,
            "parameters": jsonable(self.parameters),
            "command": self.command,
            "rows": [row.as_json() for row in self.rows],
        }
        return json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False) + "\n"

    def write(self, folder: Path) -> list[Path]:
        """NAME.md, NAME.json and NAME.svg; NAME-2 and so on beside those of other commands.

        Raises:
            InputError: the folder cannot be written to.
        """
        figure = benchmark_figure([_point(row) for row in self.rows])
        name = free_name(self.name, folder, lambda report: self._command_block in report)
        files = {
            f"{name}.md": self.markdown(f"{name}.svg").encode("utf-8"),
            f"{name}.json": self.json().encode("utf-8"),
            f"{name}.svg": image(figure, "svg"),
        }
        return write_files(folder, files)


def _point(row: Measured) -> tuple[str, float, float, float]:
    """Approach, claimed epsilon, its first error, and the audited lower bound."""
    figures = row.compared.figures
    error = figures.get("rmse", next(iter(figures.values()), math.nan))
    return row.compared.approach, row.compared.epsilon, error, row.result.epsilon_lower


Point = tuple[str, float, float, float]
"""Approach, claimed epsilon, error, audited lower bound."""

_LOOKS = ((BLUE, "o"), (ORANGE, "s"), (VERMILLION, "^"), (GREY, "D"))


def _logarithmic(axes: Axes, name: str) -> None:
    axes.set_yscale("log", nonpositive="mask")
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: number(value)))
    axes.set_ylabel(name)


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
            epsilons, errors, bounds = map(list, zip(*own, strict=True))
            _draw(above, epsilons, errors, approach, place)
            _draw(below, epsilons, bounds, approach, place)
        claimed = sorted({point[1] for point in points})
        below.plot(claimed, claimed, color=GREY, linestyle="--", label="what is claimed")
        _logarithmic(above, error)
        _logarithmic(below, "audited ε, a lower bound")
        below.set_xlabel("claimed ε")
        below.set_xticks(claimed, [f"{value:g}" for value in claimed])
        legend_above(above)
        legend_above(below, 4)
        return figure


def _draw(axes: Axes, across: list[float], up: list[float], name: str, place: int) -> None:
    colour, marker = _LOOKS[place % len(_LOOKS)]
    axes.plot(across, up, color=colour, marker=marker, label=short(name, 30))
