"""The past of one pair of datasets: outputs to learn from, and the features they are counted in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

import numpy as np

from audit.betting.bet import Design
from audit.betting.event_families import Reading
from audit.betting.sameness import Sameness
from audit.betting.screening import Screen
from audit.betting.wealth import Interval
from audit.claims import Claim
from audit.outcomes.feature_selection import features_for
from audit.outcomes.features import Feature, Part, low_bit_features
from audit.outcomes.outcomes import Outcomes, joined
from audit.outcomes.part_words import derived
from audit.sampling.units import Places, UnitBatch

_MOST_OUTPUTS, _MOST_NUMBERS = 1 << 15, 1 << 21
"""Outputs on a dataset, and numbers in them, that are held to learn from."""
_READINGS = ((1 << 14, 4), (1 << 10, 6), (1 << 6, 12), (0, 24))
"""Readings from so many outputs on: the fewer are left, the better they have proved."""
_BINS, _MORE_BINS, _MANY = 32, 64, 1 << 12
Sides = tuple[Places, Places]
"""One entry for each output on D, and one for each on D′."""
_PACE = 3.0
"""Factor in outputs held from one learning to the next, which counts them alone."""
_EARLY = 1000
"""Outputs below which every epoch learns anew."""


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
        made: units by their design, those of the search among them.
        searched: those of the search.
    """

    pair: int
    units: int = 0
    runs: int = 0
    held: list[UnitBatch] = field(default_factory=list)
    screen: Screen = field(init=False)
    leaks: Screen = field(init=False)
    width: int = 1
    same: Sameness = field(default_factory=Sameness)
    made: Counter[Design] = field(default_factory=Counter)
    searched: Counter[Design] = field(default_factory=Counter)
    _held: int = 0
    _read_of: int = 0
    _batches: int = 0

    def __post_init__(self) -> None:
        self.screen, self.leaks = (Screen(self.pair, (), self.made) for _ in range(2))

    @property
    def readings(self) -> Iterator[Reading]:
        """All readings."""
        yield from self.screen.readings
        yield from self.leaks.readings

    @property
    def outputs(self) -> tuple[Outcomes, Outcomes]:
        """Those held, on D and on D′; something was drawn before."""
        left, right = (joined([batch.sides[side] for batch in self.held]) for side in (0, 1))
        return left, right

    def learn(self, batch: UnitBatch) -> None:
        """Count outputs of the search: they are learned from and never bet on."""
        self._count(batch)
        self.searched[Design(batch.n, batch.share)] += batch.count

    def add(self, batch: UnitBatch) -> None:
        """Count units and their outputs."""
        self._count(batch)
        self.units += batch.count

    def _count(self, batch: UnitBatch) -> None:
        """Count outputs, and hold them while there is room."""
        for reading in self.readings:
            codes = reading.codes(batch.sides)
            units = batch.units if batch.n > 1 else None
            reading.count(codes, batch.paired, self._batches % 2, units)
        self._batches += 1
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
        pace = _PACE if self.runs >= _EARLY else 1.0
        if self._held > pace * self._read_of:
            self._learn(claim, design, low_bits)
        self.screen.study(divergences)
        self.leaks.study(divergences[:0])

    def _learn(self, claim: Claim, design: Design, low_bits: bool) -> None:
        left, right = self.outputs
        here, there = self._in_turn()
        first, second, size = left.take(here), right.take(there), len(here)
        if size < 2:
            return
        self._read_of = self._held
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
        """Features with bins, counted on all outputs held."""
        readings = [Reading.of(feature, left, right, bins) for feature in features]
        parts = list(self._parts())
        for reading in readings:
            codes = reading.codes((left, right))
            for chosen, paired, half, units in parts:
                reading.count((codes[0][chosen[0]], codes[1][chosen[1]]), paired, half, units)
        return readings

    def _parts(self) -> Iterator[tuple[Sides, bool, int, Sides | None]]:
        """Places on D and on D′ of the outputs held, as `Reading.count` takes them."""
        numbers = self._numbers()
        paired = [
            np.repeat([b.paired for b in self.held], [b.sides[side].size for b in self.held])
            for side in (0, 1)
        ]
        several = any(batch.n > 1 for batch in self.held)
        for half, pairs in product((0, 1), (True, False)):
            left, right = (
                np.flatnonzero((own % 2 == half) & (made == pairs))
                for own, made in zip(numbers, paired, strict=True)
            )
            judged = (numbers[0][left], numbers[1][right]) if several and half else None
            yield (left, right), pairs, half, judged

    def _numbers(self) -> Sides:
        """The unit of each output held, on D and on D′; even ones choose and odd ones judge.

        Outputs of one unit may be one and the same, so that they do not do both.
        """
        firsts = np.cumsum([0, *(batch.count for batch in self.held)])[:-1]
        left, right = (
            np.concatenate([b.units[side] + k for b, k in zip(self.held, firsts, strict=True)])
            for side in (0, 1)
        )
        return left, right

    def _in_turn(self) -> Sides:
        """Places of equally many outputs on D and on D′, of units that choose and judge in turn."""
        halves = [[np.flatnonzero(own % 2 == half) for half in (0, 1)] for own in self._numbers()]
        size = min(min(2 * len(even), 2 * len(odd) + 1) for even, odd in halves)
        left, right = (np.empty(size, np.intp) for _ in halves)
        for places, (even, odd) in zip((left, right), halves, strict=True):
            places[::2], places[1::2] = even[: (size + 1) // 2], odd[: size // 2]
        return left, right

    def _best(self, readings: Sequence[Reading], claim: Claim, design: Design) -> list[Reading]:
        """Readings by expected growth against the claim or part of it, best of each kind first."""

        def worth(reading: Reading) -> float:
            screen = replace(self.screen, readings=(reading,))
            screen.study(claim.divergences(claim.level))
            best = 0.0
            for part in (1.0, 0.6):
                level = part * claim.level
                held = Interval(0.9 * level, level)
                offers = screen.offers(claim, held, design, level)
                best = max([best, *(offer.growth * part for offer in offers[:1])])
            return best

        scored = [(round(worth(one), 9), _is_own(one.feature)) for one in readings]
        order = sorted(range(len(readings)), key=lambda place: scored[place], reverse=True)
        # The luckiest of many readings of one kind would crowd out kinds that have few.
        ranks: Counter[type[Feature]] = Counter()
        kinds: list[tuple[int, int]] = []
        for place in order:
            kind = type(readings[place].feature)
            kinds.append((ranks[kind], place))
            ranks[kind] += 1
        return [readings[place] for _, place in sorted(kinds, key=lambda one: one[0])]


def _is_own(feature: Feature) -> bool:
    """True for a feature of outputs themselves, False for their length or structure."""
    return not (isinstance(feature, Part) and derived(feature.name))
