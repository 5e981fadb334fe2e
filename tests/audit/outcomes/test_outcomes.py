"""Outputs of any kind become columns, and what is read off one depends on it alone."""

from __future__ import annotations

import enum
import math
from collections import OrderedDict
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from audit.errors import BlackBoxError, OutcomeError
from audit.outcomes.encoding import KIND, OUTPUT, Column, Outcomes, encode, joined
from audit.outcomes.feature_selection import features_for
from audit.outcomes.features import SUMMARIES, Feature, Part, Summary
from audit.outcomes.leaves import Failure
from audit.outcomes.symbols import type_name

exactly = settings(derandomize=True, database=None, deadline=None, max_examples=60)

Entry = float | str


def entries(column: Column) -> list[Entry]:
    """A column as plain numbers and symbols."""
    if column.symbols is None:
        return [float(value) for value in column.values]
    return [
        float(value) if symbol == 0 else column.names[symbol]
        for value, symbol in zip(column.values, column.symbols, strict=True)
    ]


def read(outcomes: Outcomes, name: str = OUTPUT) -> list[Entry]:
    return entries(outcomes.column(name))


NUMBERS = st.one_of(
    st.floats(),
    st.integers(-(10**20), 10**20),
    st.booleans(),
    st.floats().map(np.float64),
    st.integers(-100, 100).map(np.int64),
)
ARRAYS = st.sampled_from(
    [
        np.array([1.5, -2.0, 3.25]),
        np.array([0.5, np.nan, np.inf]),
        np.array([1.0, 2.0]),
        np.array([[1.0, 2.0], [3.0, 4.0]]),
        np.array([3, 1, 2]),
        np.array([True, False]),
        np.empty(0),
        np.arange(70.0),
        np.array(7.0),
        np.array(["a", "b"]),
        np.array([1 + 2j]),
    ]
)


class Answer(enum.Enum):
    YES = 1
    NO = 2


OTHERS = st.sampled_from(
    [
        None,
        "a",
        b"a",
        Failure("raised ValueError"),
        Failure("timed out"),
        [1.0, 2.0],
        [1.0],
        [],
        (1.0, "b"),
        {"x": 1.0, "y": None},
        {"x": 2.0},
        {},
        {1, 2},
        pd.Series([1.0, 2.0], index=["x", "y"]),
        pd.DataFrame({"x": [1, 2]}),
        1 + 2j,
        Answer.YES,
    ]
)
ANY = st.one_of(NUMBERS, ARRAYS, OTHERS)


@pytest.mark.slow
@exactly
@given(st.lists(st.one_of(ARRAYS, ANY), min_size=1, max_size=7))
def test_what_is_read_off_an_output_does_not_depend_on_its_batch(outputs: list[Any]) -> None:
    """Else draws of one batch would not be independent, and bets on them not fair."""
    together = encode(outputs, len(outputs))
    alone = [encode([output], 1) for output in outputs]
    names = {name for batch in (together, *alone) for name in batch.columns}
    features: list[Feature] = [Part(name) for name in sorted(names)]
    features += [Summary(kind, (), 2.0**-20) for kind in SUMMARIES]
    features += [Summary("sum", ("output[0]", "output[1]"), 2.0**-20)]
    for feature in features:
        assert entries(feature.read(together)) == [
            entry for batch in alone for entry in entries(feature.read(batch))
        ]


@pytest.mark.slow
@exactly
@given(st.lists(st.lists(ANY, min_size=1, max_size=4), min_size=1, max_size=4))
def test_joining_batches_is_encoding_them_at_once(batches: list[list[Any]]) -> None:
    outputs = [output for batch in batches for output in batch]
    apart = joined([encode(batch, len(batch)) for batch in batches])
    together = encode(outputs, len(outputs))
    assert apart.size == together.size == len(outputs)
    assert set(apart.columns) == set(together.columns)
    for name in together.columns:
        assert read(apart, name) == read(together, name)
    if together.matrix is None or apart.matrix is None:
        assert together.matrix is apart.matrix
    else:
        np.testing.assert_array_equal(apart.matrix, together.matrix)


def test_batches_without_outputs_add_no_kind() -> None:
    none = encode([1.0], 1).take(slice(0, 0))
    failed = encode([Failure("raised KeyError")], 1)
    both = joined([none, failed])
    assert set(both.columns) == set(failed.columns)
    assert all(read(both, name) == read(failed, name) for name in failed.columns)
    assert joined([failed, encode([1.0], 1)]).kinds == ("raised KeyError", "float")
    assert joined([none, none]).size == 0


@exactly
@given(st.lists(NUMBERS, min_size=1, max_size=20))
def test_numbers_keep_their_value(outputs: list[Any]) -> None:
    expected = [float(x) if math.isfinite(x) else str(float(x)) for x in outputs]
    assert read(encode(outputs, len(outputs))) == expected
    assert read(encode(outputs, len(outputs)), KIND) == [type_name(type(x)) for x in outputs]


@exactly
@given(st.lists(ANY, min_size=1, max_size=8), st.slices(8))
def test_taking_some_draws_takes_their_entries(outputs: list[Any], index: slice) -> None:
    whole = encode(outputs, len(outputs))
    part = whole.take(index)
    assert part.size == len(outputs[index])
    for name in whole.columns:
        assert read(part, name) == read(whole, name)[index]


def test_arrays_of_any_number_type_are_the_same_as_their_elements_one_by_one() -> None:
    for dtype in (np.float64, np.float32, np.float16, np.int8, np.uint64, np.bool_):
        batch = np.array([0, 1, 1, 0], dtype)
        assert read(encode(batch, 4)) == read(encode(list(batch), 4)) == [0.0, 1.0, 1.0, 0.0]
        assert read(encode(batch, 4), KIND) == read(encode(list(batch), 4), KIND)
    rows = np.arange(12.0).reshape(2, 3, 2)
    whole, single = encode(rows, 2), encode(list(rows), 2)
    assert list(whole.columns) == list(single.columns)
    assert read(whole, "output[2, 1]") == [5.0, 11.0]
    assert read(whole, KIND) == ["float64 array of 3 x 2"] * 2
    np.testing.assert_array_equal(whole.matrix, rows.reshape(2, 6))


def test_large_arrays_have_few_columns_and_a_whole_matrix() -> None:
    outcomes = encode(np.arange(200.0).reshape(2, 100), 2)
    assert "output[63]" in outcomes.columns
    assert "output[64]" not in outcomes.columns
    assert Summary("sum", (), 1.0).read(outcomes).values.tolist() == [4950.0, 14950.0]


def test_matrices_of_different_width_are_filled_with_nan() -> None:
    outcomes = encode([np.array([1.0, 5.0, 2.0]), np.array([4]), None, np.array([np.nan, 9.0])], 4)
    largest = Summary("largest", (), 2.0**-20).read(outcomes)
    assert entries(largest) == [5.0, 4.0, "undefined", 9.0]
    place = Summary("position of the largest", (), 1.0).read(outcomes)
    assert entries(place) == [1.0, 0.0, "undefined", 1.0]


def test_an_array_filled_again_does_not_change_what_was_read() -> None:
    buffer = np.zeros(3)
    first = encode(buffer, 3)
    buffer[:] = 7.0
    assert read(first) == [0.0, 0.0, 0.0]


def test_a_missing_column_is_missing_everywhere() -> None:
    assert read(encode([1.0, 2.0], 2), "output[0]") == ["missing", "missing"]
    assert encode([1.0, None], 2).kinds == ("float", "None")


def test_mappings_of_any_class_hold_their_keys_apart() -> None:
    outcomes = encode([OrderedDict(a=1), {"a": 2, 3: 4}], 2)
    assert read(outcomes, "output['a']") == [1.0, 2.0]
    assert read(outcomes, "output[3]") == ["missing", 4.0]
    assert read(outcomes, "length of output") == [1.0, 2.0]
    assert read(outcomes, KIND) == ["OrderedDict", "dict"]


@pytest.mark.parametrize(
    ("outputs", "size", "named"),
    [
        (5.0, 1, "returned float"),
        ("ab", 2, "returned str"),
        (np.array(3.0), 1, "returned ndarray"),
        ({1: 2}, 1, "returned dict"),
        (pd.Series([1.0]), 1, "returned Series"),
        (None, 1, "returned NoneType"),
        ([1.0, 2.0], 3, "2 outputs where 3"),
        (np.zeros((4, 2)), 2, "4 outputs where 2"),
        ([], 1, "0 outputs where 1"),
    ],
)
def test_batches_of_the_wrong_form_are_refused(outputs: Any, size: int, named: str) -> None:
    with pytest.raises(BlackBoxError, match=named):
        encode(outputs, size)


def test_one_output_of_another_kind_is_named() -> None:
    with pytest.raises(OutcomeError, match=r"output\[1\] is of type builtins\.function"):
        encode([1.0, [2.0, lambda: 3.0]], 2)


@pytest.mark.slow
@exactly
@example([0.0, np.arange(70.0)])
@given(st.lists(ANY, min_size=2, max_size=12))
def test_whatever_comes_out_there_is_something_to_bet_on(outputs: list[Any]) -> None:
    left = encode(outputs, len(outputs))
    right = encode(outputs[::-1], len(outputs))
    found = features_for(left, right)
    assert found
    for feature in found:
        assert len(feature.read(left).values) == len(outputs)
        assert feature.words


@pytest.mark.parametrize(
    ("one", "other"), [(0.5, np.float64(0.5)), (3, np.int64(3)), (True, np.bool_(True))]
)
def test_a_scalar_of_numpy_is_the_value_it_is_in_python(one: Any, other: Any) -> None:
    assert read(encode([one, one], 2), KIND) == read(encode([other, other], 2), KIND)
    assert read(encode([one, one], 2), KIND) == read(encode(np.array([other, other]), 2), KIND)
    assert read(encode([one, one], 2), KIND) != read(encode([str(one)] * 2, 2), KIND)
