"""An index of many results: a table with links, and bounds beside known truths."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from audit.declaration import Truth
from audit.report.bound_figure import Point, bound_figure
from audit.report.figures import image
from audit.report.markdown import page
from audit.report.write import Kind, file_name, write_files
from audit.result import AuditResult, Verdict

_FIGURE = "bound-against-truth"


@dataclass(frozen=True, slots=True)
class Listed:
    """One result of an index.

    Attributes:
        result: what the audit found.
        truth: what is known about the mechanism, None when nothing is.
        group: the heading it stands under.
    """

    result: AuditResult
    truth: Truth | None = None
    group: str = "mechanisms"

    @property
    def file(self) -> str:
        """Its report, beside the index."""
        return f"{file_name(self.result.mechanism)}.md"

    @property
    def outcome(self) -> str:
        """The verdict held against the truth."""
        if self.result.verdict is Verdict.INCONCLUSIVE:
            return "no answer"
        if self.truth is None:
            return "truth unknown"
        if self.result.verdict is Verdict.VIOLATION:
            return "false alarm" if self.truth.keeps else "caught"
        if not self.truth.keeps:
            return "missed" if self.truth.reachable else "out of reach"
        if self.truth.leaks:
            return "leak caught" if self.result.leaks else "leak missed"
        return "rightly not refuted"


def write_index(
    listed: Sequence[Listed], folder: Path, command: str, kind: Kind = "svg"
) -> list[Path]:
    """Write README.md and its figure beside the reports.

    Args:
        listed: the results, in the order they are to stand.
        folder: where `write_report` put them.
        command: what made them.
        kind: format of the figure.

    Raises:
        InputError: the folder cannot be written to.
    """
    points = _points(listed)
    figure = f"{_FIGURE}.{kind}" if points else ""
    files = {"README.md": render_index(listed, command, figure).encode("utf-8")}
    if points:
        files[figure] = image(bound_figure(points), kind)
    return write_files(folder, files)


def render_index(listed: Sequence[Listed], command: str, figure: str = "") -> str:
    """The index as Markdown; `figure` is the file of its figure, empty for none."""
    groups: dict[str, list[Listed]] = {}
    for entry in listed:
        groups.setdefault(entry.group, []).append(entry)
    return page(
        "index.md.j2",
        groups=groups,
        total=len(listed),
        samples=sum(entry.result.samples for entry in listed),
        outcomes=Counter(entry.outcome for entry in listed),
        command=command,
        figure=figure,
    )


def _points(listed: Sequence[Listed]) -> list[Point]:
    known = [(e.result, e.truth.epsilon) for e in listed if e.truth and e.truth.epsilon]
    return [
        Point(truth, result.epsilon_lower, result.verdict)
        for result, truth in known
        if truth is not None and not math.isnan(truth)
    ]
