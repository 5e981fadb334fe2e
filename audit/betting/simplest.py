"""The event that is easiest to read among those that break a claim nearly as clearly as the best.

What earns most may be a score of many parts, or a set of bins that nothing fell
into beside one that everything did. On the same draws another event often earns
as much: a failure, a key that is missing, a value, a threshold. It is chosen
before the draws on which people are shown its odds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from audit.betting.capital import Capital
from audit.betting.confirmation.event_bet import EventBet
from audit.betting.e_process import STAKES, Floats
from audit.betting.event import Event
from audit.betting.events import describe
from audit.betting.inequalities import Inequalities
from audit.betting.portfolio import Table
from audit.betting.position import Position
from audit.outcomes.binning import Binning
from audit.outcomes.counting import Counts, Masks
from audit.outcomes.encoding import KIND, OUTPUT
from audit.outcomes.features import Distance, Feature, LowBits, Part, Pattern, Summary, TwoParts
from audit.outcomes.modular_relations import WeightedRemainder
from audit.outcomes.number_features import Decimals, Remainder
from audit.outcomes.part_features import ShapeOfParts, SumRemainder
from audit.outcomes.part_words import failure
from audit.outcomes.relations import Combination, Quotient
from audit.outcomes.symbols import LENGTH, MESSAGE, MISSING

_ENOUGH = 0.5
"""Of the log-wealth that the best event earned, what a simpler one has to earn."""
_LUCK = 6.0
"""Log-wealth that hardly any of a thousand events earns by chance: less is not enough, unless
the best event earned less."""
_FEATURES: tuple[tuple[type[Feature], int], ...] = (
    (Part, 0),
    (Distance, 4),
    (TwoParts, 4),
    (Summary, 4),
    (Remainder, 4),
    (Decimals, 4),
    (Combination, 5),
    (Quotient, 5),
    (WeightedRemainder, 5),
    (ShapeOfParts, 5),
    (SumRemainder, 5),
    (Pattern, 6),
)
_SCORE = 20
_MOST = 40
"""Events of one table that are looked at closely: those that earned most."""


def simplest_bet(capital: Capital, best: EventBet, larger: bool | None = None) -> EventBet:
    """The same pair, line and draws; the event easiest to read that earned enough.

    Where the best event never happened on its other side, the one that is chosen
    never did either.

    Args:
        capital: has been bet with.
        best: the bet that earned most.
        larger: whether D is the larger dataset: of two events that are equally easy to
            read, what happens on the larger one tells more. None for no preference.
    """
    promised = Inequalities.at(capital.claim, capital.claim.level)
    earned = best.growth(promised) * max(1, int(best.joint.sum()))
    enough = max(_ENOUGH * earned, min(_LUCK, earned))
    never = best.counts[1] == 0
    found = [
        bet
        for bet in _candidates(capital, best, promised.lines[best.place], enough)
        if not (never and bet.counts[1])
    ]

    def order(bet: EventBet) -> tuple[int, bool, float]:
        event = describe(bet.feature, bet.binning, bet.plus)
        elsewhere = larger is not None and bet.forward != larger
        return burden(bet.feature, event), elsewhere, -bet.growth(promised)

    return min(found, key=order, default=best)


def _candidates(
    capital: Capital, best: EventBet, line: Floats, enough: float
) -> Iterator[EventBet]:
    """Events of all tables that share the draws of the best one, with those that earned enough."""
    yield from _cleaned(best)
    for position in _positions(capital, best):
        for table, joint in zip(position.portfolio.tables, position.event_counts, strict=True):
            if not table.feature.fitted:
                masks, told = _masks(table), _telling(table, joint)
                for forward in (True, False):
                    won = earnings(told if forward else told.T, masks, line)
                    order = np.argsort(-won, kind="stable")[:_MOST]
                    for mask in masks[order[won[order] >= enough]]:
                        yield replace(
                            best,
                            feature=table.feature,
                            binning=table.binning,
                            joint=joint,
                            plus=mask,
                            minus=np.zeros_like(mask),
                            forward=forward,
                        )


def _positions(capital: Capital, best: EventBet) -> Iterator[Position]:
    for epoch in capital.epochs:
        for position in epoch.positions:
            if any(joint is best.joint for joint in position.event_counts):
                yield position


def _cleaned(best: EventBet) -> Iterator[EventBet]:
    """The event itself, and as it looks without, or with, all bins that nothing fell into."""
    seen = (best.joint.sum(axis=0) + best.joint.sum(axis=1)) > 0
    yield best
    yield replace(best, plus=best.plus & seen)
    yield replace(best, plus=best.plus | (~seen & _allowed(best.feature, best.binning)))


def _allowed(feature: Feature, binning: Binning) -> Masks:
    """Bins that an event may hold: of low bits those of numbers, as an absence has none."""
    return (np.arange(binning.count) < binning.numeric) | (not isinstance(feature, LowBits))


def _telling(table: Table, joint: Counts) -> Counts:
    """The pairs that count where odds are compared: of low bits those with both numbers."""
    allowed = _allowed(table.feature, table.binning)
    return joint * np.outer(allowed, allowed)


def _masks(table: Table) -> Masks:
    """Single bins, thresholds, a part that is there, any failure; shape (events, bins)."""
    binning = table.binning
    single = np.eye(binning.count, dtype=bool)
    places = np.arange(binning.count)
    numbers = places < binning.numeric
    above = (places >= np.arange(1, binning.numeric)[:, None]) & numbers
    masks = [single, above, ~above & numbers]
    if MISSING in binning.symbols:
        masks.append((places != binning.numeric + binning.symbols.index(MISSING))[None])
    failed = [bool(failure(symbol)) for symbol in binning.symbols]
    if table.feature == Part(KIND) and any(failed):
        masks.append(np.concatenate([np.zeros(binning.numeric, bool), failed, [False]])[None])
    every = np.concatenate(masks)
    return every[~(every & ~_allowed(table.feature, binning)).any(axis=1)]


def earnings(joint: Counts, masks: Masks, line: Floats) -> Floats:
    """Log-wealth of each event, D over D', at the stake that was best for it.

    Args:
        joint: pairs by the bin on D and the bin on D', shape (bins, bins).
        masks: shape (events, bins).
        line: slope and offset of the claim's line.

    Returns:
        Shape (events,).
    """
    slope, offset = (float(part) for part in line)
    held = masks.astype(np.float64)
    both = np.einsum("eb,bc,ec->e", held, joint.astype(np.float64), held)
    left, right = held @ joint.sum(axis=1), held @ joint.sum(axis=0)
    outcomes = np.stack([both, left - both, right - both, joint.sum() - left - right + both])
    payoffs = np.array([1.0 - slope, 1.0, -slope, 0.0]) - offset
    factors = np.log1p(STAKES[:, None] / (slope + offset) * payoffs)
    won: Floats = (factors @ outcomes).max(axis=0)
    return won


def burden(feature: Feature, event: Event) -> int:
    """How hard an event is to read: what it reads, and how much it takes to say which values."""
    found = event.parameters
    intervals, symbols = found["intervals"], found["symbols"]
    pieces = len(intervals) + len(symbols) + bool(found["other_symbols"])
    return _reading(feature) + _saying(event, intervals, symbols, pieces)


def _reading(feature: Feature) -> int:
    own = next((rank for kind, rank in _FEATURES if isinstance(feature, kind)), _SCORE)
    if not isinstance(feature, Part):
        return own + (isinstance(feature, TwoParts) and feature.sign != "-")
    told = feature.name.startswith(LENGTH) or MESSAGE in feature.name
    return own + (feature.name not in (OUTPUT, KIND)) + told


def _saying(
    event: Event, intervals: Sequence[Sequence[float | str]], symbols: Sequence[str], pieces: int
) -> int:
    words = event.description
    if words.startswith("the mechanism ") and not intervals and all(map(failure, symbols)):
        return 0
    if words.endswith((" is present", " is absent", " in the output")):
        # Said more simply than which value the part has.
        return -1
    if pieces != 1:
        return 5 + pieces
    if symbols:
        return 1
    if " exactly " in words or words.endswith(" up to rounding"):
        return 0
    return 3 if _endless(intervals) else 5


def _endless(intervals: Sequence[Sequence[float | str]]) -> bool:
    """Whether one end of the interval is infinite: a threshold."""
    ends = [float(end) for interval in intervals for end in interval]
    return any(map(math.isinf, ends))
