"""The event that an exact test of runs to come is likeliest to refute a claim with.

What was counted of hundreds of events singles out lucky ones: those that are seen now and
then. So the chance that a test refutes is averaged over what the excess d of an event may be,
its ratio being e^d times what is promised, given a prior that finds small ones likelier and
what was counted. Only the choice depends on any of this, and no level.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from audit.betting.confirmation.event_bet import EventBet
from audit.betting.e_process import Floats
from audit.betting.position import Position
from audit.claim import Lines
from audit.special import special

_EXCESS: Floats = np.concatenate([[0.0], np.geomspace(0.02, 5.0, 20)])
_USUAL = 0.2
"""Excesses below that are about equally likely."""
_PRIOR: Floats = np.gradient(_EXCESS) / (_USUAL + _EXCESS) ** 4
_HOPELESS = 2.0
"""How many times its level a test has to be likely to refute."""
_Scored = tuple[Floats, Floats]


def likeliest(
    positions: Sequence[Position], lines: Lines, runs: int, level: float
) -> tuple[float, EventBet | None]:
    """The event, or two in opposite directions, to test a claim with; None where none looks so.

    Args:
        positions: whose events may be chosen, by what was counted since they were fixed.
        lines: of the claim.
        runs: on either side, to be tested.
        level: of the test.

    Returns:
        How likely its test is to refute, and the event.
    """
    stricter = float(-special.ndtri(level))
    found = [item for position in positions for item in _of(position, lines, runs, stricter)]
    power, best = max(found, key=lambda item: item[0], default=(0.0, None))
    return (power, best) if power > _HOPELESS * level else (power, None)


def _of(
    position: Position, lines: Lines, runs: int, stricter: float
) -> Iterator[tuple[float, EventBet]]:
    """The best event and the best two of each table, with the power of their tests."""
    for table, joint, (single, double) in zip(
        position.portfolio.tables, position.event_counts, position.tallies(), strict=True
    ):
        for first, found in ((0, _one(single)), (single.shape[1], _two(double))):
            if found[0].size and joint.any():
                power = _power(*found, lines, runs, stricter, int(joint.sum()))
                cell = np.unravel_index(power.argmax(), power.shape)
                yield float(power[cell]), EventBet.of(position.pair, table, joint, cell, first)


def _one(tally: Floats) -> _Scored:
    """Of single events: counts on their own side and on the other, shape (2, events, 1) each."""
    both, own, other = (tally[..., place, None] for place in range(3))
    return both + own, both + other


def _two(tally: Floats) -> _Scored:
    """Of two events: how often the likelier one came on either side, then the other one."""
    cells = tally.reshape(*tally.shape[:-1], 3, 3)
    own, other = cells.sum(axis=-1), cells.sum(axis=-2)
    likely = np.stack([own[..., 0], other[..., 1]], axis=-1)
    return likely, np.stack([own[..., 1], other[..., 0]], axis=-1)


def _power(
    likely: Floats, wrong: Floats, lines: Lines, runs: int, stricter: float, pairs: int
) -> Floats:
    """Chances that tests refute, shape (2, events, lines).

    Args:
        likely: counts of what the claim is broken by, one or two, shape (2, events, 1 or 2).
        wrong: counts of what it is compared with, likewise.
        lines: of the claim.
        runs: on either side, to be tested.
        stricter: the normal quantile of the level.
        pairs: what was counted.
    """
    parts = likely.shape[-1]
    good, bad = (side.sum(axis=-1)[..., None, None] for side in (likely, wrong))
    rate = (bad + 0.5) / (parts * pairs + 1.0)
    promised = (lines[:, 0] + lines[:, 1] / rate[..., 0])[..., None] * np.exp(_EXCESS)
    share = promised / (1.0 + promised)
    weight = good * np.log(share) - bad * np.log1p(promised) + np.log(_PRIOR)
    weight = np.exp(weight - weight.max(axis=-1, keepdims=True))
    seen = runs * (good + bad + 1.0) / (pairs + 1.0)
    variance = _uneven(likely) / (seen * share) + _uneven(wrong) * (1.0 + promised) / seen
    if parts == 1:
        variance = np.maximum(variance - 2.0 / runs, 1.0 / runs)
    refuted = special.ndtr(parts * _EXCESS / np.sqrt(variance) - stricter)
    power: Floats = (weight * refuted).sum(axis=-1) / weight.sum(axis=-1)
    return power


def _uneven(counts: Floats) -> Floats:
    """The variance of the log of a product of counts, times the sum of the counts."""
    held = counts + 0.5
    uneven: Floats = ((1.0 / held).sum(axis=-1) * held.sum(axis=-1))[..., None, None]
    return uneven
