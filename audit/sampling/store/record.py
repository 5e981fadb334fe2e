"""Drawn outputs as bytes and back.

A header in JSON says what the arrays behind it are. Nothing that is read back is ever executed, and
whatever does not add up is an error.
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
