"""A comparison of results as text, Markdown and JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from audit.errors import visible
from audit.report.causes import short_cause
from audit.report.comparison import Change, Side
from audit.report.escape import clip, inline
from audit.report.tables import aligned
from audit.verdict.result import Verdict

_HEAD = ("target", "old", "new", "lower bound", "change")
_LONGEST_NAME = 60
_CAVEAT = "Bounds vary with the number of runs. A claim that is not refuted is not proved."


def render_text(changes: Sequence[Change]) -> str:
    """A line for each target that changed or violates its claim, and a summary."""
    rows = [tuple(visible(cell) for cell in row) for row in _rows(changes)]
    table = [*aligned([_HEAD, *rows]), ""] if rows else []
    return "\n".join([*table, *_end(changes)]) + "\n"


def render_markdown(changes: Sequence[Change]) -> str:
    """A table of the changes."""
    rows = list(_rows(changes))
    table = [f"| {' | '.join(_HEAD)} |", "|:--|:--|:--|:--|:--|"] if rows else []
    table += [f"| {' | '.join(inline(cell) for cell in row)} |" for row in rows]
    return "\n".join(["# Changes", "", *table, *([""] if rows else []), *_end(changes)]) + "\n"


def render_json(changes: Sequence[Change]) -> str:
    """Every target with both of its sides."""
    found = {"schema": 1, "summary": summary(changes), "targets": [c.as_json() for c in changes]}
    return json.dumps(found, indent=2) + "\n"


def summary(changes: Sequence[Change]) -> str:
    """Counts of changes, in one line."""
    new = [change.new_verdict for change in changes]
    counts = {
        "newly a violation": new.count(Verdict.VIOLATION),
        "newly inconclusive": new.count(Verdict.INCONCLUSIVE),
        "no longer refuted": sum(_eased(change) for change in changes),
        "still a violation": sum(_still(change) for change in changes),
        "leaks that are new": sum(len(change.new_leaks) for change in changes),
        "not there before": sum(change.old is None for change in changes),
        "gone": sum(change.new is None for change in changes),
        "unchanged": sum(not change.words for change in changes),
    }
    told = ", ".join(f"{number} {words}" for words, number in counts.items() if number)
    targets = f"{len(changes)} target{'s' * (len(changes) != 1)}"
    return f"{targets}: {told}" if told else f"{targets}: other bounds or claims"


def _eased(change: Change) -> bool:
    was = change.old is not None and change.old.verdict is Verdict.VIOLATION
    return was and change.new_verdict is Verdict.NOT_REFUTED


def _still(change: Change) -> bool:
    return change.new_verdict is None and _violates(change.new)


def _violates(side: Side | None) -> bool:
    return side is not None and side.verdict is Verdict.VIOLATION


def _rows(changes: Sequence[Change]) -> Iterator[tuple[str, ...]]:
    for change in changes:
        if change.words or _violates(change.new):
            yield (
                clip(change.name, _LONGEST_NAME),
                "–" if change.old is None else str(change.old.verdict),
                "–" if change.new is None else str(change.new.verdict),
                "–" if change.new is None else change.new.shown,
                "; ".join(_said(change)) or "nothing",
            )


def _said(change: Change) -> tuple[str, ...]:
    still = change.still_there
    return ((f"still there: {short_cause(still)}",) if still else ()) + change.words


def _end(changes: Sequence[Change]) -> list[str]:
    moved = any(change.old and change.new and change.words for change in changes)
    return [summary(changes), *([_CAVEAT] if moved else [])]
