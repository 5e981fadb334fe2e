"""What changed between two sets of results: verdicts, claims, bounds, leaks, targets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from audit.claim import Claim
from audit.jsonable import finite
from audit.report.numerals import at_least
from audit.verdict.result import Verdict

_GRAVITY = (Verdict.VIOLATION, Verdict.INCONCLUSIVE, Verdict.NOT_REFUTED)


class Answer(Protocol):
    """What results of every kind say."""

    @property
    def claim(self) -> Claim:
        """What was audited."""

    @property
    def verdict(self) -> Verdict:
        """The answer."""

    @property
    def levels(self) -> Mapping[str, float]:
        """Lower bounds by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of the two results of a target.

    Attributes:
        verdict: the answer.
        claim: what was audited, in words.
        symbol: of the claim's own level.
        bound: its lower bound.
        leaks: kinds of side channels that were seen.
    """

    verdict: Verdict
    claim: str
    symbol: str
    bound: float
    leaks: tuple[str, ...] = ()

    @classmethod
    def of(cls, result: Answer) -> Side:
        """What is compared of a result."""
        leaks = getattr(result, "leaks", ())
        return cls(
            verdict=result.verdict,
            claim=str(result.claim),
            symbol=result.claim.symbol,
            bound=result.levels.get(result.claim.bound, 0.0),
            leaks=tuple(dict.fromkeys(leak.kind for leak in leaks)),
        )

    @property
    def shown(self) -> str:
        """The bound as people read it."""
        return f"{self.symbol} ≥ {at_least(self.bound)}"

    def as_json(self) -> dict[str, Any]:
        """As it stands in a comparison."""
        return {
            "verdict": str(self.verdict),
            "claim": self.claim,
            "bound": finite(self.bound),
            "leaks": list(self.leaks),
        }


@dataclass(frozen=True, slots=True)
class Change:
    """One target then and now.

    Attributes:
        name: what results call it.
        old: as it was; None where it was not there.
        new: as it is; None where it is not there any more.
    """

    name: str
    old: Side | None
    new: Side | None

    @property
    def new_verdict(self) -> Verdict | None:
        """The verdict of now where it is not that of then, or where there was none."""
        if self.new is None or (self.old is not None and self.old.verdict is self.new.verdict):
            return None
        return self.new.verdict

    @property
    def new_leaks(self) -> tuple[str, ...]:
        """Leaks that were not seen then."""
        known = () if self.old is None else self.old.leaks
        return () if self.new is None else tuple(k for k in self.new.leaks if k not in known)

    @property
    def words(self) -> tuple[str, ...]:
        """What changed, a clause each; nothing where nothing did."""
        if self.old is None:
            return ("new",)
        if self.new is None:
            return ("gone",)
        return (*_verdicts(self.old, self.new), *_claims(self.old, self.new), *_leaks(self))

    @property
    def gravity(self) -> tuple[int, int]:
        """Its place: what is new before the rest, the worst first."""
        side = self.new or self.old
        worst = _GRAVITY.index(side.verdict) if side is not None else 0
        return (0 if self.new_verdict else 1 if self.words else 2), worst

    def as_json(self) -> dict[str, Any]:
        """As it stands in a comparison."""
        return {
            "name": self.name,
            "old": None if self.old is None else self.old.as_json(),
            "new": None if self.new is None else self.new.as_json(),
            "changes": list(self.words),
        }


def compared(old: Mapping[str, Answer], new: Mapping[str, Answer]) -> list[Change]:
    """Every target of either set, what is new first.

    Args:
        old: results by the names of their targets.
        new: the same, later.
    """
    names = dict.fromkeys([*new, *old])
    changes = [Change(name, _side(old.get(name)), _side(new.get(name))) for name in names]
    return sorted(changes, key=lambda change: change.gravity)


def _side(result: Answer | None) -> Side | None:
    return None if result is None else Side.of(result)


def _verdicts(old: Side, new: Side) -> tuple[str, ...]:
    if old.verdict is new.verdict:
        return ()
    return (f"was {_said(old.verdict)}, is {_said(new.verdict)}",)


def _claims(old: Side, new: Side) -> tuple[str, ...]:
    """Bounds are compared where they are bounds on the same."""
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
