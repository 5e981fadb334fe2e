"""An index of many reports: what each folder holds, and bounds beside known truths."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from audit.declaration import Entry, Truth
from audit.errors import InputError
from audit.report.bound_figure import Point, bound_figure
from audit.report.contents import Folder, contents
from audit.report.figures import image
from audit.report.front_matter import head_of
from audit.report.markdown import page
from audit.report.write import Kind, file_name, write_files
from audit.verdict.result import AuditResult, Verdict

_STUDIES = "studies"
_FIGURE = "bound-against-truth"
_INDEX = "README.md"
_TITLE = "# Audits\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """One report of an index.

    Attributes:
        mechanism: its name.
        file: the report, from the index's folder.
        claim: what was claimed, in words.
        verdict: what the audit found.
        epsilon_lower: its lower bound on epsilon.
        samples: runs.
        leaks: kinds of side channels that were seen.
        version: what made the report.
        truth: what is known about the mechanism, None when nothing is.
        group: the heading it stands under.
    """

    mechanism: str
    file: str
    claim: str
    verdict: Verdict
    epsilon_lower: float
    samples: int
    leaks: tuple[str, ...] = ()
    version: str = ""
    truth: Truth | None = None
    group: str = "mechanisms"

    @property
    def outcome(self) -> str:
        """The verdict held against the truth."""
        if self.verdict is Verdict.INCONCLUSIVE:
            return "no answer"
        if self.truth is None:
            return "truth unknown"
        if self.verdict is Verdict.VIOLATION:
            return "false alarm" if self.truth.keeps else "caught"
        if not self.truth.keeps:
            return "missed" if self.truth.reachable else "out of reach"
        if self.truth.leaks:
            return "leak caught" if self.leaks else "leak missed"
        return "rightly not refuted"


def listed(
    result: AuditResult, file: str, truth: Truth | None = None, group: str = "mechanisms"
) -> Listed:
    """A result that was just found, and its report."""
    return Listed(
        mechanism=result.mechanism,
        file=file,
        claim=str(result.claim),
        verdict=result.verdict,
        epsilon_lower=result.epsilon_lower,
        samples=result.samples,
        leaks=tuple(dict.fromkeys(leak.kind for leak in result.leaks)),
        version=result.version,
        truth=truth,
        group=group,
    )


def report_of(entry: Entry) -> str:
    """Where the report of a catalogue's entry lies, from the index's folder."""
    return f"{entry.section}/{file_name(entry.name)}.md"


def shelved(entries: Iterable[Entry], folder: Path) -> list[Listed]:
    """Those entries whose reports are in a folder, whenever they were written."""
    found = ((entry, _stored(entry, folder / report_of(entry))) for entry in entries)
    return [one for _, one in found if one is not None]


def _stored(entry: Entry, report: Path) -> Listed | None:
    try:
        head = head_of(report.read_text("utf-8"))
        return Listed(
            mechanism=entry.name,
            file=report_of(entry),
            claim=str(entry.mechanism.claim),
            verdict=Verdict(head["verdict"]),
            epsilon_lower=float(head["epsilon_lower"]),
            samples=int(head["samples"]),
            leaks=tuple(dict.fromkeys(leak["kind"] for leak in head["leaks"])),
            version=str(head["version"]),
            truth=entry.truth,
            group=entry.group,
        )
    # Not there, or not a report of ours.
    except (OSError, ValueError, KeyError, TypeError):
        return None


def check_index(folder: Path) -> None:
    """Refuse a folder whose README.md is about something else, before it is lost.

    Raises:
        InputError: it is no index of reports.
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


def write_index(
    reports: Sequence[Listed], folder: Path, command: str, kind: Kind = "svg"
) -> list[Path]:
    """Write README.md beside the folders of reports, and a figure among the studies.

    Args:
        reports: in the order they are to stand.
        folder: where they are.
        command: what made them.
        kind: format of the figure.

    Raises:
        InputError: the folder cannot be written to, or its README.md is about something else.
    """
    check_index(folder)
    points = _points(reports)
    figure = f"{_STUDIES}/{_FIGURE}.{kind}" if points else ""
    drawn = {f"{_FIGURE}.{kind}": image(bound_figure(points), kind)} if points else {}
    figures = write_files(folder / _STUDIES, drawn) if drawn else []
    places = Counter(entry.file.rpartition("/")[0] for entry in reports)
    text = render_index(reports, command, figure, contents(folder, places))
    return [*write_files(folder, {_INDEX: text.encode("utf-8")}), *figures]


def render_index(
    reports: Sequence[Listed],
    command: str,
    figure: str = "",
    folders: Sequence[Folder] = (),
) -> str:
    """The index as Markdown.

    Args:
        reports: in the order they are to stand.
        command: what made them.
        figure: the file of its figure, empty for none.
        folders: what lies beside it.
    """
    groups: dict[str, list[Listed]] = {}
    for entry in reports:
        groups.setdefault(entry.group, []).append(entry)
    return page(
        "index.md.j2",
        groups=groups,
        total=len(reports),
        samples=sum(entry.samples for entry in reports),
        outcomes=Counter(entry.outcome for entry in reports),
        versions=sorted({entry.version for entry in reports}),
        command=command,
        figure=figure,
        folders=folders,
    )


def _points(reports: Sequence[Listed]) -> list[Point]:
    known = [(e, e.truth.epsilon) for e in reports if e.truth and e.truth.epsilon]
    return [
        Point(truth, entry.epsilon_lower, entry.verdict)
        for entry, truth in known
        if truth is not None and not math.isnan(truth)
    ]
