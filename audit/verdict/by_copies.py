"""What refuted a claim, and what copies of the black box say to it.

Whatever it is, they are asked whether they have another law (see `other_law`). What visibly holds
more than before its first call, or cannot be looked into, has to do better: another law would
have shown by then, or copies win the refutation again (see `won_by_copies`). Nor is a bound of
it told where nothing would have shown.
"""

from __future__ import annotations

from dataclasses import dataclass

from audit.audit_session import AuditSession
from audit.betting.record import BettingRecord
from audit.verdict.other_law import likeness
from audit.verdict.won_by_copies import not_won_by_copies, within_reach

_FEW = (
    "the bets won, but the black box may keep a part of its noise from call to call, and too few "
    "runs were left to see whether copies of it that had not been called before do the same; give "
    "--max-samples {budget} or more"
)


@dataclass(frozen=True, slots=True)
class Copied:
    """What copies say to a refutation.

    Attributes:
        doubt: why it may not be said; empty where it may, as far as they go.
        won: whether they won it again.
    """

    doubt: str = ""
    won: bool = False


def by_copies(session: AuditSession, record: BettingRecord) -> Copied:
    """What copies say to what refuted the claim."""
    alike = likeness(session, record)
    if alike.doubt or alike.told or not session.may_hold_more:
        return Copied(alike.doubt)
    if not within_reach(session, record):
        return Copied(_FEW.format(budget=2 * session.settings.max_samples))
    doubt = not_won_by_copies(session, record)
    return Copied(doubt, won=not doubt)
