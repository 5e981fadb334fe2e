"""Draws that are kept in a store, and recalled when the same audit goes on.

A batch of units is noted as begun before it starts. After a kill, units that were begun and have no
result are missing outcomes: they count and are not run again, so that a mechanism whose answers
depend on being killed gains nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from audit.errors import OutcomeError, reason_of
from audit.outcomes.encoding import Outcomes, encode
from audit.outcomes.leaves import Failure
from audit.sampling.sampler import Sampler
from audit.sampling.source import Source, Sources
from audit.sampling.store.file import Store
from audit.sampling.store.record import Record, packed, unpacked
from audit.sampling.stream import Address
from audit.sampling.units import LOST, UnitBatch, UnitKind, UnitPlan, UnitSource

_BEGUN = "begun"


@dataclass(slots=True)
class StoredSampler(Sampler):
    """A sampler whose draws for the search are kept.

    Attributes:
        store: keeps them.
    """

    store: Store = field(kw_only=True)

    def pairs(
        self, address: Address, left: Source, right: Source, size: int
    ) -> tuple[Outcomes, Outcomes]:
        """See `Sampler.pairs`."""
        first, second = recalled(
            self,
            self.store,
            address,
            f"pairs {size}",
            lambda: Record(0, outcomes=Sampler.pairs(self, address, left, right, size)),
        ).outcomes
        return first, second

    def side(self, address: Address, source: Source, size: int, side: int) -> Outcomes:
        """See `Sampler.side`."""
        what = f"side {side} {size}"
        (found,) = recalled(
            self,
            self.store,
            address,
            what,
            lambda: Record(0, outcomes=(Sampler.side(self, address, source, size, side),)),
        ).outcomes
        return found


def recalled(
    sampler: Sampler, store: Store, address: Address, what: str, draw: Callable[[], Record]
) -> Record:
    """What a store holds of a batch, else what is drawn now.

    Raises:
        StoreError: the store is damaged or cannot be written.
        BlackBoxError: nothing could be drawn.
        OutcomeError: outputs cannot be read, now or when they were drawn.
    """
    held = store.recalled(address, what)
    if held is not None:
        record = _opened(store, address, held)
        sampler.samples += record.samples
        sampler.runs.add(record.failed, record.first)
        sampler.runs.consumed |= record.consumed
        sampler.runs.told_time |= record.told_time
        if record.error:
            raise OutcomeError(record.error)
        return record
    before, failed, known = sampler.samples, sampler.runs.lost, sampler.runs.first

    def kept(drawn: Record) -> Record:
        now = sampler.runs.lost
        record = replace(
            drawn,
            samples=sampler.samples - before,
            failed=(now[0] - failed[0], now[1] - failed[1]),
            first=None if known is not None else sampler.runs.first,
            consumed=sampler.runs.consumed,
            told_time=sampler.runs.told_time,
        )
        store.keep(address, what, packed(record))
        return record

    try:
        drawn = draw()
    except OutcomeError as error:
        kept(Record(0, error=str(error)))
        raise
    return kept(drawn)


def _opened(store: Store, address: Address, held: bytes) -> Record:
    try:
        return unpacked(held)
    except ValueError as error:
        raise store.damaged(address, reason_of(error)) from error


@dataclass(slots=True)
class StoredUnits:
    """Units that are kept in a store.

    Attributes:
        source: draws those that the store does not hold.
        sampler: counts outputs.
        store: keeps them.
    """

    source: UnitSource
    sampler: Sampler
    store: Store
    _sources: dict[int, Sources] = field(default_factory=dict)
    _costs: tuple[float, float] | None = None

    @property
    def kind(self) -> UnitKind:
        """See `UnitSource.kind`."""
        return self.source.kind

    @property
    def coins(self) -> bool:
        """See `UnitSource.coins`."""
        return self.source.coins

    @property
    def pairs(self) -> bool:
        """See `UnitSource.pairs`."""
        return self.source.pairs

    @property
    def coupled(self) -> bool:
        """See `UnitSource.coupled`."""
        return self.source.coupled

    def costs(self) -> tuple[float, float]:
        """See `UnitSource.costs`; those that were known with the first batch stay."""
        return self._costs or self.source.costs()

    def add_pair(self, index: int, sources: Sources) -> None:
        """See `UnitSource.add_pair`."""
        self._sources[index] = sources
        self.source.add_pair(index, sources)

    def doubt(self) -> str:
        """See `UnitSource.doubt`."""
        return self.source.doubt()

    def drawn(self, plans: Sequence[UnitPlan]) -> list[UnitBatch]:
        """See `UnitSource.drawn`."""
        return [self._drawn(plan) for plan in plans]

    def _drawn(self, plan: UnitPlan) -> UnitBatch:
        address = Address(plan.stage, plan.pair, plan.first)
        what = f"units {plan.count} {plan.n} {plan.share}"
        begun = f"{_BEGUN} {what}"
        if self.store.recalled(address, what) is None:
            if self.store.recalled(address, begun) is not None:
                return self._lost(plan)
            self.store.keep(address, begun, b"")
        record = recalled(self.sampler, self.store, address, what, lambda: self._record(plan))
        self._costs = self._costs or record.costs
        first, second = record.outcomes
        left, right = record.units
        return UnitBatch((first, second), (left, right), plan.count, plan.n, plan.share)

    def _record(self, plan: UnitPlan) -> Record:
        (batch,) = self.source.drawn([plan])
        return Record(0, outcomes=batch.sides, units=batch.units, costs=self.source.costs())

    def _lost(self, plan: UnitPlan) -> UnitBatch:
        """Missing outcomes of units that were begun and never ended."""
        self.sampler.samples += plan.runs
        units = np.repeat(np.arange(plan.count), plan.n)
        if plan.share is None:
            missing = _missing(len(units))
            return UnitBatch((missing, missing), (units, units), plan.count, plan.n, None)
        behind = plan.sides(self.sampler.seed).ravel()
        sides = _missing(int((~behind).sum())), _missing(int(behind.sum()))
        return UnitBatch(sides, (units[~behind], units[behind]), plan.count, plan.n, plan.share)


def _missing(size: int) -> Outcomes:
    return encode([Failure(LOST)] * max(1, size), max(1, size)).take(slice(0, size))
