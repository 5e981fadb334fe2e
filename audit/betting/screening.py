"""Screening: the few best bets against one level, from counts of the past.

Expected log-growth is judged by plug-in means, lowered by a part of their standard errors; on the
side that must not have an event half an output more is counted. None of this rests a claim.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
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
        table: all their events, from the last call of `study`.
    """

    pair: int
    readings: Sequence[Reading]
    made: Mapping[Design, int]
    table: Table | None = None

    def study(self, divergences: Divergences) -> None:
        """Choose the candidates of every reading from all counts so far."""
        for reading in self.readings:
            reading.study(divergences)
        self.table = Table.of(self.readings, self.made) if self.readings else None

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
        if self.table is not None:
            found += self._events(self.table, claim, level, held.high, design)
        bounds = claim.divergences(level), claim.divergences(held.high)
        for reading in self.readings:
            if reading.functions is not None and len(bounds[0]):
                found += self._functions(reading, reading.functions, bounds, level, design)
        found.sort(key=lambda offer: -offer.growth)
        return found[:_EACH]

    def _events(
        self, table: Table, claim: Claim, level: float, high: float, design: Design
    ) -> Iterator[Offer]:
        mean, variance = table.moments(claim.lines(level), design)
        slope, offset = claim.lines(high).T
        gain, cost = _weights(design)
        top = 1.0 / (table.parts * (slope * cost + offset))
        lean = np.maximum(claim.lines(level)[:, 0] * cost - gain, 0.0)
        of_unit = [design.spread(each, table.alike) for each in (variance, lean)]
        _, growth = kelly(mean, of_unit[0], top, of_unit[1])
        if design.share is not None:
            # Two events in opposite directions are for outputs on both datasets.
            growth = growth * (table.parts == 1.0)
        for place in _best(growth):
            direction, event, line = map(int, place)
            yield Offer(
                float(growth[direction, event, line]),
                float(mean[direction, event, line]),
                float(variance[direction, event, line]),
                float(top[direction, event, line]),
                partial(self._bet, *table.owner(event), direction, line),
                level,
                lean=float(lean[direction, 0, line]),
                alike=float(table.alike[event, 0]),
            )

    def _bet(
        self, reading: Reading, events: Events, event: int, direction: int, line: int
    ) -> EventBet:
        plus, minus = events.bets.masks(event)
        masks = (plus, minus) if direction == 0 else (minus, plus)
        pairs, cut = float(events.pairs[event]), events.single.shape[1]
        if event < cut:
            both, alone, there, _ = events.single[direction, event].tolist()
            own, other = both + alone, both + there
        else:
            chances = events.double[direction, event - cut]
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
    """Places of the largest positive growths, of equal ones the first; shape (places, 3)."""
    flat = growth.ravel()
    chosen = np.flatnonzero(flat > 0.0)
    if chosen.size > _EACH:
        chosen = chosen[flat[chosen] >= np.partition(flat[chosen], -_EACH)[-_EACH]]
    chosen = chosen[np.argsort(-flat[chosen], kind="stable")][:_EACH]
    return np.stack(np.unravel_index(chosen, growth.shape), axis=1)


def _weights(design: Design) -> tuple[Floats, Floats]:
    """Weights of outputs on the sides of the gain and of the cost, by direction, (2, 1, 1) each."""
    gain, cost = np.array([design.weights(ahead) for ahead in (True, False)]).T[..., None, None]
    return gain, cost


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Candidate events of several readings.

    Attributes:
        held: readings and their candidates.
        cells: as `_cells` gives them, with half an output more of an event on the side that
            must not have it; shape (5, 2 directions, events, 1).
        size: outputs on a side behind them; shape (events, 1) as all that follow.
        parts: 1 for single events, 2 for double ones.
        alike: correlation of two outputs of one unit.
        effect: of the designs of the past on the variance of a mean.
    """

    held: Sequence[tuple[Reading, Events]]
    cells: Floats
    size: Floats
    parts: Floats
    alike: Floats
    effect: Floats

    @classmethod
    def of(cls, readings: Sequence[Reading], made: Mapping[Design, int]) -> Table:
        """All candidates of readings, whose counts come from units of these designs."""
        held = [(reading, reading.events) for reading in readings if reading.events is not None]
        cells = np.concatenate([_cells(events) for _, events in held], axis=2)[..., None]
        each = [
            np.broadcast_arrays(
                events.pairs,
                np.repeat([1.0, 2.0], [events.single.shape[1], events.double.shape[1]]),
                reading.alike,
                design_effect(made, reading.alike),
            )
            for reading, events in held
        ]
        size, parts, alike, effect = np.concatenate(each, axis=1)[..., None]
        own, other, same, _, _ = cells
        other[:] = np.maximum(other, 0.0) * size / (size + 1.0)
        same[:] = np.minimum(same, np.minimum(own, other))
        other += 0.5 * parts / (size + 1.0)
        return cls(held, cells, size, parts, alike, effect)

    def owner(self, event: int) -> tuple[Reading, Events, int]:
        """The reading of an event, its candidates, and its place among them."""
        for reading, events in self.held:
            if event < len(events.pairs):
                return reading, events, event
            event -= len(events.pairs)
        raise IndexError(event)

    def moments(self, lines: Floats, design: Design) -> tuple[Floats, Floats]:
        """Lowered means and variances of the bracket of one output.

        Args:
            lines: slope and offset, shape (lines, 2).
            design: of the units.

        Returns:
            Shape (2, events, lines) each.
        """
        slope, offset = lines.T
        own, other, same, gain, cost = self.cells
        weights = _weights(design)
        mean = own - slope * other
        second = weights[0] * own + weights[1] * slope**2 * other
        if design.share is None:
            second = second - 2.0 * (slope * same - gain - slope**2 * cost)
        variance = np.maximum(second - mean**2, _SMALLEST)
        error = np.sqrt(variance * self.effect / self.size)
        return mean - self.parts * offset - SHRINK * error, variance


def _cells(events: Events) -> Floats:
    """Probabilities that the bracket of a pair follows from, shape (5, 2 directions, events).

    Of the event on the side that it is tested for, and on the other one; that what one output pays
    the other one costs, that both pay, and that both cost, as two events may.
    """
    both, own, other, _ = np.moveaxis(events.single, 2, 0)
    none = np.zeros_like(both)
    joint = np.moveaxis(events.double, 2, 0).reshape(3, 3, *events.double.shape[:2])
    left, right = joint.sum(axis=1), joint.sum(axis=0)
    double = left[0] + right[1], left[1] + right[0], joint[0, 0] + joint[1, 1]
    return np.concatenate(
        [(both + own, both + other, both, none, none), (*double, joint[0, 1], joint[1, 0])], axis=2
    )
