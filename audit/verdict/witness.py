"""The witness: one event, or one function, on one pair of datasets, measured on fresh draws."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.audit_session import AuditSession
from audit.betting.confirmation.event_bet import EventBet
from audit.betting.confirmation.leading_bet import LeadingBet
from audit.betting.inequalities import Inequalities
from audit.betting.record import BettingRecord
from audit.claim import Claim
from audit.neighbors import Pair, shown
from audit.outcomes.encoding import Outcomes
from audit.sampling.sampler import Sampler
from audit.sampling.source import Source
from audit.sampling.stream import Address, Stage
from audit.sampling.trace import Misaligned
from audit.verdict.bounded_means import mean_of
from audit.verdict.estimate import Estimate
from audit.verdict.function_shown import FunctionShown, event_of
from audit.verdict.result import Witness
from audit.verdict.strongest_event import StrongestEvent

FRESH = 2000
_FRESH_SLOWLY = 1000
_FEWEST = 32
_SLOW_SHARE = 8
"""Of the pairs that were bet with, where every run takes a call of its own."""
_SHOWN = 50
_BATCH = 4096
_AGAIN = 4
"""How many times as long the longest look at a witness is as the bets were."""


def fresh_draws(sampler: Sampler, record: BettingRecord) -> int:
    """Runs worth making on one dataset for people to look at: few where each is slow."""
    if sampler.box.many:
        return FRESH
    return max(_FEWEST, min(_FRESH_SLOWLY, record.drawn // _SLOW_SHARE))


def drawn_afresh(
    sampler: Sampler, address: Address, source: Source, size: int, side: int
) -> Outcomes:
    """Independent draws on one dataset, however the black box wants to be called."""
    before = sum(sampler.runs.failed)
    try:
        drawn = sampler.side(address, source, size, side)
    except Misaligned:
        drawn = sampler.side(address, source, size, side)
    sampler.rate.add(source.data, size, sum(sampler.runs.failed) - before)
    return drawn


def witness_of(session: AuditSession, record: BettingRecord) -> Witness | None:
    """What broke the claim, its odds estimated on draws made after the event was chosen.

    It is looked at until its intervals exclude what the claim allows, or as long as
    seems worth it; intervals of the k-th look hold at alpha/(k (k + 1)), so that those
    of all looks hold at alpha.
    """
    bet, best = record.claim.shown, record.claim.best
    if bet is None or best is None:
        return None
    pair = session.pairs[bet.pair]
    claim = record.claim.claim
    sides = [pair.dataset, pair.neighbor] if bet.forward else [pair.neighbor, pair.dataset]
    seen = _seen(session, record, bet, sides)
    slope, offset = bet.line(Inequalities.at(claim, claim.level))
    return Witness(
        pair=pair.name,
        dataset=shown(sides[0], sides[1]),
        neighbor=shown(sides[1], sides[0]),
        difference=pair.difference,
        direction=_direction(bet, pair),
        event=event_of(bet, claim, pair.name),
        p=seen.p,
        q=seen.q,
        slope=slope,
        offset=offset,
        draws=seen.draws,
        counts=bet.counts if isinstance(bet, EventBet) else None,
        strongest=_strongest(bet, best, claim, pair),
        function=FunctionShown.of(bet, claim, seen.other),
    )


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


@dataclass(frozen=True, slots=True)
class _Seen:
    """What fresh draws show.

    Attributes:
        p: the mean of what is bet on, on its side; a probability where that is an event.
        q: the mean of what it is compared with, on the other.
        other: the mean there of what is bet on.
        draws: on each side.
    """

    p: Estimate
    q: Estimate
    other: Estimate
    draws: int


def _seen(session: AuditSession, record: BettingRecord, bet: LeadingBet, sides: list[Any]) -> _Seen:
    """Both means with intervals, and the draws behind each."""
    claim = record.claim.claim
    slope, offset = bet.line(Inequalities.at(claim, claim.level))
    own, other = bet.shown
    sources = [session.source(data) for data in sides]
    wanted = max(fresh_draws(session.sampler, record), _enough(bet))
    longest = _AGAIN * record.drawn if session.sampler.box.many else record.drawn // 2
    spare = max(_FEWEST, 2 * session.beside // 5)
    most = min(session.left // 4, spare, max(wanted, longest))
    most = session.in_time("witness", 4 * most) // 4
    counts = np.zeros((2, bet.binning.count), np.int64)
    draws, look = 0, 0
    while True:
        target = max(1, min(wanted << look, most))
        for side, source in enumerate(sources):
            counts[side] += _counts(session.sampler, bet, draws, target, source, side)
        draws, look = target, look + 1
        alpha = session.settings.alpha / (look * (look + 1))
        p, q = mean_of(counts[0], own, alpha), mean_of(counts[1], other, alpha)
        if p.low > slope * q.high + offset or target >= most:
            return _Seen(p, q, mean_of(counts[1], own, alpha), draws)


def _enough(bet: LeadingBet) -> int:
    """Draws that should show an event as rare as this one a few dozen times."""
    if not isinstance(bet, EventBet):
        return 0
    seen, _, drawn = bet.counts
    return math.ceil(_SHOWN * max(1, drawn) / max(1, seen))


def _counts(
    sampler: Sampler, bet: LeadingBet, before: int, draws: int, source: Source, side: int
) -> NDArray[np.int64]:
    """Outputs in each bin, of draws beyond those made before, batch by batch."""
    feature, binning = bet.reader
    found = np.zeros(binning.count, np.int64)
    while before < draws:
        size = min(_BATCH, draws - before)
        # Numbered by where they begin, so that looks of any length go on from each other.
        address = Address(Stage.WITNESS, bet.pair, before)
        outcomes = drawn_afresh(sampler, address, source, size, side)
        found += np.bincount(binning.code(feature.read(outcomes)), minlength=binning.count)
        before += size
    return found
