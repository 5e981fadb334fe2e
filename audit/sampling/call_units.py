"""Calls as units: made in this process, and assumed to be independent of each other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import perf_counter

from audit.sampling.sampler import Sampler
from audit.sampling.source import Sources
from audit.sampling.stream import Address
from audit.sampling.units import UnitBatch, UnitKind, UnitPlan

_UNIT = {UnitKind.CALL: 2.0**-14, UnitKind.START: 2.0**-3, UnitKind.REQUEST: 2.0**-10}
"""Seconds of a call by kind, as long as it is not seen to take more."""
_OUTPUT = 2.0**-20
_STEP = 2.0**-9, 64.0
"""The shortest time that matters, and the factor to the next one."""


@dataclass(slots=True)
class CallUnits:
    """Calls of one black box as units.

    Attributes:
        sampler: makes the calls.
        kind: call, start, request or session.
        sources: the black box on both datasets, by pair.
        seconds: of a call, once measured.
    """

    sampler: Sampler
    kind: UnitKind
    sources: dict[int, Sources] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def coins(self) -> bool:
        """See `UnitSource.coins`."""
        return self.sampler.box.many is False

    @property
    def pairs(self) -> bool:
        """See `UnitSource.pairs`."""
        return self.sampler.box.many

    @property
    def coupled(self) -> bool:
        """See `UnitSource.coupled`."""
        return self.sampler.shares_randomness

    def add_pair(self, index: int, sources: Sources) -> None:
        """See `UnitSource.add_pair`."""
        self.sources[index] = sources

    def doubt(self) -> str:
        """See `UnitSource.doubt`: calls are assumed to be independent of each other."""
        return ""

    def costs(self) -> tuple[float, float]:
        """See `UnitSource.costs`."""
        return max(self.seconds, _UNIT.get(self.kind, _UNIT[UnitKind.CALL])), _OUTPUT

    def drawn(self, plans: Sequence[UnitPlan]) -> list[UnitBatch]:
        """See `UnitSource.drawn`."""
        return [self._drawn(plan) for plan in plans]

    def _drawn(self, plan: UnitPlan) -> UnitBatch:
        begun = perf_counter()
        address = Address(plan.stage, plan.pair, plan.first)
        batch = self.sampler.units(address, self.sources[plan.pair], plan)
        if not self.seconds:
            calls = plan.count * (2 if plan.share is None else plan.n)
            # The quickest call does not depend on processes that have to start first.
            quickest = self.sampler.runs.in_parts.quickest
            mean = (perf_counter() - begun) / calls
            self.seconds = coarse(quickest if math.isfinite(quickest) else mean)
        return batch


def coarse(seconds: float) -> float:
    """A time as one of few, a factor of 64 apart: 2 ms, 1/8 s, 8 s, …; 0 if it hardly matters.

    So coarse that what follows from it (how many outputs a unit gives) is the same on a loaded
    machine, unless the time lies at a border of two: .24 ms, 16 ms, 1 s.
    """
    power = round(math.log(max(seconds, 2.0**-30) / _STEP[0], _STEP[1]))
    return float(_STEP[0] * _STEP[1] ** power) if power >= 0 else 0.0
