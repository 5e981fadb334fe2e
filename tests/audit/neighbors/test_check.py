"""Neighbors are accepted, everything else is refused with the difference in the message."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit import run
from audit.errors import DomainError, InputError, RelationError
from audit.neighbors import check_pair, neighboring
from audit.neighbors.domain import parse_domain
from audit.neighbors.pair import check_records
from audit.relation import Relation

ADD, SUBSTITUTE, USER, DECLARED = (
    Relation.ADD_REMOVE,
    Relation.SUBSTITUTE,
    Relation.USER,
    Relation.DECLARED,
)
USERS = pd.DataFrame({"user": [1, 1, 2, 3], "v": [5, 6, 7, 8]})
TABLE = pd.DataFrame({"age": [20, 30], "sex": ["f", "m"]})


def frame(rows: list[int]) -> pd.DataFrame:
    return USERS.iloc[rows].reset_index(drop=True)


@pytest.mark.parametrize(
    ("data", "neighbor", "relation"),
    [
        (np.array([1, 2, 3]), np.array([1, 3]), ADD),
        (np.array([1, 3]), np.array([4, 1, 3]), ADD),
        (np.array([]), np.array([1.0]), ADD),
        (np.array([]), np.array([[1.0, 2.0]]), ADD),
        (np.array([]), ["a"], ADD),
        (["a", "b"], ["b"], ADD),
        ([1, "a", None], [1, "a"], ADD),
        (np.array([[1, 2], [3, 4]]), np.array([[3, 4]]), ADD),
        (TABLE, TABLE.iloc[:1], ADD),
        (np.array([1.0, np.nan]), np.array([1.0, np.nan, np.nan]), ADD),
        (np.array([1, 2, 3]), np.array([1, 9, 3]), SUBSTITUTE),
        (np.array([1.0, 2.0]), np.array([1.0, np.nan]), SUBSTITUTE),
        (np.array([[1, 2], [3, 4]]), np.array([[1, 2], [3, 5]]), SUBSTITUTE),
        (TABLE, TABLE.assign(age=[20, 31]), SUBSTITUTE),
        (["a"], ["b"], SUBSTITUTE),
        (USERS, frame([2, 3]), USER),
        (USERS, frame([0, 1, 2]), USER),
        (frame([2, 3]), USERS, USER),
        ([{"user": "x", "v": 1}, {"user": "y", "v": 2}], [{"user": "y", "v": 2}], USER),
        (0, "anything", DECLARED),
        (np.zeros(3), np.ones(5), DECLARED),
    ],
)
def test_neighbors_are_accepted(data: Any, neighbor: Any, relation: Relation) -> None:
    check_pair(neighboring("D1", data, neighbor, relation))


@pytest.mark.parametrize(
    ("data", "neighbor", "relation", "complaint"),
    [
        ([1, 2], [1, 2], ADD, "no difference"),
        ([1, 2], [1, 2, 3, 4], ADD, "2 records 3, 4"),
        ([1, 2], [1, 3], ADD, "one record 2 became 3.*substitute'` or declared"),
        ([1, 2], [1, 2], SUBSTITUTE, "no difference"),
        ([1, 2], [2, 1], SUBSTITUTE, "the same records in another order"),
        ([1, 2], [1], SUBSTITUTE, "without one record 2.*add-remove"),
        ([1, 2], [3, 4], SUBSTITUTE, "2 of 2 records changed.*must change; 2 .*`.*changes:2'` or"),
        ([1, 2, 3], [4, 5, 6], ADD, "; 3 records that change are `relation='changes:3'` or"),
        (np.array([1]), ["1"], SUBSTITUTE, "an array and D1 is a list"),
        (np.array([1]), [2, "a"], ADD, "other records such as 'a' as a list: give records of one"),
        (["a"], np.array([1]), ADD, "other records such as 'a' as a list: give records of one"),
        (TABLE, [1], ADD, "D1 is a list; give both in one form"),
        (TABLE, TABLE.rename(columns={"age": "Age"}), SUBSTITUTE, "columns"),
        (USERS, frame([1, 2, 3]), USER, "not 0"),
        (USERS, frame([3]), USER, "not 2"),
        (USERS, frame([2, 3]).assign(v=[7, 9]), USER, "all other users"),
    ],
)
def test_others_are_refused(data: Any, neighbor: Any, relation: Relation, complaint: str) -> None:
    with pytest.raises(RelationError, match=complaint) as caught:
        check_pair(neighboring("D1", data, neighbor, relation))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("data", "neighbor", "relation"),
    [([1, 2, 3], [3, 1], ADD), ([1, 2, 3], [2, 1, 4], SUBSTITUTE), (USERS, frame([3, 2]), USER)],
)
def test_another_order_is_accepted(data: Any, neighbor: Any, relation: Relation) -> None:
    check_pair(neighboring("D1", data, neighbor, relation))


def test_records_outside_the_domain_are_refused() -> None:
    pair = neighboring("D2", np.array([1, 2]), np.array([1, 2, 130]), ADD)
    with pytest.raises(DomainError, match="record 130 at position 2 of D2 is outside.*int:0:120"):
        check_pair(pair, parse_domain("int:0:120"))
    table = neighboring("D1", TABLE, TABLE.iloc[:1], ADD)
    check_pair(table, parse_domain("sex=choice:f,m"))
    with pytest.raises(DomainError, match=r"record \(age=30\) at position 1 of D"):
        check_pair(table, parse_domain("age=int:0:25"))


@pytest.mark.parametrize(
    ("rows", "domain", "advice"),
    [
        (
            [[1.5, "a"], [4.0, "b"]],
            "x=text,y=text",
            "x = 1.5 is not in text; write for example x=f",
        ),
        ([[1.5, "a"], [4.0, "b"]], "x=float,y=int", "y = 'a' is not in int; .*y=choice:a,b, or"),
        (
            [[1.5, None], [4.0, 7.0]],
            "x=float,y=int:0:9",
            "y = .* is not in .*y=int:0:7:missing, or",
        ),
        ([[1, "a"]], "x=int,z=text", "it has no column 'z'; leave that out of the domain or mend"),
    ],
)
def test_advice_on_a_domain_fits_the_values_of_the_column(
    rows: list[list[Any]], domain: str, advice: str
) -> None:
    dicts = [dict(zip("xy", row, strict=True)) for row in rows]
    with pytest.raises(DomainError, match=advice):
        check_records([*dicts, 5], parse_domain(domain), "D")


@pytest.mark.parametrize(("place", "name"), [(0, "D"), (1, "D1"), (2, "D2")])
def test_a_record_outside_is_found_in_whichever_dataset_it_is(place: int, name: str) -> None:
    data, *neighbors = datasets = [[1, 2, 3], [1, 2], [2, 3]]
    datasets[place][0] = 130
    with pytest.raises(DomainError, match=f"record 130 at position 0 of {name} is outside"):
        run(lambda data: 0, epsilon=1.0, data=data, neighbors=neighbors, domain="int:0:120")


@pytest.mark.parametrize("domain", ["int:0:9", "float:-1:9.5", "float", "int", "choice:0,9"])
@pytest.mark.parametrize("dtype", ["int64", "uint8", "float64", "bool", "object"])
@pytest.mark.parametrize("last", [0, 9, 10, -2])
def test_arrays_are_inside_where_each_of_their_records_is(
    domain: str, dtype: str, last: int
) -> None:
    if last < 0 and dtype == "uint8":
        last = 255
    data, within = np.array([9, 0, last]).astype(dtype), parse_domain(domain)
    pair = neighboring("D1", data, data[:2], ADD)
    outside = [place for place, x in enumerate(data.tolist()) if not within.contains(x)]
    if outside:
        with pytest.raises(DomainError, match=f"at position {outside[0]} of D "):
            check_pair(pair, within)
    else:
        check_pair(pair, within)


def test_datasets_have_as_many_records_as_the_domain_says() -> None:
    pair = neighboring("D1", np.array([1, 2]), np.array([1, 2, 3]), ADD)
    check_pair(pair, parse_domain("int:0:9[2..3]"))
    with pytest.raises(DomainError, match=r"D1 has 3 records and the domain int:0:9\[0..2\]"):
        check_pair(pair, parse_domain("int:0:9[0..2]"))
    with pytest.raises(DomainError, match="D has 2 records"):
        check_pair(pair, parse_domain("int:0:9[3]"))


def test_users_have_no_more_rows_than_the_domain_allows() -> None:
    pair = neighboring("D1", USERS, frame([2, 3]), USER)
    check_pair(pair, parse_domain("user=user:2,v=int:0:9"))
    with pytest.raises(DomainError, match="user 1 of D has 2 rows.* allows 1"):
        check_pair(pair, parse_domain("user=user:1,v=int:0:9"))


def test_users_need_a_column_that_names_them() -> None:
    renamed = USERS.rename(columns={"user": "who"})
    pair = neighboring("D1", renamed, renamed.iloc[2:], USER)
    check_pair(pair, parse_domain("who=user,v=int:0:9"))
    with pytest.raises(InputError, match="`domain`"):
        check_pair(pair)
    with pytest.raises(InputError, match="no records"):
        check_pair(neighboring("D1", 3, 4, ADD))


NUMBERS = st.lists(st.integers(0, 2), max_size=6)


@given(NUMBERS, NUMBERS)
def test_add_remove_is_one_record_of_the_multiset(one: list[int], other: list[int]) -> None:
    counts = [one.count(x) - other.count(x) for x in range(3)]
    pair = neighboring("D1", one, other, ADD)
    if sum(map(abs, counts)) == 1:
        check_pair(pair)
    else:
        with pytest.raises(RelationError):
            check_pair(pair)


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), max_size=5))
def test_substitute_is_one_swap_in_the_multiset(both: list[tuple[int, int]]) -> None:
    one, other = [first for first, _ in both], [second for _, second in both]
    counts = [one.count(x) - other.count(x) for x in range(3)]
    pair = neighboring("D1", one, other, SUBSTITUTE)
    if sorted(counts) == [-1, 0, 1]:
        check_pair(pair)
    else:
        with pytest.raises(RelationError):
            check_pair(pair)


def test_both_sides_get_the_same_dtypes() -> None:
    pair = neighboring("D1", np.array([1, 2]), np.array([1, 2.5]), SUBSTITUTE)
    assert pair.dataset.dtype == pair.neighbor.dtype == np.float64
    empty = neighboring("D1", np.array([]), np.array([1]), ADD)
    assert empty.dataset.dtype == empty.neighbor.dtype == np.float64
    table = neighboring("D1", TABLE, TABLE.assign(age=[20, 30.5]), SUBSTITUTE)
    assert table.dataset.dtypes.equals(table.neighbor.dtypes)
    assert neighboring("D1", np.array([]), ["a"], ADD).dataset == []


def test_a_dataset_without_records_has_the_columns_and_dtypes_of_the_other() -> None:
    table = pd.DataFrame({"income": [3], "town": pd.array(["a"], "string"), "at": [True]})
    empties: list[Any] = [table.iloc[:0].astype(object), np.array([]), []]
    for empty in empties:
        for pair in (neighboring("D1", table, empty, ADD), neighboring("D1", empty, table, ADD)):
            assert pair.dataset.dtypes.equals(table.dtypes)
            assert pair.neighbor.dtypes.equals(table.dtypes)
    other = neighboring("D1", table, pd.DataFrame({"height": []}), ADD)
    assert list(other.neighbor) == ["height"]
    rows = neighboring("D1", np.array([]), np.array([[1, 2]]), ADD)
    assert rows.dataset.shape == (0, 2)
