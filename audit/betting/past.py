"""The past of one pair of datasets: outputs to learn from, and the features they are counted in."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from audit.betting.bet import Design
from audit.betting.event_families import Reading
from audit.betting.screening import Screen
from audit.betting.wealth import Interval
from audit.claims import Claim
from audit.outcomes.column import Column, Floats
from audit.outcomes.encoding import OUTPUT
from audit.outcomes.feature_selection import features_for, low_bit_features
from audit.outcomes.features import Feature
from audit.outcomes.outcomes import Outcomes, joined
from audit.outcomes.symbols import is_text
from audit.sampling.units import LOST, UnitBatch

_HOPELESS = 20
"""Runs on every dataset that fail alike before an audit ends."""


@dataclass(slots=True)
class Sameness:
    """Outputs on both datasets of a pair, as far as they are one and the same.

    Attributes:
        only: the one output on D, and on D′; None if outputs on it vary, or before the first.
        sides: True if outputs on D vary, and on D′.
        kinds: kinds of outputs as a whole, as long as no value came out.
        valued: True if a value came out.
        sizes: outputs on D and on D′.
    """

    only: list[Answer | None] = field(default_factory=lambda: [None, None])
    sides: list[bool] = field(default_factory=lambda: [False, False])
    kinds: set[str] = field(default_factory=set)
    valued: bool = False
    sizes: tuple[int, int] = (0, 0)

    def add(self, sides: tuple[Outcomes, Outcomes]) -> None:
        """Count the outputs of units; those that were lost say nothing of the mechanism."""
        if all(set(side.kinds) == {LOST} for side in sides if side.size):
            return
        self.sizes = self.sizes[0] + sides[0].size, self.sizes[1] + sides[1].size
        if all(self.sides) and self.valued:
            return
        for place, side in enumerate(sides):
            if side.size:
                self._add(place, side)
                self.kinds |= set(side.kinds)
                self.valued |= bool(side.parts)

    def _add(self, place: int, side: Outcomes) -> None:
        if self.sides[place]:
            return
        answer, before = only_answer(side), self.only[place]
        self.sides[place] = answer is None or before not in (None, answer)
        self.only[place] = None if self.sides[place] else answer

    @property
    def answers(self) -> set[Answer]:
        """Outputs on datasets on which they do not vary."""
        return {answer for answer in self.only if answer is not None}

    @property
    def lopsided(self) -> bool:
        """True if outputs have varied on one dataset alone; no pure claim allows that for ever."""
        return sum(self.sides) == 1 and len(self.answers) == 1


@dataclass(slots=True)
class GrowthRecord:
    """Log-growth of bets on a pair in recent epochs, as expected and as realized.

    Attributes:
        expected: from frequencies before the epoch.
        realized: on the units of the epoch.
    """

    expected: float = 0.0
    realized: float = 0.0

    def fade(self) -> None:
        """Halve the weight of past epochs."""
        self.expected, self.realized = self.expected / 2.0, self.realized / 2.0

    def add(self, expected: float, realized: float) -> None:
        """Count one epoch."""
        self.expected, self.realized = self.expected + expected, self.realized + realized

    @property
    def reliability(self) -> float:
        """Realized by expected growth, each with a prior amount added; above 0, at most 1."""
        part = (_PRIOR + self.realized) / (_PRIOR + self.expected)
        return min(1.0, max(_LEAST_RELIABLE, part))


_PRIOR, _LEAST_RELIABLE = 2.0, 0.05
"""Log-growth that a pair without epochs is credited with, and the least reliability."""


def constant(pairs: Iterable[Sameness]) -> bool:
    """True if all outputs on all pairs are one and the same value; of failures see `failing`."""
    held = list(pairs)
    answers = {answer for same in held for answer in same.answers}
    return len(answers) == 1 and all(same.valued and not any(same.sides) for same in held)


def failing(pairs: Iterable[Sameness]) -> bool:
    """True if the first runs on every dataset have all failed in the same way."""
    held = list(pairs)
    kinds = {kind for same in held for kind in same.kinds}
    enough = all(min(same.sizes) >= _HOPELESS for same in held)
    return enough and len(kinds) == 1 and not any(same.valued for same in held)


_LONGEST = 24
"""Characters of an output that is named in a sentence."""

Answer = tuple[Any, ...]
"""All parts of one output: equal answers are equal outputs."""
_SEVERAL = 32
"""Outputs of which none comes twice, if that is no accident."""


def only_value(answer: Answer) -> str:
    """A number or a short symbol in words; empty for other outputs."""
    found = {name: symbol or f"{value:g}" for name, value, symbol in answer[:-1]}
    words = found.get(OUTPUT, "")
    return words if len(words) <= _LONGEST else ""


def only_answer(outcomes: Outcomes) -> Answer | None:
    """The one output there ever was; None where outputs vary."""
    columns = outcomes.columns.items()
    if not all(_all_alike(column) for _, column in columns):
        return None
    rows = outcomes.matrix
    if rows is not None:
        first = np.broadcast_to(rows[0], rows.shape)
        if not np.array_equal(rows, first, equal_nan=True):
            return None
    named = sorted(
        (name, float(c.values[0]), "" if c.symbols is None else c.names[int(c.symbols[0])])
        for name, c in columns
    )
    return (*named, None if rows is None else rows[0].tobytes())


def only_unique_texts(outcomes: Outcomes) -> bool:
    """True if every output is a text, or bytes, and none ever came twice."""
    column = outcomes.column(OUTPUT)
    symbols = column.symbols
    if symbols is None or not symbols.all() or not all(map(is_text, column.names[1:])):
        return False
    return len(np.unique(symbols)) == outcomes.size >= _SEVERAL


def _all_alike(column: Column) -> bool:
    symbols = column.symbols
    return bool(
        (column.values == column.values[0]).all()
        and (symbols is None or (symbols == symbols[0]).all())
    )


_MOST_OUTPUTS, _MOST_NUMBERS = 1 << 15, 1 << 21
"""Outputs on a dataset, and numbers in them, that are held to learn from."""
_READINGS = ((1 << 14, 4), (1 << 10, 6), (1 << 6, 12), (0, 24))
"""Readings from so many outputs on: the fewer are left, the better they have proved."""
_BINS, _MORE_BINS, _MANY = 32, 64, 1 << 12
_PACE = 3.0
"""Factor in outputs from one learning to the next."""
_EARLY = 1000
"""Outputs below which every epoch learns anew."""
_FEWEST_UNITS = 12


@dataclass(slots=True)
class PairPast:
    """The past of one pair.

    Attributes:
        pair: index of the pair.
        units: units so far.
        runs: outputs so far, on both datasets.
        held: outputs to learn from.
        screen: readings of the claim.
        leaks: readings of low-order bits.
        width: numbers and symbols of one output, the most seen so far.
        same: outputs as far as they are one and the same.
        record: growth of bets, as expected and as realized.
        made: units by their design.
    """

    pair: int
    units: int = 0
    runs: int = 0
    held: list[UnitBatch] = field(default_factory=list)
    screen: Screen = field(init=False)
    leaks: Screen = field(init=False)
    width: int = 1
    same: Sameness = field(default_factory=Sameness)
    record: GrowthRecord = field(default_factory=GrowthRecord)
    made: Counter[Design] = field(default_factory=Counter)
    _held: int = 0
    _learned: int = 0
    _read_of: int = 0
    _batches: int = 0

    def __post_init__(self) -> None:
        self.screen, self.leaks = Screen(self.pair, ()), Screen(self.pair, ())

    def add(self, batch: UnitBatch) -> None:
        """Count the outputs of units, and hold them while there is room."""
        for reading in (*self.screen.readings, *self.leaks.readings):
            reading.count(reading.codes(batch.sides), batch.paired, self._batches % 2)
        self._batches += 1
        self.units += batch.count
        self.made[Design(batch.n, batch.share)] += batch.count
        self.runs += sum(side.size for side in batch.sides)
        self.width = max(self.width, *(side.width for side in batch.sides))
        self.same.add(batch.sides)
        most = min(_MOST_OUTPUTS, _MOST_NUMBERS // max(1, self.width))
        if self._held < most:
            self.held.append(batch)
            self._held += max(side.size for side in batch.sides)

    def study(self, claim: Claim, design: Design, low_bits: bool) -> None:
        """Learn readings anew if that is due, and choose candidates from all counts.

        Args:
            claim: what is bet against.
            design: of the units to come, as far as known.
            low_bits: True to read low-order bits as well.
        """
        divergences = claim.divergences(claim.level)
        due = self._learned == 0 or self.runs > _PACE * self._learned or self.runs < _EARLY
        if due and self._held > self._read_of:
            self._learn(claim, design, low_bits)
        for reading in self.screen.readings:
            reading.study(divergences)
        for reading in self.leaks.readings:
            reading.study(divergences[:0])

    def _learn(self, claim: Claim, design: Design, low_bits: bool) -> None:
        left, right = (joined([batch.sides[side] for batch in self.held]) for side in (0, 1))
        size = min(left.size, right.size)
        if size < 2:
            return
        self._learned, self._read_of = self.runs, self._held
        first, second = left.take(slice(0, size)), right.take(slice(0, size))
        bins = _BINS if size < _MANY else _MORE_BINS
        most = next(count for least, count in _READINGS if size >= least)
        readings = self._read(features_for(first, second), left, right, bins)
        if len(readings) > most:
            readings = self._best(readings, claim, design)[:most]
        self.screen.readings = readings
        if low_bits:
            leaks = low_bit_features(first, second)
            self.leaks.readings = self._read(leaks, left, right, _MORE_BINS)

    def _read(
        self, features: Iterable[Feature], left: Outcomes, right: Outcomes, bins: int
    ) -> list[Reading]:
        """Features with bins, counted on all outputs held, even ones in the half that chooses."""
        readings = [Reading.of(feature, left, right, bins) for feature in features]
        paired = [batch.paired for batch in self.held]
        sizes = [(b.sides[0].size, b.sides[1].size) for b in self.held]
        starts = np.cumsum([(0, 0), *sizes], axis=0)
        for reading in readings:
            codes = reading.codes((left, right))
            for place, (here, there) in enumerate(starts[:-1]):
                own = codes[0][here : here + sizes[place][0]]
                other = codes[1][there : there + sizes[place][1]]
                for half in (0, 1):
                    chosen = own[half::2], other[half::2]
                    reading.count(chosen, paired[place], half)
        return readings

    def _best(self, readings: Sequence[Reading], claim: Claim, design: Design) -> list[Reading]:
        """The readings with the largest expected growth against the claim or a part of it."""

        def worth(reading: Reading) -> float:
            reading.study(claim.divergences(claim.level))
            screen = Screen(self.pair, (reading,), self.screen.alike)
            best = 0.0
            for part in (1.0, 0.6):
                level = part * claim.level
                held = Interval(0.9 * level, level)
                offers = screen.offers(claim, held, design, level)
                best = max([best, *(offer.growth * part for offer in offers[:1])])
            return best

        scored = [(worth(reading), -place) for place, reading in enumerate(readings)]
        order = sorted(range(len(readings)), key=lambda place: scored[place], reverse=True)
        return [readings[place] for place in order]

    def measure_alike(self, paid: Floats, count: Floats, variance: float, n: int) -> None:
        """Update the correlation of two outputs of one unit, less a standard error.

        Args:
            paid: different mean brackets of units of one bet.
            count: units of each.
            variance: of the bracket of one output.
            n: outputs of a unit.
        """
        units = float(count.sum())
        if n < 2 or units < _FEWEST_UNITS or variance <= 0.0:
            return
        mean = float(count @ paid) / units
        ratio = float(count @ (paid - mean) ** 2) / units * n / variance
        error = ratio * math.sqrt(2.0 / units)
        alike = min(1.0, max(0.0, (ratio - error - 1.0) / (n - 1)))
        self.screen.alike = self.leaks.alike = (self.screen.alike + alike) / 2.0
