"""An index of many audits: outcomes, one table, and a figure of bounds against known truths."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from audit.declaration import Truth
from audit.errors import InputError
from audit.report.comparison import bound_of
from audit.report.formatting import Safe, at_least, block, count, inline, number
from audit.report.markdown import grid
from audit.report.svg import Axes, Drawing, Drawn, Logarithmic, Scale, element, legend, line, shape
from audit.report.write import write_files
from audit.verdict.result import AuditResult, Verdict

_FIGURE = "bound-against-truth"
_INDEX = "README.md"
_TITLE = "# Audits\n"
_SHOWN = "Lower bound on ε of each audit against the true ε of the mechanism"
_POINTS = (
    "Points on the line have the whole loss, points below it a part. A point above the "
    "line would be a wrong bound. The number of runs limits the bounds, whatever the truth."
)
_COLUMNS = ["mechanism", "claim", "true ε", "verdict", "ε ≥", "runs", "cause", "leaks", "outcome"]
_WITHOUT_TRUTH = ["mechanism", "claim", "verdict", "lower bound", "runs", "cause", "leaks"]
"""Columns if no truth is known."""

OUTCOMES: Mapping[str, str] = {
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
"""Verdicts compared with the truth, and their meanings, in the order of tables."""
_VERDICTS: Mapping[str, str] = {
    "violation": "the audit refutes the claim",
    "not-refuted": "the audit does not refute the claim; this is no proof",
    "inconclusive": OUTCOMES["no answer"],
}
"""Their meanings if no truth is known."""


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
    """Refuse a folder, with an `InputError`, whose README.md is no index and would be lost."""
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
    files = {f"{_FIGURE}.svg": truth_chart(points).file} if points else {}
    return write_files(folder, files)


def render_index(reports: Sequence[Listed], command: str, figure: str = "") -> str:
    """The index as Markdown."""
    known = any(entry.truth is not None for entry in reports)
    meanings = OUTCOMES if known else _VERDICTS
    columns = _COLUMNS if known else _WITHOUT_TRUTH
    rows = [_row(entry) for entry in reports]
    found = Counter(row["outcome" if known else "verdict"] for row in rows)
    outcomes = [[name, str(found[name]), text] for name, text in meanings.items() if found[name]]
    blocks = [
        _TITLE.strip(),
        _made_by(reports),
        block(command, "sh"),
        grid(["outcome" if known else "verdict", "mechanisms", "meaning"], outcomes),
        *([f"![{_SHOWN}]({figure})", _POINTS] if figure else []),
        grid(columns, [[row[column] for column in columns] for row in rows]),
    ]
    return "\n\n".join(blocks) + "\n"


def _made_by(reports: Sequence[Listed]) -> str:
    versions = sorted({entry.result.version for entry in reports})
    runs = count(sum(entry.result.samples for entry in reports))
    named = f", version {', '.join(versions)}" if versions else ""
    audited = f"{count(len(reports))} mechanism{'s' * (len(reports) != 1)}"
    return f"{audited}, {runs} runs{named}. Made by"


def _row(entry: Listed) -> dict[str, str]:
    result, truth, named = entry.result, entry.truth, entry.result.mechanism
    refuted = result.verdict is Verdict.VIOLATION
    return {
        "mechanism": Safe(f"[{inline(named)}]({entry.file})") if entry.file else named,
        "claim": str(result.claim),
        "true ε": "unknown" if truth is None or truth.epsilon is None else number(truth.epsilon),
        "verdict": str(result.verdict),
        "ε ≥": at_least(result.epsilon_lower),
        "lower bound": bound_of(result),
        "runs": count(result.samples),
        "cause": result.diagnosis.cause if refuted and result.diagnosis is not None else "",
        "leaks": ", ".join(dict.fromkeys(leak.kind for leak in result.leaks)),
        "outcome": entry.outcome,
    }


def _points(reports: Iterable[Listed]) -> list[Point]:
    known = ((e.result, (e.truth and e.truth.epsilon) or math.nan) for e in reports)
    return [Point(t, r.epsilon_lower, r.verdict) for r, t in known if not math.isnan(t)]


_WIDTH, _TOP, _BOTTOM = 720.0, 44.0, 420.0
_LOOKS = {
    Verdict.VIOLATION: ("beyond", "violation"),
    Verdict.NOT_REFUTED: ("p", "not refuted"),
    Verdict.INCONCLUSIVE: ("open", "inconclusive"),
}
_KEYS = (("claimed", "bound = truth"), ("apart", "bound above the truth"))
_RADIUS = 4.0
_PLACES = 11
"""How many points fit side by side into the strip at the right edge."""


@dataclass(frozen=True, slots=True)
class Point:
    """One audit: the true epsilon, the bound found, the verdict."""

    truth: float
    bound: float
    verdict: Verdict


def truth_chart(points: Sequence[Point]) -> Drawing:
    """Each audit's lower bound on epsilon against its mechanism's true epsilon.

    Mechanisms for which no finite epsilon holds stand in a strip of their own
    at the right edge, side by side; audits without a bound in one at the foot.
    """
    across = EdgedScale.over([p.truth for p in points], "0")
    upward = EdgedScale.over([p.bound for p in points], "none")
    axes = Axes(across, upward, _TOP, _BOTTOM)
    seen = {p.verdict for p in points}
    keys = [_LOOKS[verdict] for verdict in _LOOKS if verdict in seen]
    parts = (
        *_ground(axes, across, upward),
        *axes.frame("true ε of the mechanism (∞: no finite ε holds)", "lower bound on ε"),
        *_audits(axes, across, points),
        *legend([*keys, *_KEYS], 140.0, 14.0),
    )
    return Drawing("lower bounds against true epsilons", _WIDTH, _BOTTOM + 42.0, parts)


def _ground(axes: Axes, across: EdgedScale, upward: EdgedScale) -> Iterator[Drawn]:
    """The diagonal, and above it the region of wrong bounds."""
    low, high = max(across.low, upward.low), min(across.high, upward.high)
    start, end = axes.place(low, low), axes.place(high, high)
    corners = [(axes.left, start[1]), start, end, (end[0], axes.top), (axes.left, axes.top)]
    if low < high:
        yield shape("apart", corners)
        yield line("claimed", start, end)


def _audits(axes: Axes, across: EdgedScale, points: Sequence[Point]) -> Iterator[Drawn]:
    taken: Counter[int] = Counter()
    for verdict, (look, _) in _LOOKS.items():
        for point in sorted((p for p in points if p.verdict is verdict), key=lambda p: p.bound):
            x, y = axes.place(point.truth, point.bound)
            if across.endless and math.isinf(point.truth):
                x += 2.0 * _RADIUS * _turn(taken, round(y / (2.0 * _RADIUS)))
            yield element("circle", look=look, cx=x, cy=y, r=_RADIUS)


def _turn(taken: Counter[int], row: int) -> int:
    """0, 1, -1, 2, -2, ... for those that share a row, over again when it is full."""
    order = taken[row] % _PLACES
    taken[row] += 1
    return (order + 1) // 2 * (1 if order % 2 else -1)


_SMALLEST, _LARGEST = 1e-3, 1e6
_BEFORE, _BEHIND = 0.08, 0.2
"""Width of the edges, as a share of the whole scale."""


@dataclass(frozen=True, slots=True)
class EdgedScale(Scale):
    """A logarithmic scale with an edge for values near 0, and one for the largest.

    What lies between its ends is drawn to scale.

    Attributes:
        nothing: name of the edge before it; empty for no edge.
        endless: whether there is an edge behind it.
    """

    nothing: str
    endless: bool

    @classmethod
    def over(cls, values: Sequence[float], nothing: str) -> EdgedScale:
        """A scale on which all these values have a place."""
        inside = [v for v in values if _SMALLEST <= v <= _LARGEST] or [1.0]
        nothing *= any(v < _SMALLEST for v in values)
        endless = any(v > _LARGEST for v in values)
        return cls(min(inside) / 1.3, max(inside) * 1.3, nothing, endless)

    def share(self, value: float) -> float:
        """To scale inside, in the middle of an edge outside."""
        before, behind = _BEFORE * bool(self.nothing), _BEHIND * self.endless
        if value < _SMALLEST:
            return before / 2.0
        if value > _LARGEST:
            return 1.0 - behind / 2.0
        return before + Logarithmic(self.low, self.high).share(value) * (1.0 - before - behind)

    def ticks(self) -> Iterator[tuple[float, str]]:
        """Round numbers, and the edges where there are any."""
        if self.nothing:
            yield 0.0, self.nothing
        yield from Logarithmic(self.low, self.high).ticks()
        if self.endless:
            yield math.inf, "∞"
