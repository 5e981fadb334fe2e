"""Small datasets are shown themselves, large ones in a sentence, all of them in JSON."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.neighbors.difference import beyond_shown, plain_if_small, shown, summary

NAN, INF = math.nan, math.inf


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (np.array([1, 2]), [1, 2]),
        (np.array([]), []),
        (np.array([NAN, INF, -INF, 0.5]), ["nan", "inf", "-inf", 0.5]),
        (np.array([[True, False]]), [[True, False]]),
        (["a", None, 1.5], ["a", None, 1.5]),
        (pd.DataFrame({"age": [3], "w": [NAN]}), [{"age": 3, "w": "nan"}]),
        (pd.Series([1, 2]), [1, 2]),
        (pd.Series([1], index=pd.MultiIndex.from_tuples([("a", "x")])), [[["a", "x"], 1]]),
        ({"a": np.float32(1)}, {"a": 1.0}),
        (np.float64(INF), "inf"),
        (3, 3),
        (None, None),
    ],
)
def test_small_data_are_shown_themselves(data: Any, expected: Any) -> None:
    assert shown(data) == expected


def test_records_that_a_sentence_stands_for_are_there_on_request() -> None:
    large, small = pd.DataFrame({"n": range(21)}), pd.DataFrame({"n": range(20)})
    assert beyond_shown(large, small) == {"dataset": [{"n": n} for n in range(21)]}
    assert beyond_shown(small, np.arange(30)) == {"neighbor": [*range(30)]}
    assert beyond_shown(small, small) == {}


@pytest.mark.parametrize(
    ("data", "other", "sentence"),
    [
        (
            np.array([*range(26_150)]),
            np.array([90, *range(26_150)]),
            "26,150 records; without one record 90",
        ),
        (np.array([0] * 1000 + [1]), None, "1,001 records: 1,000 × 0, then 1 × 1"),
        (
            ["a"] * 30,
            ["a"] * 29,
            "30 records: 30 × 'a'; with one more record 'a'",
        ),
        (pd.DataFrame({"n": [7] * 21}), None, "21 records: 21 × (n=7)"),
    ],
)
def test_large_data_are_told(data: Any, other: Any, sentence: str) -> None:
    assert shown(data, other) == sentence


def test_twenty_short_records_are_small_and_long_ones_are_not() -> None:
    assert plain_if_small([0] * 20) == [0] * 20
    assert plain_if_small([0] * 21) is None
    assert plain_if_small(["x" * 3000]) is None
    assert plain_if_small("x" * 3000) is None
    assert plain_if_small(dict.fromkeys(range(30), 0)) is None


VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.complex_numbers()
)
DATA = st.one_of(
    VALUES,
    st.lists(VALUES),
    st.lists(st.floats()).map(np.array),
    st.lists(st.floats(width=32)).map(lambda values: np.array(values, dtype=np.float32)),
    st.lists(st.floats()).map(lambda values: pd.DataFrame({"v": values})),
    st.lists(VALUES, max_size=5).map(lambda values: pd.DataFrame({"v": values}, dtype=object)),
    st.dictionaries(st.integers(), VALUES).map(lambda values: pd.Series(values, dtype=object)),
    st.dictionaries(st.text(), st.lists(VALUES)),
    st.sets(st.integers()),
)


@given(DATA, DATA)
def test_whatever_is_shown_fits_into_strict_json(data: Any, other: Any) -> None:
    for value in (plain_if_small(data), shown(data), shown(data, other)):
        assert json.loads(json.dumps(value, allow_nan=False)) == value


def test_no_records_are_told_without_a_colon() -> None:
    assert summary(pd.DataFrame({"n": []})) == "0 records"
    assert summary(pd.DataFrame({"n": [7]})) == "1 record: 1 × (n=7)"
