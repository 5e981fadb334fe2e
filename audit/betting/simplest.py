"""Events of one pair that break a claim, the easiest to read first.

The largest expected growth may belong to a score of many parts, or to a set of bins. On the same
counts another event is often nearly as good: a failure, a key that is missing, a value, a
threshold. It is chosen before the fresh runs that its odds are estimated on.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from audit.betting.bet import STAKES, Bet, Design, EventBet
from audit.betting.event_families import Reading
from audit.betting.events import Event, describe
from audit.betting.past import PairPast
from audit.betting.screening import Offer
from audit.betting.wealth import Interval
from audit.claims import Claim
from audit.outcomes.checksums import WeightedRemainder
from audit.outcomes.column import Floats, Masks
from audit.outcomes.encoding import KIND, OUTPUT
from audit.outcomes.features import Distance, Feature, LowBits, Part, Pattern, Summary, TwoParts
from audit.outcomes.number_features import Decimals, Remainder, ShapeOfParts, SumRemainder
from audit.outcomes.part_words import derived, failure
from audit.outcomes.relations import Combination, Quotient
from audit.outcomes.symbols import MISSING

_ENOUGH = 0.5
"""Of the log wealth that the best event would have earned: needed of a simpler one."""
_LUCK = 6.0
"""Log wealth that hardly any of a thousand events would have earned by chance."""
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
_CANDIDATES = 6
_EACH = 40
"""Events of one reading that are looked at closely."""


def _enough(found: Sequence[tuple[float, EventBet]], offers: Sequence[Offer]) -> float:
    """Log-wealth from which on an event may be the witness, easier to read than stronger ones."""
    counted = max((bet.counts[2] for _, bet in found), default=0)
    best = max((offer.growth * counted for offer in offers), default=0.0)
    best = max([best, *(won for won, _ in found)])
    return max(_ENOUGH * best, min(_LUCK, best))


def witnesses(past: PairPast, claim: Claim, larger: bool | None) -> list[Bet]:
    """Bets that may be the witness, each once: the event easiest to read, then the strongest.

    Args:
        past: counts of the pair.
        claim: what is bet against.
        larger: True if D is the larger dataset, False if D′ is; of two events that are equally
            easy to read, one that is likelier on the larger dataset is better. None for neither.
    """
    offers = _offers(past, claim)
    strongest = [offer.bet for offer in offers]
    found = [*_scored(past.pair, past.screen.readings, claim)]
    enough = _enough(found, offers)
    never = any(isinstance(bet, EventBet) and bet.counts[1] == 0 for bet in strongest[:1])
    fitting = [(won, bet) for won, bet in found if won >= enough and not (never and bet.counts[1])]

    def order(one: tuple[float, EventBet]) -> tuple[int, bool, float]:
        won, bet = one
        event = describe(bet.feature, bet.binning, bet.plus)
        elsewhere = larger is not None and bet.forward != larger
        return burden(bet.feature, event), elsewhere, -won

    distinct: dict[object, Bet] = {}
    for bet in (*(bet for _, bet in sorted(fitting, key=order)[:1]), *map(_single, strongest)):
        distinct.setdefault(bet.key, bet)
    return list(distinct.values())[:_CANDIDATES]


def evidence_of(past: PairPast, claim: Claim) -> float:
    """About the log wealth that the best event of a pair earns with a unit, times its units."""
    return max((offer.growth * past.units for offer in _offers(past, claim)), default=0.0)


def _offers(past: PairPast, claim: Claim) -> list[Offer]:
    held = Interval(0.9 * claim.level, claim.level)
    return past.screen.offers(claim, held, Design(), claim.level)


def _single(bet: Bet) -> Bet:
    """The first event of a double bet alone."""
    if not isinstance(bet, EventBet) or bet.events == 1:
        return bet
    nothing = np.zeros_like(bet.ahead)
    masks = bet.ahead, nothing
    return EventBet.of(bet.pair, bet.feature, bet.binning, masks, bet.line, bet.counts)


def _scored(
    pair: int, readings: Sequence[Reading], claim: Claim
) -> Iterator[tuple[float, EventBet]]:
    """Plain events of all readings, with the log wealth that each would have earned."""
    lines = claim.lines(claim.level)
    for reading in readings:
        if reading.feature.fitted:
            continue
        law, pairs = reading.law()
        joint, masks = law * pairs, _masks(reading)
        for forward in (True, False):
            table = joint if forward else joint.T
            won = np.stack([earnings(table, masks, line) for line in lines])
            best = won.max(axis=0)
            for place in np.argsort(-best, kind="stable")[:_EACH].tolist():
                if best[place] > 0.0:
                    line = int(won[:, place].argmax())
                    yield float(best[place]), _bet(pair, reading, masks[place], forward, line)


def _bet(pair: int, reading: Reading, mask: Masks, forward: bool, line: int) -> EventBet:
    nothing = np.zeros_like(mask)
    masks = (mask, nothing) if forward else (nothing, mask)
    left, right = reading.marginals()
    own, other = (left, right) if forward else (right, left)
    pairs = max(1.0, min(left.sum(), right.sum()))
    counts = (
        round(own[mask].sum() / max(1.0, own.sum()) * pairs),
        round(other[mask].sum() / max(1.0, other.sum()) * pairs),
        round(pairs),
    )
    return EventBet.of(pair, reading.feature, reading.binning, masks, line, counts)


def _masks(reading: Reading) -> Masks:
    """Single bins, thresholds, a part that is there, any failure; shape (events, bins)."""
    binning = reading.binning
    single = np.eye(binning.count, dtype=bool)
    places = np.arange(binning.count)
    numbers = places < binning.numeric
    above = (places >= np.arange(1, binning.numeric)[:, None]) & numbers
    masks = [single, above, ~above & numbers]
    if MISSING in binning.symbols:
        masks.append((places != binning.numeric + binning.symbols.index(MISSING))[None])
    failed = [bool(failure(symbol)) for symbol in binning.symbols]
    if reading.feature == Part(KIND) and any(failed):
        masks.append(np.concatenate([np.zeros(binning.numeric, bool), failed, [False]])[None])
    every = np.concatenate(masks)
    allowed = numbers | (not isinstance(reading.feature, LowBits))
    return every[~(every & ~allowed).any(axis=1)]


def earnings(joint: Floats, masks: Masks, line: Floats) -> Floats:
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
    """Reading effort of an event: its feature, and the length of its description."""
    return _reading(feature) + _saying(event)


def _reading(feature: Feature) -> int:
    own = next((rank for kind, rank in _FEATURES if isinstance(feature, kind)), _SCORE)
    if not isinstance(feature, Part):
        return own + (isinstance(feature, TwoParts) and feature.sign != "-")
    return own + (feature.name not in (OUTPUT, KIND)) + derived(feature.name)


def _saying(event: Event) -> int:
    words, found = event.description, event.parameters
    intervals, symbols = found["intervals"], found["symbols"]
    pieces = len(intervals) + len(symbols) + bool(found["other_symbols"])
    if words.startswith("the mechanism ") and not intervals and all(map(failure, symbols)):
        return 0
    if words.endswith((" is present", " is absent", " in the output")):
        # Said more simply than which value the part has.
        return -1
    if pieces != 1:
        return 5 + pieces
    if symbols:
        return 1
    if _unbounded(intervals):
        return 3
    return 0 if " exactly " in words or words.endswith(" up to rounding") else 5


def _unbounded(intervals: Sequence[Sequence[float | str]]) -> bool:
    """True if an end is infinite."""
    return any(math.isinf(float(end)) for interval in intervals for end in interval)
