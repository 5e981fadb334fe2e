"""Outputs that are built alike are taken apart at once, with the result of one by one."""

from __future__ import annotations

import enum
import math
import warnings
from collections import namedtuple
from datetime import datetime
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.outcomes.encoding import KIND, OUTPUT, encode, shape_of, taken_apart
from audit.outcomes.leaves import Failure, leaves_of
from audit.outcomes.symbols import MISSING, ZERO, Leaf

exactly = settings(derandomize=True, database=None, deadline=None, max_examples=120)

Point = namedtuple("Point", "x y")

Read = dict[str, tuple[list[float], list[int], tuple[str, ...]]]
"""Values, symbols and their names of each column."""

NUMBERS = st.one_of(
    st.floats(),
    st.sampled_from([-0.0, 5e-324, math.nan, -math.inf, 2**53 + 1, -(2**63), 10**400]),
    st.integers(-(10**20), 10**20),
    st.booleans(),
    st.sampled_from([np.float16(0.1), np.float32(0.1), np.int8(-3), np.uint64(2**64 - 1)]),
    st.sampled_from([np.bool_(True), np.longdouble(1) / 3, Decimal("0.1")]),
)
SCALARS = st.one_of(NUMBERS, st.none(), st.text(max_size=2), st.sampled_from([b"a", "x" * 99]))
ARRAYS = st.sampled_from(
    [
        np.arange(3.0),
        np.array([[1, 2], [3, 4]]),
        np.array([np.nan, -np.inf, -0.0]),
        np.array([True]),
        np.empty(0),
        np.empty((0, 2)),
        np.arange(70, dtype=np.uint8),
        np.arange(3.0)[::-1],
        np.array(2.0),
        np.array(["a"]),
    ]
)
KEYS = st.sampled_from(["a", "b", "'", "y" * 99, 0, 1, True, 1.0, ("a",)])
NESTED = st.recursive(
    st.one_of(SCALARS, ARRAYS),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(KEYS, inner, max_size=3),
    ),
    max_leaves=5,
).filter(lambda value: "[[[[[[" not in str(value))


class Answer(enum.Enum):
    YES = 1
    NO = 2


ODD = [Failure("timed out"), Failure("raised E"), {1, 2}, Answer.YES, [Answer.NO], {Answer.NO: 1}]
NAMED = [
    Point(1.0, "a"),
    [Point([1], None)],
    SimpleNamespace(x=Point(1, 2)),
    datetime(2026, 11, 18, 10),
    {"a": Decimal("1.50")},
    pd.Categorical(["a"], ["a", "b"]),
    pd.Series([np.datetime64(5, "ns")]),
]
OUTPUTS = st.one_of(NESTED, st.sampled_from(ODD), st.sampled_from(NAMED))


def one_by_one(outputs: list[Any]) -> Read:
    """The columns of a batch, every output taken apart alone."""
    apart = [leaves_of(output, OUTPUT) for output in outputs]
    rows: list[dict[str, Leaf]] = [{KIND: kind, **leaves} for kind, leaves in apart]
    names = dict.fromkeys(name for row in rows for name in row)
    read = {name: _column([row.get(name, MISSING) for row in rows]) for name in names}
    return read | _signs_of_zeros(read)


def _signs_of_zeros(read: Read) -> Read:
    negative = {
        name: [value == 0.0 and math.copysign(1.0, value) < 0.0 for value in values]
        for name, (values, _, _) in read.items()
    }
    return {
        ZERO + name: ([0.0] * len(those), [1 + one for one in those], ("", MISSING, "negative"))
        for name, those in negative.items()
        if any(those)
    }


def _column(leaves: list[Leaf]) -> tuple[list[float], list[int], tuple[str, ...]]:
    first = [MISSING] if MISSING in leaves else []
    symbols = ["", *dict.fromkeys([*first, *(x for x in leaves if isinstance(x, str))])]
    return (
        [0.0 if isinstance(leaf, str) else float(leaf) for leaf in leaves],
        [symbols.index(leaf) if isinstance(leaf, str) else 0 for leaf in leaves],
        tuple(symbols),
    )


def at_once(outputs: list[Any]) -> Read:
    columns = encode(outputs, len(outputs)).columns.items()
    return {
        name: (
            column.values.tolist(),
            [0] * len(outputs) if column.symbols is None else column.symbols.tolist(),
            column.names,
        )
        for name, column in columns
    }


def assert_same(found: Read, expected: Read) -> None:
    assert list(found) == list(expected)
    for name, (values, symbols, names) in expected.items():
        assert list(map(math.copysign, [1.0] * len(values), found[name][0])) == list(
            map(math.copysign, [1.0] * len(values), values)
        )
        assert found[name] == (values, symbols, names)


def shaped_like(output: Any, data: st.DataObject) -> Any:
    """Another output of the same shape."""
    kind = type(output)
    if kind in (list, tuple):
        return kind([shaped_like(entry, data) for entry in output])
    if kind is dict:
        return {key: shaped_like(entry, data) for key, entry in output.items()}
    if kind is float:
        return data.draw(st.floats())
    if kind is int:
        return data.draw(st.integers() | st.just(-(10**400)))
    if kind is str:
        return data.draw(st.sampled_from(["a", "b", "", "x" * 99]))
    return output * 2 if isinstance(output, np.ndarray) and output.dtype.kind in "fiu" else output


@pytest.mark.slow
@exactly
@given(st.lists(OUTPUTS, min_size=1, max_size=4), st.data())
def test_fast_and_slow_ways_agree(few: list[Any], data: st.DataObject) -> None:
    """Ten of a shape are enough to be taken apart at once; None keeps them from being an array."""
    outputs = [None, *(shaped_like(output, data) for output in few for _ in range(10))]
    mixed = [outputs[place] for place in data.draw(st.permutations(range(len(outputs))))]
    assert_same(at_once(mixed), one_by_one(mixed))


@pytest.mark.slow
@exactly
@given(NESTED, st.data())
def test_outputs_of_one_shape_agree_as_well(output: Any, data: st.DataObject) -> None:
    outputs = [[shaped_like(output, data)] for _ in range(12)]
    assert_same(at_once(outputs), one_by_one(outputs))


TEXTS = ["", "\0", "a", "a\0b", "a\0c", "\ud800", "\ud801", "'\\ud800'", "nan", "x" * 99, "x" * 98]


@pytest.mark.parametrize("kind", [str, np.str_, lambda text: text.encode("utf-8", "surrogatepass")])
@pytest.mark.parametrize("within", [lambda text: text, lambda text: [text], lambda text: {0: text}])
def test_texts_are_not_taken_for_others_of_their_batch(kind: Any, within: Any) -> None:
    outputs = [within(kind(text)) for text in TEXTS * 10]
    assert_same(at_once(outputs), one_by_one(outputs))


def padded() -> Any:
    """An array for which "a " and "a" are equal; later versions of NumPy give it up."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return np.char.array(["a ", "a"])


@pytest.mark.parametrize("outputs", [padded(), memoryview(b"a\0").cast("c"), [*Answer, Answer.YES]])
def test_labels_are_what_going_through_a_batch_gives(outputs: Any) -> None:
    assert_same(at_once(outputs), one_by_one(list(outputs)))


@pytest.mark.parametrize(
    "output",
    [
        {"a": 1.0, "b": (2, None)},
        [1.0, "x", np.arange(3)],
        (True, np.float32(0.5)),
        Failure("timed out"),
        {0: {"x": [1]}},
    ],
    ids=str,
)
def test_common_outputs_are_taken_apart_at_once(output: Any) -> None:
    shape = shape_of(output)
    assert shape is not None
    assert taken_apart([output] * 3, shape) is not None


@pytest.mark.parametrize(
    "pair",
    [
        ({1: 0.0}, {True: 0.0}),
        ({"a": 1}, {"a": 1.0}),
        ([1], (1,)),
        ([[]], [()]),
        (np.zeros(2), np.zeros((2, 1))),
        ("a", b"a"),
    ],
    ids=str,
)
def test_outputs_with_other_leaves_are_of_another_shape(pair: tuple[Any, Any]) -> None:
    assert shape_of(pair[0]) != shape_of(pair[1])
