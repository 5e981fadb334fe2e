"""What became of a batch, as bytes and back.

A header in JSON says what the arrays behind it are. Nothing that is read back is
ever executed, and whatever does not add up is an error.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.outcomes.encoding import Column, Outcomes
from audit.outcomes.failed_run import FailedRun
from audit.sampling.batch import Batch, BatchResult, Sides, narrow
from audit.sampling.stream import Address, Stage
from audit.sampling.trace import Trace

_FAST = 1
Arrays = list[NDArray[Any]]


@dataclass(frozen=True, slots=True)
class Record:
    """What became of a batch.

    Attributes:
        trace: what drawing it showed.
        counts: joint counts, shape (bins, bins) each; empty where nothing was counted.
        outcomes: outputs on one or two datasets; empty where they were not wanted.
    """

    trace: Trace
    counts: tuple[NDArray[Any], ...] = ()
    outcomes: tuple[Outcomes, ...] = ()

    @classmethod
    def of(cls, done: BatchResult) -> Record:
        """What a job came to."""
        if done.batch is None:
            return cls(done.trace)
        return cls(done.trace, tuple(done.batch.counts), done.batch.outcomes or ())

    def done(self, size: int) -> BatchResult:
        """The same again; `size` is that of the job, in pairs."""
        if self.trace.failure is not None:
            return BatchResult(None, self.trace)
        sides: Sides | None = (self.outcomes[0], self.outcomes[1]) if self.outcomes else None
        return BatchResult(Batch(size, list(self.counts), sides), self.trace)


def packed(record: Record) -> bytes:
    """A record as bytes."""
    arrays: Arrays = []
    trace = record.trace
    header = {
        "samples": trace.samples,
        "consumed": trace.consumed,
        "coupled": trace.coupled,
        "singly": sorted([int(stage), pair] for stage, pair in trace.singly),
        "failure": trace.failure,
        "failed": trace.failed,
        "told_time": trace.told_time,
        "first": None if trace.first is None else asdict(trace.first),
        "counts": [_put(arrays, narrow(counts)) for counts in record.counts],
        "outcomes": [_described(outcomes, arrays) for outcomes in record.outcomes],
    }
    header["arrays"] = [[array.dtype.str, array.shape] for array in arrays]
    words = json.dumps(header).encode()
    parts = [len(words).to_bytes(8, "little"), words, *(array.tobytes() for array in arrays)]
    return zlib.compress(b"".join(parts), _FAST)


def unpacked(data: bytes, address: Address) -> Record:
    """The record that bytes stand for.

    Args:
        data: as `packed` made them.
        address: of the batch.

    Raises:
        ValueError: they stand for none.
    """
    try:
        whole = zlib.decompress(data)
        end = 8 + int.from_bytes(whole[:8], "little")
        header = json.loads(whole[8:end])
        arrays = list(_arrays(whole[end:], header["arrays"]))
        trace = Trace(
            address,
            int(header["samples"]),
            bool(header["consumed"]),
            bool(header["coupled"]),
            frozenset((Stage(stage), int(pair)) for stage, pair in header["singly"]),
            header["failure"],
            (int(header["failed"][0]), int(header["failed"][1])),
            None if header["first"] is None else FailedRun(**header["first"]),
            told_time=bool(header.get("told_time")),
        )
        counts = tuple(arrays[place] for place in header["counts"])
        return Record(trace, counts, tuple(_outcomes(d, arrays) for d in header["outcomes"]))
    except (zlib.error, KeyError, IndexError, TypeError, AttributeError) as error:
        raise ValueError(f"no record of a batch: {error}") from error


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
