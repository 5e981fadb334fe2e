"""Differences between data of any kind are told in a few words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.neighbors.difference import describe_difference

TREE = pd.MultiIndex.from_tuples([("a", "x"), ("a", "y"), ("b", "x")])
USERS = pd.DataFrame({"user": [1, 3, 3, 3, 3], "v": [0, 1, 2, 3, 4]})


@pytest.mark.parametrize(
    ("data", "other", "words"),
    [
        (np.array([17, 90]), np.array([17]), "without one record 90"),
        ([], [90], "with one more record 90"),
        (np.array([17, 5]), np.array([90, 5]), "one record 17 became 90"),
        ([1], [1, 2, 2, 2], "with more: 3 records 2"),
        (["a", "b", "c"], ["a"], "without 2 records 'b', 'c'"),
        ([5, 1, 2, 3, 4], [5], "without 4 records 1, 2, 3, …"),
        ([1, 2], [2, 1], "the same records in another order"),
        ([1, 2, 3], [3, 1], "without one record 2, in another order"),
        ([1, 2, 3], [2, 1, 4], "one record 3 became 4, in another order"),
        ([1, 2], [1, 2], "no difference"),
        (np.zeros(5), np.ones(5), "5 of 5 records changed, the first: 0.0 became 1.0"),
        ([1, 2], [3], "without 2 records 1, 2, and with 3"),
        (np.array([[1, 2], [3, 4]]), np.array([[3, 4]]), "without one record [1, 2]"),
        (np.array([np.nan]), np.array([0.0]), "one record nan became 0.0"),
        (
            pd.DataFrame({"age": [3, 4], "sex": ["f", "m"]}),
            pd.DataFrame({"age": [3], "sex": ["f"]}),
            "without one record (age=4, sex='m')",
        ),
        (pd.Series([1, 2]), pd.Series([1]), "without one record 2"),
        (
            pd.Series([1, 3, 5], index=TREE),
            pd.Series([1, 4, 5], index=TREE),
            "at ('a', 'y') 3 became 4",
        ),
        (
            pd.Series([1, 3, 5], index=TREE),
            pd.Series([1, 3], index=TREE[:2]),
            "without the entry ('b', 'x')",
        ),
        ({"a": 1}, {"a": 1, "b": 2}, "with 'b': 2"),
        ({"a": 1}, {"a": 1}, "no difference"),
        (dict.fromkeys(range(9), 0), dict.fromkeys(range(9), 1), "9 entries differ, the first: "),
        (0, 1, "0 became 1"),
        (np.float64(0.5), None, "0.5 became None"),
        (np.array(3), np.array(4), "3 became 4"),
        ("text", 3, "'text' became 3"),
        ([1, 2], 5, "2 records became 5"),
        ([1], 5, "1 record became 5"),
        (None, None, "no difference"),
    ],
)
def test_difference_in_words(data: Any, other: Any, words: str) -> None:
    assert describe_difference(data, other).startswith(words)


TABLE = pd.DataFrame({"name": ["Anna Maria Karlsson"], "city": ["Stockholm"], "age": [34]})


def test_of_a_changed_record_only_the_columns_that_changed_are_named() -> None:
    other = TABLE.assign(age=90)
    assert describe_difference(TABLE, other) == "in one record (age=34) became (age=90)"
    moved = describe_difference(TABLE, other.assign(city="Kyoto"))
    assert moved == "in one record (city='Stockholm', age=34) became (city='Kyoto', age=90)"


def test_a_record_is_whole_where_it_may_be_wide() -> None:
    words = describe_difference(TABLE.assign(street="Long Street 1"), TABLE[:0], width=200)
    assert words.endswith("city='Stockholm', age=34, street='Long Street 1')")
    assert describe_difference(TABLE.assign(street="Long Street 1"), TABLE[:0]).endswith("…")


def test_users_come_and_go() -> None:
    one = USERS.iloc[:1]
    assert describe_difference(USERS, one, "user") == "user 3 with 4 rows removed"
    assert describe_difference(USERS.iloc[1:], USERS, "user") == "user 1 with 1 row added"
    assert describe_difference(USERS, USERS.assign(user=1), "user") == "user 3 with 4 rows removed"
    assert "records" in describe_difference(USERS, USERS.assign(v=9), "user")


ANYTHING = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.binary()),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.text(), inner, max_size=4),
        st.lists(st.floats(), max_size=4).map(np.array),
        st.lists(st.integers(0, 9), max_size=4).map(lambda column: pd.DataFrame({"n": column})),
        st.lists(st.floats(), max_size=4).map(pd.Series),
    ),
    max_leaves=8,
)


@given(ANYTHING, ANYTHING)
def test_any_two_objects_have_a_difference_of_one_short_line(data: object, other: object) -> None:
    words = describe_difference(data, other)
    assert words
    assert "\n" not in words
    assert len(words) < 500


@pytest.mark.slow
@given(ANYTHING)
def test_nothing_differs_from_itself(data: object) -> None:
    assert describe_difference(data, data) == "no difference"


@pytest.mark.parametrize("kind", [np.array, pd.Series, list])
def test_negative_zero_is_another_record_than_zero(kind: Any) -> None:
    words = describe_difference(kind([0.0, 1.0]), kind([-0.0, 1.0]))
    assert words == "one record 0.0 became -0.0"
