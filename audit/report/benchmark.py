"""A benchmark as text, Markdown, JSON and a figure: how good each approach is, what audits saw."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any

from audit.declaration import Compared
from audit.jsonable import jsonable
from audit.report.formatting import aligned, at_least, count, number
from audit.report.svg import Axes, Drawing, Drawn, Logarithmic, legend
from audit.report.write import free_name, write_files
from audit.verdict.result import AuditResult

_LEGEND = (
    "Figures are averages over the seeds. *Spent ε* is what one record truly pays, where that is "
    "known; *audited ε* is a lower bound on it, so it lies below."
)


Point = tuple[str, float, float, float]
"""Approach, claimed epsilon, error, audited lower bound."""


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
        return {
            "approach": self.compared.approach,
            "epsilon": self.compared.epsilon,
            "figures": dict(self.compared.figures),
            "spent_epsilon": self.compared.entry.truth.epsilon,
            "epsilon_lower": self.result.epsilon_lower,
            "verdict": str(self.result.verdict),
            "samples": self.result.samples,
        }


@dataclass(frozen=True, slots=True)
class BenchmarkReport:
    """All that a benchmark found."""

    name: str
    summary: str
    parameters: dict[str, Any]
    rows: Sequence[Measured]
    command: str

    def text(self) -> str:
        """A table for a terminal."""
        cells = [list(row.cells.values()) for row in self.rows]
        return "\n".join(aligned([list(self.rows[0].cells), *cells])) + "\n"

    def markdown(self, figure: str = "") -> str:
        """A page; `figure` is the file of its figure, empty for none."""
        heads = list(self.rows[0].cells)
        lines = [f"# {self.name}", "", self.summary, "", self._command_block, ""]
        lines += [f"![errors and audited epsilon of each approach]({figure})", ""] * bool(figure)
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
            "rows": [jsonable(row.as_json()) for row in self.rows],
        }
        return json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False) + "\n"

    def write(self, folder: Path) -> list[Path]:
        """NAME.md, NAME.json and NAME.svg; NAME-2 and so on beside those of other commands.

        Raises:
            InputError: the folder cannot be written to.
        """
        figure = benchmark_chart([_point(row) for row in self.rows])
        name = free_name(self.name, folder, lambda report: self._command_block in report)
        files = {
            f"{name}.md": self.markdown(f"{name}.svg").encode("utf-8"),
            f"{name}.json": self.json().encode("utf-8"),
            f"{name}.svg": figure.file,
        }
        return write_files(folder, files)


def _point(row: Measured) -> Point:
    figures = row.compared.figures
    error = figures.get("rmse", next(iter(figures.values()), math.nan))
    return row.compared.approach, row.compared.epsilon, error, row.result.epsilon_lower


_LOOKS = ("p", "q", "beyond", "mark")
_HEIGHT = 300.0


def benchmark_chart(points: Sequence[Point]) -> Drawing:
    """Two panels over the claimed epsilon, with a point for each approach and epsilon."""
    names, epsilons, errors, bounds = zip(*points, strict=True)
    looks = dict(zip(dict.fromkeys(names), cycle(_LOOKS), strict=False))
    claimed = sorted(set(epsilons))
    above = _panel(claimed, errors, 44.0)
    below = _panel(claimed, [*claimed, *bounds], 44.0 + _HEIGHT)
    keys = [(look, name) for name, look in looks.items()]
    parts = [
        *legend([*keys, ("claimed", "claimed")], 280.0, 4.0),
        *above.frame("claimed ε", "root mean squared error"),
        *below.frame("claimed ε", "audited ε, a lower bound"),
        below.trace("claimed", [(value, value) for value in claimed]),
    ]
    for name, look in looks.items():
        x, y, z = zip(*sorted(point[1:] for point in points if point[0] == name), strict=True)
        parts += [
            *_curve(above, look, zip(x, y, strict=True)),
            *_curve(below, look, zip(x, z, strict=True)),
        ]
    return Drawing("errors and audited epsilon", 720.0, 2.0 * _HEIGHT + 6.0, tuple(parts))


def _panel(claimed: Sequence[float], values: Sequence[float], top: float) -> Axes:
    shown = [value for value in values if 0.0 < value < math.inf] or [1.0]
    across = Logarithmic(min(claimed) / 1.2, max(claimed) * 1.2)
    up = Logarithmic(min(shown) / 1.3, max(shown) * 1.3)
    return Axes(across, up, top, top + _HEIGHT - 90.0)


def _curve(axes: Axes, look: str, points: Iterable[tuple[float, float]]) -> Iterator[Drawn]:
    shown = [(x, y) for x, y in points if 0.0 < y < math.inf]
    yield axes.trace(look, shown)
    yield from axes.marks(look, shown)
