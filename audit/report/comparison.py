"""Changes between two sets of results: verdicts, causes, claims, bounds, leaks, targets."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from audit.errors import visible
from audit.jsonable import finite
from audit.report.causes import short_cause
from audit.report.formatting import at_least, clip, inline
from audit.report.json_node import Stored
from audit.report.loss import detectable
from audit.report.tables import aligned
from audit.verdict.result import AuditResult, Verdict

_GRAVITY = (Verdict.VIOLATION, Verdict.INCONCLUSIVE, Verdict.NOT_REFUTED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of the two results of a target.

    Attributes:
        verdict: the verdict.
        claim: the claim, in words.
        symbol: of the claim's own level.
        bound: its lower bound.
        leaks: kinds of the side channels found.
        cause: id of the likely cause of a violation; empty if it is unknown.
        power: the smallest loss that would have been detected, in words; empty if unknown.
        detects: the same as a number; None if there is none.
    """

    verdict: Verdict
    claim: str
    symbol: str
    bound: float
    leaks: tuple[str, ...] = ()
    cause: str = ""
    power: str = ""
    detects: float | None = None

    @classmethod
    def of(cls, result: Stored) -> Side:
        """The compared part of a result."""
        leaks = getattr(result, "leaks", ())
        return cls(
            verdict=result.verdict,
            claim=str(result.claim),
            symbol=result.claim.symbol,
            bound=result.levels.get(result.claim.bound, 0.0),
            leaks=tuple(dict.fromkeys(leak.kind for leak in leaks)),
            cause=_cause(result),
            power=detectable(result) if isinstance(result, AuditResult) else "",
            detects=getattr(result, "detectable_epsilon", None),
        )

    @property
    def shown(self) -> str:
        """The bound in words."""
        return f"{self.symbol} ≥ {at_least(self.bound)}"

    def as_json(self) -> dict[str, Any]:
        """JSON of a comparison."""
        return {
            "verdict": str(self.verdict),
            "claim": self.claim,
            "bound": finite(self.bound),
            "leaks": list(self.leaks),
            "cause": self.cause or None,
        }


@dataclass(frozen=True, slots=True)
class Change:
    """One target in both sets of results.

    Attributes:
        name: of the target.
        old: the old result; None if there is none.
        new: the new result; None if there is none.
    """

    name: str
    old: Side | None
    new: Side | None

    @property
    def new_verdict(self) -> Verdict | None:
        """The new verdict if it differs from the old one, or if there was none."""
        if self.new is None or (self.old is not None and self.old.verdict is self.new.verdict):
            return None
        return self.new.verdict

    @property
    def new_leaks(self) -> tuple[str, ...]:
        """Kinds of leaks that the old result does not have."""
        known = () if self.old is None else self.old.leaks
        return () if self.new is None else tuple(k for k in self.new.leaks if k not in known)

    @property
    def words(self) -> tuple[str, ...]:
        """The changes, a clause each."""
        if self.old is None:
            return ("new",)
        if self.new is None:
            return ("gone",)
        return (
            *_verdicts(self.old, self.new),
            *_causes(self.old, self.new),
            *_claims(self.old, self.new),
            *_leaks(self),
        )

    @property
    def still_there(self) -> str:
        """The known cause of both violations of one claim; empty if there is none."""
        old, new = self.old, self.new
        same = old and new and old.cause == new.cause and old.claim == new.claim
        return old.cause if old and same else ""

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
            "old": None if self.old is None else self.old.as_json(),
            "new": None if self.new is None else self.new.as_json(),
            "changes": list(self.words),
            "still_there": self.still_there or None,
        }


def compared(old: Mapping[str, Stored], new: Mapping[str, Stored]) -> list[Change]:
    """Every target of either set, new verdicts first.

    Args:
        old: results by the names of their targets.
        new: the same, later.
    """
    names = dict.fromkeys([*new, *old])
    changes = [Change(name, _side(old.get(name)), _side(new.get(name))) for name in names]
    return sorted(changes, key=lambda change: change.gravity)


def _side(result: Stored | None) -> Side | None:
    return None if result is None else Side.of(result)


def _verdicts(old: Side, new: Side) -> tuple[str, ...]:
    if old.verdict is new.verdict:
        return ()
    if old.verdict is Verdict.VIOLATION and new.verdict is Verdict.INCONCLUSIVE:
        return ("not decided (was a violation)",)
    if old.verdict is Verdict.VIOLATION and old.claim == new.claim:
        power = f"; {new.power}" if new.power else ""
        if new.detects is not None and new.detects > old.bound:
            return (f"no longer refuted, with too few runs to detect the old bound{power}",)
        return (f"fixed (no longer refuted{power})",)
    return (f"was {_said(old.verdict)}, is {_said(new.verdict)}",)


def _cause(result: Stored) -> str:
    found = getattr(result, "diagnosis", None)
    if found is None or result.verdict is not Verdict.VIOLATION or found.cause == "unknown":
        return ""
    return str(found.cause)


def _causes(old: Side, new: Side) -> tuple[str, ...]:
    """A known cause that another one followed, for one claim."""
    if not (old.cause and new.cause) or old.cause == new.cause or old.claim != new.claim:
        return ()
    gone, found = short_cause(old.cause), short_cause(new.cause)
    return (f"another cause: '{gone}' is gone, '{found}' is next",)


def _claims(old: Side, new: Side) -> tuple[str, ...]:
    """Claims, or bounds if the claims are equal."""
    if old.claim != new.claim:
        return (f"claimed was {old.claim}, is {new.claim}",)
    return () if old.shown == new.shown else (f"bound was {old.shown}, is {new.shown}",)


def _leaks(change: Change) -> tuple[str, ...]:
    old = () if change.old is None else change.old.leaks
    new = () if change.new is None else change.new.leaks
    appeared = [f"{kind} leak is new" for kind in change.new_leaks]
    return (*appeared, *(f"{kind} leak is not seen now" for kind in old if kind not in new))


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
    table = [f"| {' | '.join(_HEAD)} |", "|:--|:--|:--|:--|:--|"] if rows else []
    table += [f"| {' | '.join(inline(cell) for cell in row)} |" for row in rows]
    return "\n".join(["# Changes", "", *table, *([""] if rows else []), *_end(changes)]) + "\n"


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
                "; ".join((*_still(change), *change.words)) or "nothing",
            )


def _still(change: Change) -> Iterator[str]:
    if cause := change.still_there:
        yield f"still there: {short_cause(cause)}"


def _end(changes: Sequence[Change]) -> list[str]:
    both = [change for change in changes if change.old and change.new]
    moved = any(change.words for change in both)
    hints = [*([_CAVEAT] if moved else []), *([] if both else [_APART])]
    return [summary(changes), *hints]
