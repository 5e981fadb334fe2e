"""Table of a learned score: one row for each part of the output."""

from __future__ import annotations

from audit.betting.event import Event
from audit.report.numerals import number

_HIGH = "The score is higher where outputs look more like those of D."
_RULES = {
    ("on D", "on the neighbor", "scale"): (
        f"{_HIGH} Each part y adds (|y - on the neighbor| - |y - on D|) / scale."
    ),
    ("centre", "weight"): f"{_HIGH} Each part y adds weight · (y - centre).",
    ("lowest", "highest"): (
        f"{_HIGH} Each part adds the log-ratio of its bin, which lies between these two."
    ),
}


def weights(event: Event) -> list[list[str]]:
    """A head and a row for each part; empty for an event that reads no learned score."""
    found = event.parameters.get("weights") or []
    if not found:
        return []
    head = list(found[0])
    return [head, *([_cell(row.get(name, "")) for name in head] for row in found)]


def _cell(value: object) -> str:
    return number(value) if isinstance(value, float | int) else str(value)


def rule(event: Event) -> str:
    """Formula of the score for the table; empty if there is none."""
    found = weights(event)
    return _RULES.get(tuple(found[0][1:]), _HIGH) if found else ""
