"""Records of batches: what goes in comes out, and nothing else does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.outcomes.encoding import Outcomes, encode
from audit.sampling.batch import Batch, BatchResult
from audit.sampling.store.record import Record, packed, unpacked
from audit.sampling.stream import Address, Stage
from audit.sampling.trace import Trace

ADDRESS = Address(Stage.BET, 3, 14)
plainly = settings(derandomize=True, database=None, deadline=None, max_examples=60)

LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=4), st.just("\ud800")
)
OUTPUTS = st.one_of(
    LEAVES, st.lists(LEAVES, max_size=3), st.dictionaries(st.text(max_size=3), LEAVES, max_size=3)
)
TRACES = st.builds(
    Trace,
    address=st.just(ADDRESS),
    samples=st.integers(0, 2**40),
    consumed=st.booleans(),
    coupled=st.booleans(),
    singly=st.frozensets(st.tuples(st.sampled_from(Stage), st.integers(0, 9)), max_size=2),
    failure=st.none(),
)


def same(first: Outcomes, second: Outcomes) -> bool:
    """Whether two batches of outputs are equal, entry by entry."""
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
@given(TRACES, st.lists(OUTPUTS, min_size=1, max_size=4), st.integers(0, 2**40), st.booleans())
def test_what_goes_in_comes_out(trace: Trace, outputs: list[Any], most: int, kept: bool) -> None:
    sides = encode(outputs, len(outputs)), encode(outputs[::-1], len(outputs))
    counts = [np.array([[0, most], [1, 2]]), np.zeros((3, 3), np.int64)]
    done = BatchResult(Batch(len(outputs), list(counts), sides if kept else None), trace)
    read = unpacked(packed(Record.of(done)), ADDRESS).done(len(outputs))
    assert read.trace == trace
    assert read.batch is not None
    for before, after in zip(counts, read.batch.counts, strict=True):
        np.testing.assert_array_equal(before, after)
    if kept:
        assert read.batch.outcomes is not None
        assert all(map(same, sides, read.batch.outcomes))
    else:
        assert read.batch.outcomes is None


def test_a_failure_is_kept_as_one() -> None:
    trace = Trace(ADDRESS, 8, True, False, frozenset({(Stage.BET, 3)}), "it failed")
    read = unpacked(packed(Record.of(BatchResult(None, trace))), ADDRESS).done(4)
    assert read == BatchResult(None, trace)


@plainly
@given(st.binary(max_size=60))
def test_garbage_is_no_record(data: bytes) -> None:
    with pytest.raises(ValueError, match="record|bytes|int|Expecting|JSON|codec|buffer|decod"):
        unpacked(data, ADDRESS)


@plainly
@given(st.data())
def test_a_changed_record_is_an_error_or_a_record(data: st.DataObject) -> None:
    """The checksum of the file sees every change; without it nothing worse than this happens."""
    trace = Trace(ADDRESS, 8, True, True, frozenset(), None)
    whole = bytearray(packed(Record(trace, (np.eye(3, dtype=np.int64),), (encode([1.5], 1),))))
    place = data.draw(st.integers(0, len(whole) - 1))
    whole[place] ^= data.draw(st.integers(1, 255))
    try:
        unpacked(bytes(whole), ADDRESS)
    except ValueError:
        return
