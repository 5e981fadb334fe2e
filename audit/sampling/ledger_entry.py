"""The lines of a ledger, and the place of an audit among all audits of its target."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any

from audit.jsonable import Record

FORFEIT = -1e300
"""Log of the factor of a build whose wealth may not be counted."""
_BYTES = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """A level that is spent, written before the first run.

    Attributes:
        target: what is audited.
        audit: the number of this audit among all of the target that began afresh, from 1.
        build: how often its wealth was gone on with, and once more.
        alpha: chance of ever accusing the target falsely, all its audits together.
        level: what this audit has of it.
        seed: every number of the audit follows from it.
        runs: of the mechanism at most, all builds of this audit together.
        identity: a checksum of code, dependencies, data and claim.
        kept: the file of its finished batches, in the folder beside the ledger; "" for none.
        at: time of day in UTC.
        continues: mark of the line with which this audit began afresh; "" if it is this one.
        after: mark of the line before this one that spent a level of the target, "" for none.
        together: the part of alpha that all audits of the target have in common; 0 for none.
        mark: a checksum of all of these, by which other lines name this one.
    """

    target: str
    audit: int
    build: int
    alpha: float
    level: float
    seed: int
    runs: int
    identity: str
    kept: str
    at: str
    continues: str
    after: str
    together: float = 0.0
    mark: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "mark", mark_of(_said(self)))

    @property
    def origin(self) -> str:
        """Mark of the line with which this audit began afresh."""
        return self.continues or self.mark

    def to_line(self) -> str:
        """As it stands in the file."""
        return _line(_said(self))


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """What became of an audit.

    Attributes:
        begun: mark of the line with which it began.
        target: what was audited.
        verdict: the answer.
        log_evalue: natural log of the largest wealth reached.
        samples: runs of the mechanism, those of earlier builds with them.
        at: time of day in UTC.
        gained: natural log of the wealth at its end over that at its start, at the claim's level.
    """

    begun: str
    target: str
    verdict: str
    log_evalue: float
    samples: int
    at: str
    gained: float = FORFEIT

    def to_line(self) -> str:
        """As it stands in the file."""
        return _line(_said(self))


Entry = Begun | Ended


def _said(entry: Entry) -> dict[str, Any]:
    """What a line says, without the checksum of that, and without what goes without saying."""
    said = ((known, getattr(entry, known.name)) for known in fields(entry) if known.init)
    return {known.name: value for known, value in said if value != known.default}


def mark_of(values: Mapping[str, Any]) -> str:
    """The checksum of what a line says."""
    text = json.dumps(values, sort_keys=True, allow_nan=False)
    return hashlib.blake2b(text.encode(), digest_size=_BYTES).hexdigest()


def _line(values: Mapping[str, Any]) -> str:
    return json.dumps({**values, "mark": mark_of(values)}, allow_nan=False)


def entry_in(line: str) -> Entry:
    """The entry that a line is.

    Raises:
        ValueError: it is none, or somebody changed it; the message says what is wrong.
    """
    try:
        values = json.loads(line, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise ValueError("it is not JSON") from None
    if not isinstance(values, dict):
        raise ValueError("it is no JSON object")
    mark = values.pop("mark", None)
    kind = Ended if "begun" in values else Begun
    expected = _KINDS[kind]
    if not _NEEDED[kind] <= values.keys() <= expected.keys():
        raise ValueError(f"it should have {', '.join(expected)} and mark")
    for name, fits in expected.items():
        if name in values and not fits(values[name]):
            raise ValueError(f"its {name} is {str(values[name])[:40]!r}")
    if mark != mark_of(values):
        raise ValueError("its mark is not that of what it says")
    return kind(**values)


def _refuse(constant: str) -> float:
    raise ValueError(constant)


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 10**18


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _part(value: Any) -> bool:
    return _number(value) and 0.0 <= value < 1.0


def _chance(value: Any) -> bool:
    return _number(value) and 0.0 < value < 1.0


_FITS: dict[str, Callable[[Any], bool]] = {
    "audit": lambda value: _count(value) and value >= 1,
    "build": lambda value: _count(value) and value >= 1,
    "alpha": _chance,
    "level": _chance,
    "seed": _count,
    "runs": _count,
    "together": _part,
    "log_evalue": _number,
    "gained": _number,
    "samples": _count,
}
"""What values may be; all others are text."""
_KINDS: dict[type[Entry], dict[str, Callable[[Any], bool]]] = {
    kind: {known.name: _FITS.get(known.name, _text) for known in fields(kind) if known.init}
    for kind in (Begun, Ended)
}
_NEEDED = {
    kind: {known.name for known in fields(kind) if known.init and known.default is MISSING}
    for kind in (Begun, Ended)
}
"""What every line says; the rest goes without saying where it is what it usually is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Together(Record):
    """What all versions of a target came to together.

    Attributes:
        level: the part of alpha that this has.
        log_wealth: natural log of the wealth of all versions that count.
        gained: natural log of the factor by which this build changed it; None where what it won
            may not be counted.
        accused: whether the wealth reached 1/level: some version since that audit is wrong.
        since: number of the audit since which versions look worst.
        builds: since then, this one included.
        runs: of the mechanism in these builds, of all their stages.
    """

    level: float
    log_wealth: float
    gained: float | None
    accused: bool
    since: int
    builds: int
    runs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing(Record):
    """Where an audit stands among all audits of its target.

    Attributes:
        file: the ledger, as it was named.
        target: what is audited.
        audit: the number of this audit among all that began afresh.
        build: how often its wealth was gone on with, and once more.
        alpha: chance of ever accusing the target falsely, all audits together.
        runs: of the mechanism at most, all builds of this audit together.
        together: what all versions came to together; None where nothing is kept of that.
    """

    file: str
    target: str
    audit: int
    build: int
    alpha: float
    runs: int
    together: Together | None = None
