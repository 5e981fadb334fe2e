"""Changes between two sets of results: verdicts, causes, claims, bounds, leaks, targets."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from audit.errors import visible
from audit.jsonable import finite
from audit.report.causes import short_cause
from audit.report.formatting import aligned, at_least, clip
from audit.report.json_node import Stored
from audit.report.loss import detectable, own_bound
from audit.report.markdown import grid
from audit.verdict.result import AuditResult, Verdict

_GRAVITY = (Verdict.VIOLATION, Verdict.INCONCLUSIVE, Verdict.NOT_REFUTED)


def kinds_of_leaks(result: Stored) -> tuple[str, ...]:
    """Kinds of the side channels found."""
    return tuple(dict.fromkeys(leak.kind for leak in getattr(result, "leaks", ())))


def bound_of(result: Stored) -> str:
    """The lower bound of the claim's own kind in words."""
    return f"{result.claim.symbol} ≥ {at_least(own_bound(result))}"


@dataclass(frozen=True, slots=True)
class Change:
    """One target in both sets of results.

    Attributes:
        name: of the target.
        old: the old result; None if there is none.
        new: the new result; None if there is none.
    """

    name: str
    old: Stored | None
    new: Stored | None

    @property
    def new_verdict(self) -> Verdict | None:
        """The new verdict if it differs from the old one, or if there was none."""
        if self.new is None or (self.old is not None and self.old.verdict is self.new.verdict):
            return None
        return self.new.verdict

    @property
    def new_leaks(self) -> tuple[str, ...]:
        """Kinds of leaks that the old result does not have."""
        return _of_one_alone(self.new, self.old)

    @property
    def words(self) -> tuple[str, ...]:
        """The changes, a clause each."""
        if self.old is None:
            return ("new",)
        if self.new is None:
            return ("gone",)
        if str(self.old.claim) == str(self.new.claim):
            claims = (*_causes(self.old, self.new), *_bounds(self.old, self.new))
        else:
            claims = (f"claimed was {self.old.claim}, is {self.new.claim}",)
        return (
            *_verdicts(self.old, self.new),
            *claims,
            *(f"{kind} leak is new" for kind in self.new_leaks),
            *(f"{kind} leak is not seen now" for kind in _of_one_alone(self.old, self.new)),
        )

    @property
    def still_there(self) -> str:
        """The known cause of both violations of one claim; empty if there is none."""
        old, new = self.old, self.new
        same = old and new and _cause(old) == _cause(new) and str(old.claim) == str(new.claim)
        return _cause(old) if old and same else ""

    @property
    def gravity(self) -> tuple[int, int]:
        """Sort key: new verdicts before the rest, the worst first."""
        side = self.new or self.old
        worst = _GRAVITY.index(side.verdict) if side is not None else 0
        return (0 if self.new_verdict else 1 if self.words else 2), worst

    def as_json(self) -> dict[str, Any]:
        """JSON of a comparison."""
        return {
            "name": self.name,
            "old": _as_json(self.old),
            "new": _as_json(self.new),
            "changes": list(self.words),
            "still_there": self.still_there or None,
        }


def compared(old: Mapping[str, Stored], new: Mapping[str, Stored]) -> list[Change]:
    """Every target of either set, new verdicts first."""
    names = dict.fromkeys([*new, *old])
    changes = [Change(name, old.get(name), new.get(name)) for name in names]
    return sorted(changes, key=lambda change: change.gravity)


def _as_json(result: Stored | None) -> dict[str, Any] | None:
    if result is None:
        return None
    return {
        "verdict": str(result.verdict),
        "claim": str(result.claim),
        "bound": finite(own_bound(result)),
        "leaks": list(kinds_of_leaks(result)),
        "cause": _cause(result) or None,
    }


def _verdicts(old: Stored, new: Stored) -> tuple[str, ...]:
    if old.verdict is new.verdict:
        return ()
    if old.verdict is Verdict.VIOLATION and new.verdict is Verdict.INCONCLUSIVE:
        return ("not decided (was a violation)",)
    if old.verdict is Verdict.VIOLATION and str(old.claim) == str(new.claim):
        power = f"; {detectable(new)}" if isinstance(new, AuditResult) else ""
        detects = getattr(new, "detectable_epsilon", None)
        if detects is not None and detects > own_bound(old):
            return (f"no longer refuted, with too few runs to detect the old bound{power}",)
        return (f"fixed (no longer refuted{power})",)
    return (f"was {_said(old.verdict)}, is {_said(new.verdict)}",)


def _cause(result: Stored) -> str:
    """Id of the likely cause of a violation; empty if it is unknown."""
    found = getattr(result, "diagnosis", None)
    if found is None or result.verdict is not Verdict.VIOLATION or found.cause == "unknown":
        return ""
    return str(found.cause)


def _causes(old: Stored, new: Stored) -> tuple[str, ...]:
    gone, found = _cause(old), _cause(new)
    if not (gone and found) or gone == found:
        return ()
    return (f"another cause: '{short_cause(gone)}' is gone, '{short_cause(found)}' is next",)


def _bounds(old: Stored, new: Stored) -> tuple[str, ...]:
    before, after = bound_of(old), bound_of(new)
    return () if before == after else (f"bound was {before}, is {after}",)


def _of_one_alone(one: Stored | None, other: Stored | None) -> tuple[str, ...]:
    known = () if other is None else kinds_of_leaks(other)
    return () if one is None else tuple(k for k in kinds_of_leaks(one) if k not in known)


def _said(verdict: Verdict) -> str:
    return "a violation" if verdict is Verdict.VIOLATION else str(verdict).replace("-", " ")


_HEAD = ("target", "old", "new", "lower bound", "change")
_LONGEST_NAME = 60
_CAVEAT = "Bounds vary with the number of runs. A claim that is not refuted is not proved."
_APART = (
    "No target has the same name in both. To compare them, audit both with the same --name, or "
    "rename a stored result: audit render RESULT.json --name NAME --format json"
)


def render_text(changes: Sequence[Change]) -> str:
    """A line for each target that changed or violates its claim, and a summary."""
    rows = [tuple(visible(cell) for cell in row) for row in _rows(changes)]
    table = [*aligned([_HEAD, *rows]), ""] if rows else []
    return "\n".join([*table, *_end(changes)]) + "\n"


def render_markdown(changes: Sequence[Change]) -> str:
    """A table of the changes."""
    rows = list(_rows(changes))
    table = [grid(_HEAD, rows), ""] if rows else []
    return "\n".join(["# Changes", "", *table, *_end(changes)]) + "\n"


def render_json(changes: Sequence[Change]) -> str:
    """Every target with both of its sides."""
    found = {"schema": 1, "summary": summary(changes), "targets": [c.as_json() for c in changes]}
    return json.dumps(found, indent=2) + "\n"


def summary(changes: Sequence[Change]) -> str:
    """Counts of changes, in one line."""
    counts = {words: sum(map(counted, changes)) for words, counted in _COUNTED.items()}
    found = ", ".join(f"{number} {words}" for words, number in counts.items() if number)
    targets = f"{len(changes)} target{'s' * (len(changes) != 1)}"
    return f"{targets}: {found or 'other bounds or claims'}"


_COUNTED: dict[str, Callable[[Change], int]] = {
    "newly a violation": lambda change: change.new_verdict is Verdict.VIOLATION,
    "newly inconclusive": lambda change: change.new_verdict is Verdict.INCONCLUSIVE,
    "no longer refuted": lambda change: (
        _violates(change.old) and change.new_verdict is Verdict.NOT_REFUTED
    ),
    "still a violation": lambda change: change.new_verdict is None and _violates(change.new),
    "with a new leak": lambda change: bool(change.new_leaks),
    "not there before": lambda change: change.old is None,
    "gone": lambda change: change.new is None,
    "unchanged": lambda change: not change.words,
}
"""What a summary counts, in its order."""


def _violates(result: Stored | None) -> bool:
    return result is not None and result.verdict is Verdict.VIOLATION


def _rows(changes: Sequence[Change]) -> Iterator[tuple[str, ...]]:
    for change in changes:
        if change.words or _violates(change.new):
            new, cause = change.new, change.still_there
            still = (f"still there: {short_cause(cause)}",) if cause else ()
            words = "; ".join((*still, *change.words)) or "nothing"
            verdicts = ("–" if one is None else str(one.verdict) for one in (change.old, new))
            bound = "–" if new is None else bound_of(new)
            yield clip(change.name, _LONGEST_NAME), *verdicts, bound, words


def _end(changes: Sequence[Change]) -> list[str]:
    both = [change for change in changes if change.old and change.new]
    moved = any(change.words for change in both)
    return [summary(changes), *[_CAVEAT] * moved, *[_APART] * (not both)]
