"""Vectors within a distance, and datasets with so many records changed."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from audit.errors import InputError, RelationError
from audit.neighbors import Pair, check_pair, classic_pairs, neighboring, worst_pairs
from audit.neighbors.candidates import allows, directions, distance
from audit.neighbors.data_neighbors import neighbors_of
from audit.neighbors.domain import parse_domain
from audit.neighbors.search.strategies import pairs
from audit.relation import Measure, Within, relation_named

RELATIONS = ("l1:1", "l1:3", "l2:2.5", "linf:1", "changes:1", "changes:3")
NUMBERS = ("int:0:1", "int:0:100", "int", "float", "float:-1:1", "float:0:1[37]", "int:0:9[2..4]")
OTHERS = ("choice:a,b,c", "bool[2..3]", "age=int:0:120,sex=choice:f,m", "user=user:5,v=int:0:9")


def within(name: str) -> Within:
    relation = relation_named(name)
    assert isinstance(relation, Within)
    return relation


def near(pair: Pair, relation: Within) -> bool:
    length = distance(relation.measure, pair.dataset, pair.neighbor)
    return length is not None and allows(relation, length)


@pytest.mark.parametrize(
    ("name", "left", "right", "length"),
    [
        ("l1:1", [1, 2, 3], [2, 0, 3], 3.0),
        ("l2:1", [1, 2, 3], [2, 0, 3], math.sqrt(5.0)),
        ("linf:1", [1, 2, 3], [2, 0, 3], 2.0),
        ("changes:1", [1, 2, 3], [2, 0, 3], 2.0),
        ("changes:1", ["a", None], ["a", "b"], 1.0),
        ("l1:1", [math.nan, math.inf], [math.nan, math.inf], 0.0),
        ("linf:1", [math.nan], [1.0], math.inf),
        ("l1:1", ["a"], ["b"], None),
        ("l1:1", [[1.0, 2.0]], [[1.0, 4.0]], 2.0),
    ],
)
def test_distances(name: str, left: Any, right: Any, length: float | None) -> None:
    data = [np.array(side) if isinstance(side[0], list) else side for side in (left, right)]
    assert distance(within(name).measure, *data) == length


@pytest.mark.parametrize(
    ("name", "left", "right"),
    [
        ("l1:2", [1.0, 2.0], [2.0, 1.0]),
        ("l2:1.5", [1.0, 2.0], [2.0, 1.0]),
        ("linf:1", [1.0] * 9, [2.0] * 9),
        ("l1:0.3", [0.1, 0.1, 0.1], [0.2, 0.2, 0.2]),
        ("changes:2", ["a", "b", "c"], ["x", "b", "y"]),
        ("changes:1", ["a", "b", "c"], ["c", "x", "a"]),
    ],
)
def test_what_is_near_enough_is_accepted_and_what_is_farther_refused(
    name: str, left: list[Any], right: list[Any]
) -> None:
    one, other = (np.array(s) if isinstance(s[0], float) else s for s in (left, right))
    check_pair(neighboring("D1", one, other, within(name)))
    kind, _, most = name.partition(":")
    nearer = f"{kind}:{float(most) / 2}" if kind != "changes" else "changes:1"
    if name != "changes:1":
        with pytest.raises(RelationError, match="D1 is no neighbor"):
            check_pair(neighboring("D1", one, other, within(nearer)))


@pytest.mark.parametrize(
    ("left", "right", "complaint"),
    [
        ([1.0], [1.0, 2.0], "equally many records"),
        (["a"], ["b"], "vectors of numbers"),
        ([1.0], [1.0], "0 apart"),
        ([1.0], [math.nan], "inf apart"),
    ],
)
def test_what_is_no_vector_of_the_same_kind_is_refused(
    left: list[Any], right: list[Any], complaint: str
) -> None:
    with pytest.raises(RelationError, match=complaint):
        check_pair(neighboring("D1", left, right, within("l1:1")))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "name"),
    [*itertools.product(NUMBERS, RELATIONS), *itertools.product(OTHERS, RELATIONS[-2:])],
)
def test_listed_and_made_up_pairs_are_neighbors_of_many_sizes(spec: str, name: str) -> None:
    domain, relation = parse_domain(spec), within(name)
    listed = worst_pairs(domain, relation)
    for pair in listed:
        check_pair(pair, domain)
        assert near(pair, relation)
    assert 6 <= len(listed) <= 120
    assert len({len(pair.dataset) for pair in listed}) >= (6 if "[" not in spec else 1)

    @settings(max_examples=10, suppress_health_check=list(HealthCheck), database=None)
    @given(pairs(domain, relation, max_size=6))
    def examine(pair: Any) -> None:
        check_pair(pair, domain)
        assert near(pair, relation)

    examine()


@pytest.mark.parametrize("name", ["l1:3", "l2:2.5", "linf:1", "changes:3"])
def test_some_pair_goes_as_far_as_it_may(name: str) -> None:
    relation = within(name)
    for spec in ("float:0:100", "float:0:100[5]"):
        lengths = [
            distance(relation.measure, pair.dataset, pair.neighbor) or 0.0
            for pair in worst_pairs(parse_domain(spec), relation)
            if len(pair.dataset) == 5
        ]
        assert max(lengths) == pytest.approx(relation.most)


def test_vectors_move_in_every_way_that_mechanisms_react_to() -> None:
    ways = set(directions(4))
    assert {(0, 0, 0, 1), (1, 0, 0, 0), (1, 1, 1, 1), (1, -1, -1, -1), (-1, 1, 1, 1)} <= ways
    assert {(1, -1, 1, -1), (1, 1, -1, -1), (1, 0, 0, -1)} <= ways
    assert [*directions(1)] == [(1,)]


def test_whole_numbers_move_by_whole_steps() -> None:
    for pair in worst_pairs(parse_domain("int:0:100[5]"), within("l2:2.5")):
        assert pair.dataset.dtype == pair.neighbor.dtype == np.int64
        steps = np.abs(pair.dataset - pair.neighbor)
        assert (steps**2).sum() <= 2.5**2


@pytest.mark.parametrize("spec", OTHERS)
def test_distances_between_what_is_no_number_are_refused(spec: str) -> None:
    for made in (worst_pairs, pairs):
        with pytest.raises(InputError, match="for vectors of numbers"):
            made(parse_domain(spec), within("l1:1"))


@pytest.mark.parametrize("name", RELATIONS)
@pytest.mark.parametrize(
    "data",
    [
        np.array([3, 1, 4, 1]),
        np.array([0.5]),
        [1.0, 2.0, 3.0],
        np.array([[1.0, 2.0], [3.0, 4.0]]),
        ["a", "b", "a"],
        pd.DataFrame({"v": [1, 2, 2]}),
    ],
    ids=["whole", "one", "list", "matrix", "texts", "table"],
)
def test_neighbors_of_data_are_of_the_same_kind(data: Any, name: str) -> None:
    relation = within(name)
    counted = relation.measure is Measure.CHANGES
    vector = not isinstance(data, pd.DataFrame) and not isinstance(data[0], str)
    if not (vector or counted) or (counted and len(data) == 1):
        with pytest.raises(InputError, match="no neighbor under"):
            classic_pairs(data, relation)
        return
    found = [*classic_pairs(data, relation), *neighbors_of(data, relation)]
    assert [pair.name for pair in found[:2]] == ["D1", "D2"]
    for pair in found:
        check_pair(pair)
        assert type(pair.neighbor) is type(data)
        assert np.shape(pair.neighbor) == np.shape(data)


def test_neighbors_of_data_stay_in_their_domain() -> None:
    domain = parse_domain("float:0:1")
    for pair in classic_pairs(np.array([0.2, 1.0, 0.9]), within("linf:0.5"), domain):
        check_pair(pair, domain)


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=8), st.sampled_from(RELATIONS[:4]))
def test_moved_data_never_go_too_far(values: list[float], name: str) -> None:
    for pair in classic_pairs(np.array(values), within(name)):
        check_pair(pair)
