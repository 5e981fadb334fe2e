"""Calls of one black box, each with randomness that follows from its address, and their failures.

The bets need runs that are draws of one law. A budget that runs out, a file that
fills up or a connection that is lost changes the law in the middle of an audit:
from then on both sides fail alike, and the mechanism would look better the longer
it is dead.

Both datasets of a pair begin from the same random numbers if the black box takes a generator
(common random numbers): a claim speaks of the two marginal laws alone, so they may be coupled in
any way. Units are independent of each other because each begins at a place of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np

from audit.blackbox.environment import seed_global_generators
from audit.blackbox.interface import BlackBox
from audit.outcomes.failed_run import FailedRun
from audit.outcomes.outcomes import Outcomes
from audit.sampling.runs import Runs
from audit.sampling.separate_calls import SeparateCalls
from audit.sampling.source import Address, Source, Sources
from audit.sampling.units import UnitBatch, UnitPlan


def chance_of(runs: Sequence[int], happened: Sequence[int]) -> float:
    """Smallest chance, over all places to cut, of so uneven a share between early and late runs.

    Given how often it happened, in which of the runs is a matter of chance where all have one
    law: the number before a cut is hypergeometric (Fisher's exact test), taken twice for both
    directions and once for every cut.

    Args:
        runs: how many, part by part.
        happened: in how many of them.
    """
    whole, times = sum(runs), sum(happened)
    if times in (0, whole):
        return 1.0
    # Loaded where it is needed: few audits ask for it, and it takes long.
    from scipy.stats import hypergeom

    before, early = np.cumsum(runs[:-1]), np.cumsum(happened[:-1])
    fewer = hypergeom.cdf(early, whole, times, before)
    more = hypergeom.sf(early - 1, whole, times, before)
    smallest = float(np.minimum(fewer, more).min(initial=1.0))
    return min(1.0, 2.0 * len(before) * smallest)


_SMALLEST_CHANCE = 1e-9
"""Chance below which a change is no accident; it accuses nobody, but ends in no answer."""
_MOST_PARTS = 256


@dataclass(slots=True)
class _Course:
    """The runs on one dataset in their order.

    Attributes:
        data: the dataset; held, so that its identity stays its own.
        runs: how many, part by part.
        failed: how many of them failed.
    """

    data: Any
    runs: list[int] = field(default_factory=list)
    failed: list[int] = field(default_factory=list)

    def add(self, runs: int, failed: int) -> None:
        self.runs.append(runs)
        self.failed.append(failed)
        if len(self.runs) > _MOST_PARTS:
            # Neighbors are taken together: what is asked is early or late, not when exactly.
            self.runs = _in_twos(self.runs)
            self.failed = _in_twos(self.failed)


@dataclass(slots=True)
class FailureRate:
    """The failures of one audit by dataset, in the order of the runs."""

    courses: dict[int, _Course] = field(default_factory=dict)

    def add(self, data: Any, runs: int, failed: int) -> None:
        """Note a batch of runs on a dataset, which is told apart by identity."""
        self.courses.setdefault(id(data), _Course(data)).add(runs, failed)

    @property
    def changed(self) -> bool:
        """Whether runs on one of the datasets began or ceased to fail.

        Where all runs on every dataset have one law each, this is so with probability
        at most 1e-9 a dataset.
        """
        chances = (chance_of(course.runs, course.failed) for course in self.courses.values())
        return any(chance < _SMALLEST_CHANCE for chance in chances)


def _in_twos(parts: list[int]) -> list[int]:
    return [sum(parts[place : place + 2]) for place in range(0, len(parts), 2)]


_COINS = 2
"""In place of a side: the stream that chooses who is drawn first."""
_AROUND = 3
"""In place of a side: the stream of the generators that the whole process shares."""


@dataclass(slots=True)
class Sampler:
    """Draws outputs of one black box in this process.

    Attributes:
        box: the black box.
        seed: of the audit.
        coupled: True if both datasets of a pair share their random numbers.
        samples: outputs so far, wherever they were drawn.
        runs: makes the calls and holds what they showed.
        rate: failures over the course of the audit.
    """

    box: BlackBox
    seed: int
    coupled: bool
    samples: int = 0
    runs: Runs = field(default_factory=Runs, repr=False)
    rate: FailureRate = field(default_factory=FailureRate, repr=False)

    @classmethod
    def of(cls, box: BlackBox, seed: int, *, coupled: bool = True) -> Sampler:
        """A sampler that has not drawn anything yet."""
        return cls(box, seed, box.seeded and coupled)

    @property
    def first(self) -> FailedRun | None:
        """The first failed run so far."""
        return self.runs.first

    @property
    def shares_randomness(self) -> bool:
        """True if coupled draws really had common random numbers."""
        return self.coupled and self.runs.consumed

    def pairs(
        self, address: Address, left: Source, right: Source, size: int
    ) -> tuple[Outcomes, Outcomes]:
        """Outputs on both datasets, with one call each if the black box gives many.

        These rest no claim: they are for the search.
        """
        if self.box.many:
            return self._one(address, left, size, 0), self._one(address, right, size, 1)
        drawn = self.runs.separately(self._in_turns(address, (left, right), size, 1))
        return drawn[False], drawn[True]

    def side(self, address: Address, source: Source, size: int, side: int) -> Outcomes:
        """Outputs on one dataset, with one call if the black box gives many."""
        return self._one(address, source, size, side)

    def _one(self, address: Address, source: Source, size: int, side: int) -> Outcomes:
        stream = address.stream(self.seed, 0 if self.coupled else side)
        around = address.stream(self.seed, _AROUND + side)
        before, self.samples = self.samples, self.samples + size
        if self.box.many:
            seed_global_generators(around)
            return self.runs.together(source, stream, size, before)
        calls = SeparateCalls({False: (source, stream)}, (False,) * size, around, before)
        return self.runs.separately(calls)[False]

    def units(self, sources: Sources, plan: UnitPlan) -> UnitBatch:
        """Units of calls: pairs of calls for n outputs each, or single calls by coins."""
        address = Address(plan.stage, plan.pair, plan.first)
        if plan.share is None:
            calls = self._in_turns(address, sources, plan.count, plan.n, plan.first)
            drawn = self.runs.separately(calls)
            batch = UnitBatch.of_pairs(drawn[False], drawn[True], plan.n)
        else:
            sides = plan.sides(self.seed)
            turns = tuple(sides.ravel().tolist())
            # Units share no randomness: no two answers have the same place, for any n.
            calls = self._calls(
                address, sources, turns, 1, plan.first * plan.n, apart=True, answers=plan.n
            )
            drawn = self.runs.separately(calls)
            left, right = (drawn.get(side) or self.runs.nothing() for side in (False, True))
            batch = UnitBatch.of_coins(left, right, sides, plan)
        for source, side in zip(sources, batch.sides, strict=True):
            self.rate.add(source.data, side.size, self.runs.failures_in(side))
        return batch

    def _in_turns(
        self, address: Address, sources: Sources, calls: int, size: int, first: int = 0
    ) -> SeparateCalls:
        """Pair by pair of calls, either dataset first by the toss of a coin."""
        coins = np.random.default_rng(address.stream(self.seed, _COINS))
        # The dataset of each call, so many on each.
        tossed = coins.integers(0, 2, calls).tolist()
        turns = tuple(chain.from_iterable((bool(coin), not coin) for coin in tossed))
        return self._calls(address, sources, turns, size, first)

    def _calls(
        self,
        address: Address,
        sources: Sources,
        turns: tuple[bool, ...],
        size: int,
        first: int = 0,
        *,
        apart: bool = False,
        answers: int = 0,
    ) -> SeparateCalls:
        # Units are addressed by their number, however they are grouped in batches, and by how
        # many answers they give, as the numbers of these depend on it.
        root = address
        if first or answers:
            root = Address(address.stage, address.pair, answers, address.twin)
        streams = [root.stream(self.seed, 0 if self.coupled else side) for side in (0, 1)]
        called = {False: (sources[0], streams[0]), True: (sources[1], streams[1])}
        before, self.samples = self.samples, self.samples + len(turns) * size
        around = address.stream(self.seed, _AROUND)
        return SeparateCalls(called, turns, around, before, size, first, apart)
