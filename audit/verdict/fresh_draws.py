"""Draws made for people to look at, after all that is shown of them was chosen."""

from __future__ import annotations

from audit.betting.record import BettingRecord
from audit.outcomes.encoding import Outcomes
from audit.sampling.sampler import Sampler
from audit.sampling.source import Source
from audit.sampling.stream import Address
from audit.sampling.trace import Misaligned

FRESH = 2000
FEWEST = 32
_FRESH_SLOWLY = 1000
SLOW_SHARE = 8
"""Of the pairs that were bet with, where every run takes a call of its own."""


def fresh_draws(sampler: Sampler, record: BettingRecord) -> int:
    """Runs worth making on one dataset for people to look at: few where each is slow."""
    if sampler.box.many:
        return FRESH
    return max(FEWEST, min(_FRESH_SLOWLY, record.drawn // SLOW_SHARE))


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
