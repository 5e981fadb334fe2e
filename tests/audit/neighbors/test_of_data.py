"""The neighbors of real data lack, repeat or replace the records that stand out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from audit.neighbors import check_pair
from audit.neighbors.data_neighbors import neighbors_of, reach_in_words, standing_out
from audit.neighbors.rows import records_of
from audit.relation import Relation

ADD, SUBSTITUTE, USER = Relation.ADD_REMOVE, Relation.SUBSTITUTE, Relation.USER
TABLE = pd.DataFrame(
    {
        "age": [30, 31, 30, 90, 30, 18, 30, 31, 30, 31],
        "job": ["a", "b", "a", "b", "a", "b", "king", "a", "b", "a"],
        "pay": [5.0, 5.0, 5.0, 5.0, np.nan, 5.0, 5.0, 5.0, 99.0, 5.0],
        "user": [1, 1, 1, 2, 2, 3, 4, 5, 5, 1],
    }
)
DATA: dict[str, Any] = {
    "table": TABLE,
    "numbers": np.array([3, 1, 4, 1, 5, 9, 2, 6]),
    "matrix": np.array([[0.0, 9.0], [1.0, 0.0], [5.0, 4.0], [1.0, 0.0]]),
    "texts": ["a", "b", "a", "c", "a"],
    "dicts": [{"v": 3}, {"v": 1, "w": "x"}, {"v": 3}],
    "column": pd.Series([1.5, 2.5, 1.5]),
    "one": np.array([7]),
}


@pytest.mark.parametrize("relation", [ADD, SUBSTITUTE, USER])
@pytest.mark.parametrize("name", DATA)
def test_they_are_neighbors_few_and_no_two_alike(name: str, relation: Relation) -> None:
    if relation is USER and name != "table":
        return
    pairs = [*neighbors_of(DATA[name], relation)]
    assert all(pair.dataset is DATA[name] or name == "one" for pair in pairs)
    for pair in pairs:
        check_pair(pair)
    assert len(pairs) <= 40
    assert pairs or (name, relation) == ("one", SUBSTITUTE)
    differences = [pair.difference for pair in pairs]
    assert len(set(differences)) == len(differences)


def test_records_stand_out_in_any_column() -> None:
    chosen = standing_out(TABLE)
    assert {3, 5, 6, 8, 4} <= set(chosen)  # oldest, youngest, the only king, richest, missing
    assert standing_out(np.array([[0.0, 9.0], [1.0, 0.0], [5.0, 4.0], [1.0, 0.0]]))[:2] == [2, 0]


def test_under_add_remove_a_record_that_stands_out_goes_or_comes_twice() -> None:
    sizes = {len(pair.neighbor) for pair in neighbors_of(TABLE, ADD)}
    assert sizes == {9, 11}
    kings = [list(pair.neighbor["job"]).count("king") for pair in neighbors_of(TABLE, ADD)]
    assert (kings.count(0), kings.count(2)) == (1, 1)


@pytest.mark.parametrize(("size", "left_out"), [(20, 20), (200, 24)])
def test_under_add_remove_each_of_few_records_goes(size: int, left_out: int) -> None:
    data = np.arange(size)
    smaller = [
        p.neighbor for p in neighbors_of(data, Relation.ADD_REMOVE) if len(p.neighbor) < size
    ]
    gone = {int(np.setdiff1d(data, neighbor)[0]) for neighbor in smaller}
    assert len(gone) == len(smaller) == left_out
    assert {0, size - 1} <= gone


def test_under_substitute_records_of_the_data_replace_each_other() -> None:
    held = {str(record) for record in records_of(TABLE)}
    pairs = [*neighbors_of(TABLE, SUBSTITUTE)]
    assert all({str(record) for record in records_of(pair.neighbor)} <= held for pair in pairs)
    assert any("king" not in set(pair.neighbor["job"]) for pair in pairs)


def test_under_user_all_rows_of_one_who_stands_out_go() -> None:
    gone = {10 - len(pair.neighbor) for pair in neighbors_of(TABLE, USER)}
    assert {4, 2, 1} == gone


def test_how_many_were_tried_is_said() -> None:
    assert reach_in_words([TABLE], ADD, 7) == (
        "the search tried 7 neighbors of D; without one record there are 9"
    )
    assert "some of them with one record twice" in reach_in_words([TABLE], ADD, 12)
    assert "without the rows of one user there are 5" in reach_in_words([TABLE], USER, 3)
    assert "in place of one" in reach_in_words([TABLE], SUBSTITUTE, 3)
