"""After the bets: the witness on fresh draws, the self-check, and the leaks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from audit.case import Settings
from audit.claim import PureDP
from audit.event import Event
from audit.events import describe
from audit.fund import Favourite, Fund
from audit.gambler import Gambler
from audit.intervals import proportion
from audit.neighbors import Pair, shown
from audit.outcomes import Outcomes
from audit.result import Leak, Witness
from audit.sampling import Sampler
from audit.stream import Address, Stage
from audit.trace import Misaligned
from audit.track import Track

_FRESH = 2000
_FRESH_SLOWLY = 1000
_FEWEST = 100
_SHOWN = 50
_BATCH = 4096
ALIKE = PureDP(1e-3)
"""What holds for a dataset against itself, whatever the mechanism claims."""
_CHECKED = 8000
"""Runs of the self-check at least, where one call gives many: batches have to grow."""


def fresh_draws(sampler: Sampler) -> int:
    """Runs worth making on one dataset for people to look at: few where each is slow."""
    return _FRESH if sampler.box.many else max(_FEWEST, min(_FRESH_SLOWLY, sampler.samples // 4))


def samples_left(sampler: Sampler, max_samples: int, pairs: int) -> int:
    """Runs that may be bet: a fifth at most is kept for the witness and the tables."""
    kept = (pairs + 4) * _FRESH
    return max(0, max_samples - sampler.samples - min(kept, max_samples // 5))


def drawn_afresh(sampler: Sampler, address: Address, data: Any, size: int, side: int) -> Outcomes:
    """Independent draws on one dataset, however the black box wants to be called."""
    try:
        return sampler.side(address, data, size, side)
    except Misaligned:
        return sampler.side(address, data, size, side)


def witness_of(gambler: Gambler, pairs: Sequence[Pair], settings: Settings) -> Witness | None:
    """The event behind most of the wealth, its odds estimated on draws made after it was chosen."""
    favourite = gambler.fund.favourite()
    if favourite is None:
        return None
    pair, sampler, table = pairs[favourite.pair], gambler.sampler, favourite.table
    wanted = max(fresh_draws(sampler), _enough(favourite))
    draws = max(1, min(wanted, (settings.max_samples - sampler.samples) // 4))
    sides = [pair.dataset, pair.neighbor] if favourite.forward else [pair.neighbor, pair.dataset]
    counts = [_count(sampler, favourite, draws, data, side) for side, data in enumerate(sides)]
    p, q = (proportion(count, draws, settings.alpha) for count in counts)
    slope, offset = gambler.fund.claim.lines(gambler.fund.claim.level)[favourite.line]
    return Witness(
        pair=pair.name,
        dataset=shown(sides[0], sides[1]),
        neighbor=shown(sides[1], sides[0]),
        difference=pair.difference,
        direction=f"D over {pair.name}" if favourite.forward else f"{pair.name} over D",
        event=describe(table.feature, table.binning, favourite.mask),
        p=p,
        q=q,
        slope=float(slope),
        offset=float(offset),
        draws=draws,
    )


def _enough(favourite: Favourite) -> int:
    """Draws that should show an event as rare as this one a few dozen times."""
    seen = favourite.joint.sum(axis=1 if favourite.forward else 0)[favourite.mask].sum()
    drawn = max(1, int(favourite.joint.sum()))
    return math.ceil(_SHOWN * drawn / max(1, int(seen)))


def _count(sampler: Sampler, favourite: Favourite, draws: int, data: Any, side: int) -> int:
    """How often the event happens on fresh draws, made batch by batch."""
    table, found = favourite.table, 0
    for batch in range(math.ceil(draws / _BATCH)):
        size = min(_BATCH, draws - batch * _BATCH)
        address = Address(Stage.WITNESS, favourite.pair, batch)
        outcomes = drawn_afresh(sampler, address, data, size, side)
        found += int(favourite.mask[table.binning.code(table.feature.read(outcomes))].sum())
    return found


def independent(gambler: Gambler, pairs: Sequence[Pair], max_samples: int) -> bool:
    """Whether bets on each dataset against itself stay poor.

    A black box that keeps state between calls, or shares noise within one call,
    can win bets without breaking any claim. It then wins these bets as well: two
    independent draws on one dataset are alike, so that the smallest of claims is
    bet against, which sees the most.
    """
    favourite = gambler.fund.favourite()
    if favourite is None:
        return True
    pair, sampler = pairs[favourite.pair], gambler.sampler
    check = Sampler.of(sampler.box, sampler.seed, coupled=False, turns=False)
    tracks = [Track(0, pair.dataset, pair.dataset), Track(1, pair.neighbor, pair.neighbor)]
    fund = Fund(ALIKE, gambler.fund.alpha)
    drawn = next(track.drawn for track in gambler.tracks if track.index == favourite.pair)
    player = Gambler(check, fund, tracks, stage=Stage.CHECK, crew=gambler.crew)
    wanted = max(4 * drawn, _CHECKED if sampler.box.many else 0)
    player.play(min(wanted, max(0, (max_samples - sampler.samples) // 2)))
    sampler.samples += check.samples
    return not fund.refuted


def leaks_of(gambler: Gambler, pairs: Sequence[Pair]) -> tuple[Leak, ...]:
    """What the low bits of the outputs gave away."""
    fund = gambler.leaks
    if fund is None or not fund.refuted:
        return ()
    favourite = fund.favourite()
    if favourite is None:
        return ()
    event = describe(favourite.table.feature, favourite.table.binning, favourite.mask)
    pair = pairs[favourite.pair]
    where = f"{event.description} (on {pair.name}: {pair.difference})"
    named = Event(where, {**event.parameters, "pair": pair.name})
    return (Leak(kind="floating-point", event=named, log_evalue=fund.best),)
