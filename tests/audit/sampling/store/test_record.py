"""Records of batches: what goes in comes out, and nothing else does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.outcomes.encoding import Outcomes, encode
from audit.outcomes.failed_run import FailedRun
from audit.sampling.stored_draws import Record, narrow, packed, unpacked

plainly = settings(derandomize=True, database=None, deadline=None, max_examples=60)

LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=4), st.just("\ud800")
)
OUTPUTS = st.one_of(
    LEAVES, st.lists(LEAVES, max_size=3), st.dictionaries(st.text(max_size=3), LEAVES, max_size=3)
)
FAILURES = st.one_of(
    st.none(), st.just(FailedRun("raised KeyError", "no key\ud800", "release.py:3", "[1, 2]", 14))
)


def same(first: Outcomes, second: Outcomes) -> bool:
    """True if two batches of outputs are equal, entry by entry."""
    assert list(first.columns) == list(second.columns)
    for name, column in first.columns.items():
        other = second.columns[name]
        assert column.names == other.names
        np.testing.assert_array_equal(column.values, other.values)
        assert (column.symbols is None) == (other.symbols is None)
        if column.symbols is not None:
            np.testing.assert_array_equal(column.symbols, other.symbols)
    assert (first.matrix is None) == (second.matrix is None)
    if first.matrix is not None:
        np.testing.assert_array_equal(first.matrix, second.matrix)
    return first.size == second.size


@plainly
@given(
    st.lists(OUTPUTS, min_size=1, max_size=4),
    st.tuples(st.integers(0, 2**40), st.integers(0, 9), st.integers(0, 9)),
    FAILURES,
    st.tuples(st.booleans(), st.booleans()),
    st.integers(0, 70_000),
)
def test_what_goes_in_comes_out(
    outputs: list[Any],
    counts: tuple[int, int, int],
    first: FailedRun | None,
    flags: tuple[bool, bool],
    most: int,
) -> None:
    sides = encode(outputs, len(outputs)), encode(outputs[::-1], len(outputs))
    units = np.array([0, most]), np.array([], np.intp)
    record = Record(counts[0], counts[1:], first, *flags, sides, units, (0.25, 2.0**-20))
    read = unpacked(packed(record))
    for name in ("samples", "failed", "first", "consumed", "told_time", "costs"):
        assert getattr(read, name) == getattr(record, name)
    assert all(map(same, sides, read.outcomes))
    for before, after in zip(units, read.units, strict=True):
        np.testing.assert_array_equal(before, after)


@pytest.mark.parametrize(
    ("largest", "kind"), [(255, np.uint8), (256, np.uint16), (70_000, np.uint32)]
)
def test_whole_numbers_take_as_little_room_as_they_need(largest: int, kind: type) -> None:
    held = narrow(np.array([0, largest]))
    assert held.dtype == kind
    assert held.tolist() == [0, largest]


@plainly
@given(st.binary(max_size=60))
def test_garbage_is_no_record(data: bytes) -> None:
    with pytest.raises(ValueError, match="record|bytes|int|Expecting|JSON|codec|buffer|decod"):
        unpacked(data)


@plainly
@given(st.data())
def test_a_changed_record_is_an_error_or_a_record(data: st.DataObject) -> None:
    """The checksum of the file sees every change; without it nothing worse than this happens."""
    record = Record(8, outcomes=(encode([1.5], 1),), units=(np.zeros(1, np.intp),))
    whole = bytearray(packed(record))
    place = data.draw(st.integers(0, len(whole) - 1))
    whole[place] ^= data.draw(st.integers(1, 255))
    try:
        unpacked(bytes(whole))
    except ValueError:
        return
