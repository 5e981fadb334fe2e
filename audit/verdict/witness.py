"""The witness: one event on one pair of datasets, its odds estimated on fresh draws."""

from __future__ import annotations

import math
from typing import Any

from audit.betting.confirmation.leading import LeadingBet
from audit.betting.event import Event
from audit.betting.events import describe
from audit.betting.record import BettingRecord
from audit.claim import Lines
from audit.neighbors import Pair, shown
from audit.outcomes.encoding import Outcomes
from audit.sampling.sampler import Sampler
from audit.sampling.source import Source
from audit.sampling.stream import Address, Stage
from audit.sampling.trace import Misaligned
from audit.session import AuditSession
from audit.verdict.estimate import Estimate
from audit.verdict.intervals import proportion
from audit.verdict.result import StrongestEvent, Witness

FRESH = 2000
_FRESH_SLOWLY = 1000
_FEWEST = 25
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
    sides = [pair.dataset, pair.neighbor] if bet.forward else [pair.neighbor, pair.dataset]
    lines = record.claim.claim.lines(record.claim.claim.level)
    p, q, draws = _estimated(session, record, bet, sides, lines)
    slope, offset = lines[bet.line]
    return Witness(
        pair=pair.name,
        dataset=shown(sides[0], sides[1]),
        neighbor=shown(sides[1], sides[0]),
        difference=pair.difference,
        direction=_direction(bet, pair),
        event=_event(bet, pair),
        p=p,
        q=q,
        slope=float(slope),
        offset=float(offset),
        draws=draws,
        counts=bet.counts,
        strongest=None if bet.counts == best.counts else _strongest(best, pair),
    )


def _direction(bet: LeadingBet, pair: Pair) -> str:
    return f"D over {pair.name}" if bet.forward else f"{pair.name} over D"


def _event(bet: LeadingBet, pair: Pair) -> Event:
    return describe(bet.table.feature, bet.table.binning, bet.plus, pair.name)


def _strongest(best: LeadingBet, pair: Pair) -> StrongestEvent:
    return StrongestEvent(_event(best, pair), _direction(best, pair), best.counts)


def _estimated(
    session: AuditSession, record: BettingRecord, bet: LeadingBet, sides: list[Any], lines: Lines
) -> tuple[Estimate, Estimate, int]:
    """Both probabilities with intervals, and the draws behind each."""
    slope, offset = lines[bet.line]
    sources = [session.source(data) for data in sides]
    wanted = max(fresh_draws(session.sampler, record), _enough(bet))
    longest = _AGAIN * record.drawn if session.sampler.box.many else record.drawn // 2
    spare = max(_FEWEST, 2 * session.beside // 5)
    most = min(session.left // 4, spare, max(wanted, longest))
    most = session.in_time("witness", 4 * most) // 4
    counts, draws, look = [0, 0], 0, 0
    while True:
        target = max(1, min(wanted << look, most))
        for side, source in enumerate(sources):
            counts[side] += _count(session.sampler, bet, draws, target, source, side)
        draws, look = target, look + 1
        alpha = session.settings.alpha / (look * (look + 1))
        p, q = (proportion(count, draws, alpha) for count in counts)
        if p.low > slope * q.high + offset or target >= most:
            return p, q, draws


def _enough(bet: LeadingBet) -> int:
    """Draws that should show an event as rare as this one a few dozen times."""
    seen, _, drawn = bet.counts
    return math.ceil(_SHOWN * max(1, drawn) / max(1, seen))


def _count(
    sampler: Sampler, bet: LeadingBet, before: int, draws: int, source: Source, side: int
) -> int:
    """How often the event happens on draws beyond those made before, batch by batch."""
    feature, binning = bet.reader
    found = 0
    while before < draws:
        size = min(_BATCH, draws - before)
        # Numbered by where they begin, so that looks of any length go on from each other.
        address = Address(Stage.WITNESS, bet.pair, before)
        outcomes = drawn_afresh(sampler, address, source, size, side)
        found += int(bet.plus[binning.code(feature.read(outcomes))].sum())
        before += size
    return found
