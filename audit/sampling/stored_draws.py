"""Draws that are kept in a store as bytes, and recalled when the same audit goes on.

A header in JSON says what the arrays behind it are. Nothing that is read back is ever executed, and
whatever does not add up is an error.

A batch of units is noted as begun before it starts. After a kill, units that were begun and have no
result are missing outcomes: they count and are not run again, so that a mechanism whose answers
depend on being killed gains nothing.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.errors import OutcomeError, reason_of
from audit.outcomes.column import Column
from audit.outcomes.encoding import encode
from audit.outcomes.failed_run import FailedRun
from audit.outcomes.leaves import Failure
from audit.outcomes.outcomes import Outcomes
from audit.sampling.sampler import Sampler
from audit.sampling.source import Address, Source
from audit.sampling.store import Store
from audit.sampling.unit_sources import Units
from audit.sampling.units import LOST, UnitBatch, UnitPlan

_FAST = 1
Arrays = list[NDArray[Any]]


@dataclass(frozen=True, slots=True)
class Record:
    """Drawn outputs, and what drawing them showed.

    Attributes:
        samples: outputs.
        failed: those that gave no value, on D and on D′.
        first: the first failed run; None if there was none.
        consumed: True if a given generator was drawn from.
        told_time: True if outputs held the time at which they were made.
        outcomes: outputs by dataset.
        units: the unit of each output by dataset; empty for the search.
        costs: seconds of a unit and of one more output, as they were known then.
        error: why the outputs cannot be read; empty if they can.
    """

    samples: int
    failed: tuple[int, int] = (0, 0)
    first: FailedRun | None = None
    consumed: bool = False
    told_time: bool = False
    outcomes: tuple[Outcomes, ...] = ()
    units: tuple[NDArray[Any], ...] = ()
    costs: tuple[float, float] = (0.0, 0.0)
    error: str = ""


def packed(record: Record) -> bytes:
    """A record as bytes."""
    arrays: Arrays = []
    header = {
        "samples": record.samples,
        "failed": record.failed,
        "first": None if record.first is None else asdict(record.first),
        "consumed": record.consumed,
        "told_time": record.told_time,
        "costs": record.costs,
        "error": record.error,
        "units": [_put(arrays, narrow(units)) for units in record.units],
        "outcomes": [_described(outcomes, arrays) for outcomes in record.outcomes],
    }
    header["arrays"] = [[array.dtype.str, array.shape] for array in arrays]
    words = json.dumps(header).encode()
    parts = [len(words).to_bytes(8, "little"), words, *(array.tobytes() for array in arrays)]
    return zlib.compress(b"".join(parts), _FAST)


def unpacked(data: bytes) -> Record:
    """The record that bytes stand for.

    Raises:
        ValueError: they stand for none.
    """
    try:
        whole = zlib.decompress(data)
        end = 8 + int.from_bytes(whole[:8], "little")
        header = json.loads(whole[8:end])
        arrays = list(_arrays(whole[end:], header["arrays"]))
        return Record(
            int(header["samples"]),
            (int(header["failed"][0]), int(header["failed"][1])),
            None if header["first"] is None else FailedRun(**header["first"]),
            bool(header["consumed"]),
            bool(header["told_time"]),
            tuple(_outcomes(described, arrays) for described in header["outcomes"]),
            tuple(arrays[place].astype(np.intp) for place in header["units"]),
            (float(header["costs"][0]), float(header["costs"][1])),
            str(header["error"]),
        )
    except (zlib.error, KeyError, IndexError, TypeError, AttributeError) as error:
        raise ValueError(f"no record of a batch: {error}") from error


def narrow(numbers: NDArray[Any]) -> NDArray[Any]:
    """The same whole numbers, none negative, in the smallest type that holds them."""
    return numbers.astype(np.min_scalar_type(int(numbers.max(initial=0))))


def _put(arrays: Arrays, array: NDArray[Any]) -> int:
    arrays.append(array)
    return len(arrays) - 1


def _described(outcomes: Outcomes, arrays: Arrays) -> dict[str, Any]:
    columns = [
        [
            name,
            _put(arrays, np.asarray(column.values, np.float64)),
            None if column.symbols is None else _put(arrays, narrow(column.symbols)),
            list(column.names),
        ]
        for name, column in outcomes.columns.items()
    ]
    matrix = None if outcomes.matrix is None else _put(arrays, outcomes.matrix)
    return {"size": outcomes.size, "columns": columns, "matrix": matrix}


def _arrays(data: bytes, described: list[Any]) -> Iterator[NDArray[Any]]:
    start = 0
    for name, shape in described:
        dtype, count = np.dtype(name), math.prod(shape)
        yield np.frombuffer(data, dtype, count, start).reshape(shape)
        start += dtype.itemsize * count
    if start != len(data):
        raise ValueError(f"{len(data)} bytes of arrays where {start} were announced")


def _outcomes(described: dict[str, Any], arrays: Arrays) -> Outcomes:
    columns = {
        name: Column(
            arrays[values],
            None if symbols is None else arrays[symbols].astype(np.int64),
            tuple(names),
        )
        for name, values, symbols, names in described["columns"]
    }
    matrix = described["matrix"]
    return Outcomes(int(described["size"]), columns, None if matrix is None else arrays[matrix])


_BEGUN = "begun"


@dataclass(slots=True)
class StoredSampler(Sampler):
    """A sampler whose draws for the search are kept."""

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
        for outcomes in record.outcomes:
            sampler.runs.failures_in(outcomes)
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


def kept_units(store: Store, units: Units, plan: UnitPlan) -> UnitBatch:
    """Units of a plan that a store holds, else drawn now; those that were begun are lost.

    Costs that were known with the first batch stay.

    Raises:
        StoreError, BlackBoxError, OutcomeError: see `recalled`.
    """
    address = Address(plan.stage, plan.pair, plan.first)
    what = f"units {plan.count} {plan.n} {plan.share}"
    begun = f"{_BEGUN} {what}"
    if store.recalled(address, what) is None:
        if store.recalled(address, begun) is not None:
            return _lost(units.sampler, plan)
        store.keep(address, begun, b"")

    def drawn() -> Record:
        batch = units.draw(plan)
        return Record(0, outcomes=batch.sides, units=batch.units, costs=units.measured())

    record = recalled(units.sampler, store, address, what, drawn)
    units.known = units.known or record.costs
    first, second = record.outcomes
    left, right = record.units
    return UnitBatch((first, second), (left, right), plan.count, plan.n, plan.share)


def _lost(sampler: Sampler, plan: UnitPlan) -> UnitBatch:
    """Missing outcomes of units that were begun and never ended."""
    sampler.samples += plan.runs
    if plan.share is None:
        missing = _missing(plan.count * plan.n)
        return UnitBatch.of_pairs(missing, missing, plan.n)
    behind = plan.sides(sampler.seed)
    sides = _missing(int((~behind).sum())), _missing(int(behind.sum()))
    return UnitBatch.of_coins(*sides, behind, plan)


def _missing(size: int) -> Outcomes:
    return encode([Failure(LOST)] * max(1, size), max(1, size)).take(slice(0, size))
