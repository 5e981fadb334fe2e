"""The witness: one event, or one function, on one pair of datasets, measured on fresh draws."""

from __future__ import annotations

from audit.audit_session import AuditSession
from audit.betting.confirmation.event_bet import EventBet
from audit.betting.confirmation.leading_bet import LeadingBet
from audit.betting.inequalities import Inequalities
from audit.betting.record import BettingRecord
from audit.claim import Claim
from audit.neighbors import Pair, shown
from audit.verdict.clearest import candidates, clearest
from audit.verdict.function_shown import FunctionShown, event_of
from audit.verdict.result import Witness
from audit.verdict.strongest_event import StrongestEvent


def witness_of(session: AuditSession, record: BettingRecord) -> Witness | None:
    """What broke the claim, its odds estimated on draws made after the event was chosen.

    Where fresh draws do not separate the event that is easiest to read, another one of
    those that earned most is shown if they separate that; see `clearest`.
    """
    bets = candidates(record.claim)
    if not bets or record.claim.best is None:
        return None
    pair = session.pairs[bets[0].pair]
    claim = record.claim.claim
    seen = clearest(session, record, bets, _sides(bets[0], pair))
    bet, (left, right) = seen.bet, _sides(seen.bet, pair)
    slope, offset = bet.line(Inequalities.at(claim, claim.level))
    return Witness(
        pair=pair.name,
        dataset=shown(left, right),
        neighbor=shown(right, left),
        difference=pair.difference,
        direction=_direction(bet, pair),
        event=event_of(bet, claim, pair.name),
        p=seen.p,
        q=seen.q,
        slope=slope,
        offset=offset,
        draws=seen.draws,
        counts=bet.counts if isinstance(bet, EventBet) else None,
        strongest=_strongest(bet, record.claim.best, claim, pair),
        function=FunctionShown.of(bet, claim, seen.other),
    )


def _sides(bet: LeadingBet, pair: Pair) -> tuple[object, object]:
    """The dataset on whose side is bet, and the other one."""
    sides = pair.dataset, pair.neighbor
    return sides if bet.forward else sides[::-1]


def _direction(bet: LeadingBet, pair: Pair) -> str:
    return f"D over {pair.name}" if bet.forward else f"{pair.name} over D"


def _strongest(
    bet: LeadingBet, best: LeadingBet, claim: Claim, pair: Pair
) -> StrongestEvent | None:
    """The event that earned most, where it is another one."""
    if not isinstance(bet, EventBet) or not isinstance(best, EventBet):
        return None
    if bet.counts == best.counts:
        return None
    return StrongestEvent(event_of(best, claim, pair.name), _direction(best, pair), best.counts)
