"""Screening: the few best bets against one level, from counts of the past.

Expected log-growth is judged by plug-in means, lowered by a part of their standard errors; on the
side that must not have an event half an output more is counted. None of this rests a claim.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from audit.betting.bet import Bet, Design, EventBet, FunctionBet, design_effect, kelly
from audit.betting.event_families import Events, Reading
from audit.betting.functions import UNIT, Candidates
from audit.betting.wealth import Interval
from audit.claims import LARGEST_EPSILON, Claim, Divergences
from audit.outcomes.column import Floats

SHRINK = 0.6
"""Standard errors by which means are lowered."""
_EACH = 6
"""Bets that one reading offers against one interval."""
_INSIDE = 0.3
"""Place in an interval at which bets are chosen."""
_SMALLEST = 1e-9


@dataclass(frozen=True, slots=True)
class Offer:
    """A bet and its plug-in moments at one level.

    Attributes:
        growth: expected log-growth with a unit at the best stake.
        mean: of the bracket of one output.
        variance: of the bracket of one output.
        top: largest stake.
        make: makes the bet, which few offers need: most are outdone.
        level: at which it was chosen.
        cost: plug-in mean of the cost, of a function.
        lean: of one output, by which a loss is larger than a gain.
        alike: correlation of two outputs of one unit.
    """

    growth: float
    mean: float
    variance: float
    top: float
    make: Callable[[], Bet]
    level: float
    cost: float = 0.0
    lean: float = 0.0
    alike: float = 0.0

    @property
    def bet(self) -> Bet:
        """What it is of."""
        return self.make()

    @property
    def outputs(self) -> float:
        """Outputs of a unit from which on averaging loses much of the growth."""
        return 0.5 * self.top * self.variance / max(self.mean, 1e-12)

    def stake(self, design: Design) -> float:
        """Best stake for units of this design."""
        return self._kelly(design)[0]

    def grown(self, design: Design) -> float:
        """Expected log-growth with a unit of this design at the best stake."""
        return self._kelly(design)[1]

    def _kelly(self, design: Design) -> tuple[float, float]:
        found = np.array([self.variance, self.lean])
        variance, lean = design.spread(found, self.alike)
        stake, growth = kelly(np.array(self.mean), variance, np.array(self.top), lean)
        return float(stake), float(growth)

    def limit(self, claim: Claim) -> float:
        """The level that its frequencies would refute without end.

        An event that never happened on the side that must not have it has no limit.
        """
        bet = self.bet
        if isinstance(bet, EventBet) and bet.counts[1] == 0:
            return LARGEST_EPSILON
        if isinstance(bet, EventBet):
            own, other, pairs = bet.counts
            part = bet.events / max(1, pairs)
            return bet.break_even(claim, part * own, part * other)
        then = bet.terms(claim, self.level)
        gain = (self.mean + self.cost + then.offset) / max(then.gain, 1e-300)
        return bet.break_even(claim, gain, self.cost / then.cost)


@dataclass(slots=True, eq=False)
class Screen:
    """The readings of one pair of datasets.

    Attributes:
        pair: index of the pair.
        readings: features that are read.
        made: units behind their counts, by design.
    """

    pair: int
    readings: Sequence[Reading]
    made: Mapping[Design, int] = field(default_factory=dict)

    def offers(
        self, claim: Claim, held: Interval, design: Design, level: float = 0.0
    ) -> list[Offer]:
        """Best offers against an interval, the best first.

        Args:
            claim: what is bet against.
            held: the interval.
            design: of the units to come.
            level: at which bets are chosen; 0 for a place inside the interval.
        """
        level = level or held.low + _INSIDE * (held.high - held.low)
        found: list[Offer] = []
        for reading in self.readings:
            if reading.events is not None:
                found += self._events(reading, reading.events, claim, level, held.high, design)
            bounds = claim.divergences(level), claim.divergences(held.high)
            if reading.functions is not None and len(bounds[0]):
                found += self._functions(reading, reading.functions, bounds, level, design)
        found.sort(key=lambda offer: -offer.growth)
        return found[:_EACH]

    def _events(
        self,
        reading: Reading,
        events: Events,
        claim: Claim,
        level: float,
        high: float,
        design: Design,
    ) -> Iterator[Offer]:
        lines, top_lines = claim.lines(level), claim.lines(high)
        effect = design_effect(self.made, reading.alike)
        cut = events.single.shape[1]
        for held, pairs, first, parts in (
            (events.single, events.pairs[:cut], 0, 1),
            (events.double, events.pairs[cut:], cut, 2),
        ):
            if (parts == 2 and design.share is not None) or not held.shape[1]:
                continue
            mean, variance = _moments(held, pairs, lines, design, effect)
            slope, offset = top_lines.T
            gain, cost = np.array([design.weights(ahead) for ahead in (True, False)]).T[..., None]
            top = (1.0 / (parts * slope * cost + parts * offset))[:, None, :]
            lean = np.maximum(lines[:, 0] * cost - gain, 0.0)[:, None, :]
            of_unit = [design.spread(each, reading.alike) for each in (variance, lean)]
            _, growth = kelly(mean, of_unit[0], top, of_unit[1])
            for place in _best(growth):
                direction, event, line = map(int, place)
                yield Offer(
                    float(growth[direction, event, line]),
                    float(mean[direction, event, line]),
                    float(variance[direction, event, line]),
                    float(top[direction, 0, line]),
                    partial(self._bet, reading, events, held, (direction, event, line), first),
                    level,
                    lean=float(lean[direction, 0, line]),
                    alike=reading.alike,
                )

    def _bet(
        self,
        reading: Reading,
        events: Events,
        held: Floats,
        place: tuple[int, int, int],
        first: int,
    ) -> EventBet:
        direction, event, line = place
        plus, minus = events.bets.masks(first + event)
        masks = (plus, minus) if direction == 0 else (minus, plus)
        pairs = float(events.pairs[first + event])
        chances = held[direction, event]
        if len(chances) == 4:
            own, other = chances[0] + chances[1], chances[0] + chances[2]
        else:
            own, other = chances[:3].sum(), chances[::3].sum()
        counts = round(own * pairs), round(other * pairs), round(pairs)
        return EventBet.of(self.pair, reading.feature, reading.binning, masks, line, counts)

    def _functions(
        self,
        reading: Reading,
        held: Candidates,
        bounds: tuple[Divergences, Divergences],
        level: float,
        design: Design,
    ) -> Iterator[Offer]:
        """Offers of functions, at the divergences of the level and of the interval's upper end."""
        functions, weights = held.functions, np.array([design.weights(True), design.weights(False)])
        gain_weight, cost_weight = weights[np.where(functions.forward, 0, 1)].T
        scale, offset = functions.terms(bounds[0])
        _, top_offset = functions.terms(bounds[1])
        largest = functions.cost.max(axis=1) / UNIT
        size = max(1.0, held.pairs)
        mean = scale * held.gain - held.cost
        second = scale**2 * held.gain_square * gain_weight + held.cost_square * cost_weight
        if design.share is None:
            second = second - 2.0 * scale * held.product
        variance = np.maximum(second - mean**2, _SMALLEST)
        error = np.sqrt(variance * design_effect(self.made, reading.alike) / size)
        lowered = mean - offset - SHRINK * error - largest / (size + 1.0)
        top = 1.0 / (largest * cost_weight + top_offset)
        _, growth = kelly(lowered, design.spread(variance, reading.alike), top)
        for place in _best(growth[:, None, None])[:, 0]:
            made = partial(
                FunctionBet.of, self.pair, reading.feature, reading.binning, functions, int(place)
            )
            yield Offer(
                float(growth[place]),
                float(lowered[place]),
                float(variance[place]),
                float(top[place]),
                made,
                level,
                float(held.cost[place]),
                alike=reading.alike,
            )


def _best(growth: Floats) -> NDArray[np.intp]:
    """Places of the largest positive growths, shape (places, 3)."""
    flat = growth.ravel()
    chosen = np.flatnonzero(flat > 0.0)
    if chosen.size > _EACH:
        chosen = chosen[np.argpartition(-flat[chosen], _EACH)[:_EACH]]
    chosen = chosen[np.argsort(-flat[chosen], kind="stable")]
    return np.stack(np.unravel_index(chosen, growth.shape), axis=1)


def _moments(
    held: Floats, pairs: Floats, lines: Floats, design: Design, effect: float
) -> tuple[Floats, Floats]:
    """Lowered means and variances of the bracket of one output.

    Args:
        held: probabilities as in `Events`, shape (2, events, 4 or 9).
        pairs: outputs on a side behind them, shape (events,).
        lines: slope and offset, shape (lines, 2).
        design: of the units.
        effect: of the design of the past.

    Returns:
        Shape (2, events, lines) each.
    """
    slope, offset = lines.T
    size = pairs[None, :, None]
    smooth = slope * 0.5 / (size + 1.0)
    if held.shape[2] == 4:
        own = (held[..., 0] + held[..., 1])[..., None]
        other = np.maximum(held[..., 0] + held[..., 2], 0.0)[..., None] * size / (size + 1.0)
        both, parts = held[..., :1], 1
        second_own, second_other = own, slope**2 * (other + 0.5 / (size + 1.0))
        cross = slope * np.minimum(both, np.minimum(own, other))
    else:
        parts = 2
        table = held.reshape(*held.shape[:2], 3, 3)
        left, right = table.sum(axis=3), table.sum(axis=2)
        own = (left[..., 0] + right[..., 1])[..., None]
        other = (left[..., 1] + right[..., 0])[..., None] * size / (size + 1.0)
        second_own, second_other = own, slope**2 * (other + 1.0 / (size + 1.0))
        smooth = 2.0 * smooth
        # D in the first and D′ in the second event pays 2, the reverse costs 2 a, both 1 - a.
        gain = table[..., 0, 1][..., None]
        loss = table[..., 1, 0][..., None]
        same = (table[..., 0, 0] + table[..., 1, 1])[..., None]
        cross = slope * same - gain - slope**2 * loss
    weights = np.array([design.weights(True), design.weights(False)])
    gain_weight, cost_weight = weights[:, 0, None, None], weights[:, 1, None, None]
    mean = own - slope * other - smooth
    second = gain_weight * second_own + cost_weight * second_other
    if design.share is None:
        second = second - 2.0 * cross
    variance = np.maximum(second - mean**2, _SMALLEST)
    error = np.sqrt(variance * effect / size)
    return mean - parts * offset - SHRINK * error, variance
