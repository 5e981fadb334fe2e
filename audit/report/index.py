"""An index of many audits: outcomes, bounds against known truths, and one table."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from audit.declaration import Truth
from audit.errors import InputError
from audit.report.formatting import Safe, at_least, block, count, inline, number
from audit.report.markdown import grid
from audit.report.truth_chart import Point, truth_chart
from audit.report.write import write_files
from audit.verdict.result import AuditResult, Verdict

_FIGURE = "bound-against-truth"
_INDEX = "README.md"
_TITLE = "# Audits\n"
_COLUMNS = [
    "mechanism",
    "claim",
    "true ε",
    "verdict",
    "ε ≥",
    "runs",
    "cause",
    "leaks",
    "outcome",
]

OUTCOMES: Mapping[str, str] = MappingProxyType(
    {
        "caught": "the claim does not hold, and the audit refutes it",
        "missed": "the claim does not hold, and the audit does not refute it",
        "out of reach": "the claim does not hold, and no budget of this size can refute it",
        "rightly not refuted": "the claim holds, and the audit does not refute it",
        "leak caught": "the claim holds in real numbers; the floating-point leak is found",
        "leak missed": "the claim holds in real numbers; the floating-point leak is not found",
        "false alarm": "the claim holds, and the audit refutes it",
        "truth unknown": "the truth is not known",
        "no answer": "the audit is inconclusive",
    }
)
"""Verdicts compared with the truth, and their meanings, in the order of tables."""


@dataclass(frozen=True, slots=True)
class Listed:
    """One audit of an index.

    Attributes:
        result: of the audit.
        file: its report, relative to the index's folder; empty for none.
        truth: known truth of the mechanism, or None.
    """

    result: AuditResult
    file: str = ""
    truth: Truth | None = None

    @property
    def outcome(self) -> str:
        """The verdict compared with the truth, a key of `OUTCOMES`."""
        verdict = self.result.verdict
        if verdict is Verdict.INCONCLUSIVE:
            return "no answer"
        if self.truth is None:
            return "truth unknown"
        if verdict is Verdict.VIOLATION:
            return "false alarm" if self.truth.keeps else "caught"
        if not self.truth.keeps:
            return "missed" if self.truth.reachable else "out of reach"
        if self.truth.leaks:
            return "leak caught" if self.result.leaks else "leak missed"
        return "rightly not refuted"


def check_index(folder: Path) -> None:
    """Refuse a folder whose README.md is no index of audits, because it would be overwritten.

    Raises:
        InputError: it is no index of audits.
    """
    path = folder / _INDEX
    try:
        ours = not path.exists() or path.read_text("utf-8", "replace").startswith(_TITLE)
    # ValueError: a name that no file can have.
    except (OSError, ValueError):
        ours = False
    if not ours:
        raise InputError(
            f"{str(path)!r} is no index of audits, and would be lost; name another folder", folder
        )


def write_index(reports: Sequence[Listed], folder: Path, command: str) -> list[Path]:
    """Write README.md and, if truths are known, a figure of the bounds against them.

    Args:
        reports: audits in the order of the table.
        folder: folder of the reports.
        command: command line that made them.

    Raises:
        InputError: the folder cannot be written to, or its README.md is no index of audits.
    """
    check_index(folder)
    figures = write_bounds(reports, folder)
    text = render_index(reports, command, figures[0].name if figures else "")
    return [*write_files(folder, {_INDEX: text.encode("utf-8")}), *figures]


def write_bounds(reports: Iterable[Listed], folder: Path) -> list[Path]:
    """Write the figure of lower bounds against true epsilons; no file if no truth is known.

    Raises:
        InputError: the folder cannot be written to.
    """
    points = _points(reports)
    if not points:
        return []
    return write_files(folder, {f"{_FIGURE}.svg": truth_chart(points).file})


def render_index(reports: Sequence[Listed], command: str, figure: str = "") -> str:
    """The index as Markdown.

    Args:
        reports: audits in the order of the table.
        command: command line that made them.
        figure: file of its figure, empty for none.
    """
    blocks = [
        _TITLE.strip(),
        _made_by(reports),
        block(command, "sh"),
        _outcomes(reports),
        *_figure(figure),
        grid(_COLUMNS, [_row(entry) for entry in reports]),
    ]
    return "\n\n".join(blocks) + "\n"


def _made_by(reports: Sequence[Listed]) -> str:
    versions = sorted({entry.result.version for entry in reports})
    runs = count(sum(entry.result.samples for entry in reports))
    named = f", version {', '.join(versions)}" if versions else ""
    audited = f"{count(len(reports))} mechanism{'s' * (len(reports) != 1)}"
    return f"{audited}, {runs} runs{named}. Made by"


def _outcomes(reports: Sequence[Listed]) -> str:
    found = Counter(entry.outcome for entry in reports)
    cells = [[name, str(found[name]), text] for name, text in OUTCOMES.items() if found[name]]
    return grid(["outcome", "mechanisms", "meaning"], cells)


def _figure(file: str) -> Iterator[str]:
    if file:
        yield f"![Lower bound on ε of each audit against the true ε of the mechanism]({file})"
        yield (
            "Points on the line have the whole loss, points below it a part. A point above the "
            "line would be a wrong bound. The number of runs limits the bounds, whatever the truth."
        )


def _row(entry: Listed) -> list[str]:
    result, truth = entry.result, entry.truth
    named = result.mechanism
    return [
        Safe(f"[{inline(named)}]({entry.file})") if entry.file else named,
        str(result.claim),
        "unknown" if truth is None or truth.epsilon is None else number(truth.epsilon),
        str(result.verdict),
        at_least(result.epsilon_lower),
        count(result.samples),
        "" if result.diagnosis is None else result.diagnosis.cause,
        ", ".join(dict.fromkeys(leak.kind for leak in result.leaks)),
        entry.outcome,
    ]


def _points(reports: Iterable[Listed]) -> list[Point]:
    known = [(e, e.truth.epsilon) for e in reports if e.truth and e.truth.epsilon]
    return [
        Point(truth, entry.result.epsilon_lower, entry.result.verdict)
        for entry, truth in known
        if truth is not None and not math.isnan(truth)
    ]
