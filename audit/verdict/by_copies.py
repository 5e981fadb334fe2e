"""What may be said of a black box that may hold noise: what copies of it have won.

Within one process noise that is kept is a number like any other, and neither calls nor blocks of
them are independent draws. Copies that were never called are. So the claim, a lower bound and a
leak are what copies win (see `won_by_copies`), and nothing else. First few of them are asked
whether they have another law (see `other_law`), which saves the others where it shows.
"""

from __future__ import annotations

from dataclasses import dataclass

from audit.audit_session import AuditSession
from audit.betting.record import BettingRecord, CapitalRecord
from audit.verdict.asked_copies import COPIES
from audit.verdict.other_law import other_law
from audit.verdict.won_by_copies import ByCopies, Won

_UNTOLD = (
    "no lower bound is told: the black box may keep a part of its noise from call to call, and "
    "copies of it that had not been called before, each of which counts as one call, won none"
)
_EACH = 1 << 12
"""Numbers of copies for each of what is asked."""


@dataclass(frozen=True, slots=True)
class Copied:
    """What copies say to what bets have won.

    Attributes:
        doubt: why nothing may be said.
        level: lower bound on the claim's parameter.
        epsilon: the same for epsilon, where the claim is of another kind.
        leaking: whether low bits break it.
    """

    doubt: str = ""
    level: float = 0.0
    epsilon: float = 0.0
    leaking: bool = False


def by_copies(session: AuditSession, record: BettingRecord) -> Copied:
    """What copies win of all that bets have won."""
    if unlike := other_law(session, record):
        return Copied(unlike)
    claim = _won(session, record, record.claim, 0)
    if claim.doubt:
        return Copied(claim.doubt)
    if record.claim.level > 0.0 and not claim.level:
        session.note((_UNTOLD,))
    leaks = record.leaks if record.leaks is not None and record.leaks.refuted else None
    leaking = _won(session, record, leaks, 1)
    pure = _won(session, record, record.pure, 2)
    broken = leaks is not None and leaking.level >= leaks.claim.level
    return Copied("", claim.level, pure.level, broken)


def _won(
    session: AuditSession, record: BettingRecord, capital: CapitalRecord | None, place: int
) -> Won:
    """What copies win of what one capital has, with runs that the witness does not need."""
    if capital is None or not (capital.refuted or capital.level > 0.0):
        return Won()
    allotted = session.allotted(session.settings.max_samples)
    runs = session.left - allotted.shown // 2 - (0 if capital.refuted else allotted.check)
    asking = ByCopies.of(session, record, capital, max(0, runs))
    kept: list[Won] = []

    def find() -> str:
        kept.append(asking.won(COPIES + place * _EACH))
        return f"{kept[0].level!r} {kept[0].doubt}"

    with session.confirmation():
        told = session.sampler.found(f"won by copies {place} {runs}", find)
    level, _, doubt = told.partition(" ")
    return Won(float(level), doubt)
