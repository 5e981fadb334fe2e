"""D1 to D3 are the neighbors a practitioner would build from D by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.errors import DomainError, InputError
from audit.neighbors import check_pair, classic_pairs
from audit.neighbors.difference import change
from audit.neighbors.domain import parse_domain
from audit.neighbors.rows import records_of
from audit.neighbors.search.strategies import _Space
from audit.relation import Relation

ADD, SUBSTITUTE, USER = Relation.ADD_REMOVE, Relation.SUBSTITUTE, Relation.USER
AGES = np.array([30, 90, 17, 40, 41])
TABLE = pd.DataFrame({"user": [9, 9, 8, 7, 7, 7], "sex": list("fmfmfm"), "age": [1, 6, 2, 5, 3, 4]})


def differences(data: Any, relation: Relation, domain: str | None = None) -> list[str]:
    pairs = classic_pairs(data, relation, None if domain is None else parse_domain(domain))
    assert [pair.name for pair in pairs] == [f"D{i + 1}" for i in range(len(pairs))]
    return [pair.difference for pair in pairs]


@pytest.mark.parametrize(
    ("data", "removed"),
    [
        (AGES, ["90", "17", "40"]),
        (np.array([5]), ["5"]),
        (np.array([0, 0, 0]), ["0"]),
        (np.array([1.0, math.nan, 3.0]), ["3.0", "1.0"]),
        (np.array([math.nan]), ["nan"]),
        (np.array([True, False, True]), ["True", "False"]),
        (np.array([[3, 4], [0, 0], [1, 0]]), ["[3, 4]", "[0, 0]", "[1, 0]"]),
        ([1, 5, 3], ["5", "1", "3"]),
        (["x", "a", "b", "a"], ["'a'", "'b'", "'x'"]),
        ([1, "a", 1], ["1", "'a'"]),
        (pd.Series([2, 7, 4]), ["7", "2", "4"]),
        (
            TABLE[["sex", "age"]],
            ["(sex='m', age=6)", "(sex='f', age=1)", "(sex='m', age=4)"],
        ),
        (TABLE[["sex"]], ["(sex='f')", "(sex='m')"]),
    ],
)
def test_add_remove_leaves_out_largest_smallest_and_middle(data: Any, removed: list[str]) -> None:
    assert differences(data, ADD) == [f"without one record {record}" for record in removed]


def test_a_table_is_ordered_by_a_column_that_is_no_owner() -> None:
    assert "age=6" in differences(TABLE, ADD)[0]
    assert "who=9" in differences(TABLE.rename(columns={"user": "who"}), ADD)[0]
    renamed = TABLE.rename(columns={"user": "who"})
    assert "age=6" in differences(renamed, ADD, "who=user,age=int:0:9")[0]


def test_substitute_moves_records_to_the_far_end_of_the_domain() -> None:
    assert differences(AGES, SUBSTITUTE, "int:0:100") == [
        "one record 90 became 0",
        "one record 17 became 100",
        "one record 40 became 100",
    ]
    assert differences(["a", "b"], SUBSTITUTE, "choice:a,b,c") == [
        "one record 'a' became 'c'",
        "one record 'b' became 'c'",
    ]
    [first, *_] = classic_pairs(TABLE, SUBSTITUTE, parse_domain("age=int:0:100"))
    assert first.neighbor.iloc[1].to_dict() == {"user": 9, "sex": "m", "age": 100}


def test_without_a_domain_records_move_to_the_far_end_of_the_data() -> None:
    words = differences(AGES, SUBSTITUTE)
    assert [one.split(" (")[0] for one in words] == [
        "one record 90 became 17",
        "one record 17 became 90",
        "one record 40 became 90",
    ]
    assert all("no domain is given" in one for one in words)
    [common, rare] = differences(["a", "a", "b"], SUBSTITUTE)
    assert common.startswith("one record 'a' became 'b'")
    assert rare.startswith("one record 'b' became 'a'")


def test_users_leave_with_all_their_rows() -> None:
    assert differences(TABLE, USER) == [
        "user 7 with 3 rows removed",
        "user 8 with 1 row removed",
        "user 9 with 2 rows removed",
    ]


def test_records_are_added_to_an_empty_dataset() -> None:
    assert differences(np.array([]), ADD, "int:0:9") == [
        "with one more record 9.0",
        "with one more record 0.0",
        "with one more record 1.0",
    ]
    [first, _] = classic_pairs(np.array([]), ADD, parse_domain("choice:a,b"))
    assert (first.dataset, first.neighbor) == ([], ["b"])
    [table, *_] = classic_pairs(np.array([]), USER, parse_domain("user=user:5,age=int:0:9"))
    assert table.difference == "user 0 with 5 rows added"
    assert table.dataset.dtypes.equals(table.neighbor.dtypes)


@pytest.mark.parametrize(
    ("data", "relation", "domain", "complaint"),
    [
        (np.array([]), ADD, None, "`domain`"),
        (np.array([]), SUBSTITUTE, "int:0:9", "`data`"),
        (np.array([1, 1]), SUBSTITUTE, None, "`domain`"),
        (np.array([1, 1]), SUBSTITUTE, "int:1:1", "`domain`"),
        (np.array([1, 2]), ADD, "int:0:9[2]", "`relation='substitute'`"),
        (AGES, USER, None, "`domain`"),
        (AGES, Relation.DECLARED, None, "`neighbors`"),
        (5, ADD, None, "`neighbors`"),
        ({"a": 1}, ADD, None, "`neighbors`"),
        (None, ADD, None, "`neighbors`"),
    ],
)
def test_where_no_neighbor_can_be_built_the_error_says_what_to_give(
    data: Any, relation: Relation, domain: str | None, complaint: str
) -> None:
    with pytest.raises(InputError, match=complaint):
        differences(data, relation, domain)


def test_where_no_record_may_go_one_comes() -> None:
    pairs = classic_pairs(np.array([1, 2]), ADD, parse_domain("int:0:9[2..3]"))
    assert [pair.neighbor.tolist() for pair in pairs] == [[1, 2, 9], [1, 2, 0]]
    pairs = classic_pairs(np.array([1, 2]), ADD, parse_domain("int:0:9[1..2]"))
    assert {len(pair.neighbor) for pair in pairs} == {1}


def test_data_outside_the_domain_are_refused() -> None:
    with pytest.raises(DomainError, match="record 90 at position 1 of D"):
        differences(AGES, ADD, "int:0:80")


def test_neighbors_keep_dtypes_columns_and_index() -> None:
    for relation in (ADD, SUBSTITUTE):
        for pair in classic_pairs(TABLE, relation):
            assert pair.neighbor.dtypes.equals(TABLE.dtypes)
            assert isinstance(pair.neighbor.index, pd.RangeIndex)
        for pair in classic_pairs(AGES, relation):
            assert pair.neighbor.dtype == AGES.dtype
    [moved, *_] = classic_pairs(np.array([0, 0]), SUBSTITUTE, parse_domain("float:0:0.5"))
    assert moved.dataset.dtype == moved.neighbor.dtype == np.float64
    labelled = TABLE.set_index(pd.Index(list("uvwxyz")))
    assert list(classic_pairs(labelled, ADD)[0].neighbor.index) == list("uwxyz")
    assert list(classic_pairs(labelled, SUBSTITUTE)[0].neighbor.index) == list("uvwxyz")


@pytest.mark.parametrize("relation", [ADD, SUBSTITUTE])
@pytest.mark.parametrize(
    "spec", ["int:0:9", "int", "float", "choice:a,b", "bool", "age=int:0:9,sex=choice:f,m"]
)
@settings(max_examples=15)
@given(draw=st.data())
def test_every_pair_is_neighboring(spec: str, relation: Relation, draw: st.DataObject) -> None:
    domain = parse_domain(spec)
    data = draw.draw(_Space(domain, 6).lists().map(domain.dataset).filter(len))
    before = records_of(data)
    pairs = classic_pairs(data, relation, domain)
    assert 1 <= len(pairs) <= 3
    for pair in pairs:
        check_pair(pair, domain)
        assert not change(pair.dataset, pair.neighbor).moved
    assert str(records_of(data)) == str(before)
