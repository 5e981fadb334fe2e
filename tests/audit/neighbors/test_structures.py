"""Structures: records that build something together, beside the same without the telling one."""

from __future__ import annotations

from typing import Any

import pytest

from audit.neighbors import check_pair, neighboring
from audit.neighbors.domain import parse_domain
from audit.neighbors.rows import records_of
from audit.neighbors.worst import consecutive, structured, worst_pairs
from audit.relation import Relation

ADD, SUBSTITUTE, USER = Relation.ADD_REMOVE, Relation.SUBSTITUTE, Relation.USER
SPECS = ["int:0:1", "int:-5:5", "float:0:1", "float:-20:20", "bool", "choice:a,b,c,d", "int"]
EDGES = "u=int:0:9,v=int:0:9"


@pytest.mark.parametrize("relation", [ADD, SUBSTITUTE])
@pytest.mark.parametrize("spec", [*SPECS, EDGES, "age=int:0:99,sex=choice:f,m"])
def test_all_are_neighbors_in_the_domain(spec: str, relation: Relation) -> None:
    domain = parse_domain(spec)
    made = list(structured(domain, relation))
    assert made
    for left, right in made:
        if left != right:
            pair = neighboring("W", domain.dataset(left), domain.dataset(right), relation)
            check_pair(pair, domain)


def shapes(spec: str, relation: Relation) -> list[tuple[list[Any], list[Any]]]:
    pairs = worst_pairs(parse_domain(spec), relation)
    return [(records_of(pair.dataset), records_of(pair.neighbor)) for pair in pairs]


def test_a_run_with_a_gap_and_the_record_that_bridges_it_are_listed() -> None:
    assert ([0, 1, 2, 4, 5, 6], [0, 1, 2, 3, 4, 5, 6]) in shapes("int:0:100", ADD)
    assert ([0, 10, 20, 40, 50, 60], [0, 10, 20, 30, 40, 50, 60]) in shapes("int:0:100", ADD)
    assert ([0, 5, 10, 20, 25, 30], [0, 5, 10, 15, 20, 25, 30]) in shapes("int:0:100", ADD)
    assert ([0, 1, 2, 3, 4, 5, 6], [0, 1, 2, 100, 4, 5, 6]) in shapes("int:0:100", SUBSTITUTE)


def test_a_ramp_down_ends_begins_and_is_disturbed() -> None:
    listed = shapes("int:0:100", ADD)
    assert ([6, 5, 4, 3, 2, 1], [6, 5, 4, 3, 2, 1, 0]) in listed
    assert ([5, 4, 3, 2, 1, 0], [6, 5, 4, 3, 2, 1, 0]) in listed
    assert ([6, 5, 4, 3, 2, 1, 0], [6, 5, 4, 100, 3, 2, 1, 0]) in listed


def test_alternation_is_disturbed_at_the_front_and_in_the_middle() -> None:
    listed = shapes("int:0:1", ADD)
    assert ([1, 0, 1, 0, 1, 0], [0, 1, 0, 1, 0, 1, 0]) in listed
    assert ([0, 1, 0, 0, 1, 0], [0, 1, 0, 1, 0, 1, 0]) in listed


def edges(rows: list[dict[str, int]]) -> set[tuple[int, int]]:
    return {(row["u"], row["v"]) for row in rows}


@pytest.mark.slow
def test_a_star_a_book_and_a_clique_are_listed_where_records_are_edges() -> None:
    listed = [edges(right) - edges(left) for left, right in shapes(EDGES, ADD)]
    larger = [edges(right) for _, right in shapes(EDGES, ADD)]
    book = {(0, 2), (1, 2), (0, 3), (1, 3), (0, 4), (1, 4), (0, 1)}
    assert book in larger
    assert listed[larger.index(book)] == {(0, 1)}
    assert {(0, 1), (0, 2), (0, 3)} in larger
    assert {(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)} in larger


def test_rings_and_graphs_of_two_sides_are_listed_where_records_are_edges() -> None:
    larger = [edges(right) for _, right in shapes(EDGES, ADD)]
    assert {(0, 1), (1, 2), (2, 3), (3, 0)} in larger
    assert {(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0)} in larger
    assert {(one, other) for one in (0, 1) for other in (2, 3, 4)} in larger


def test_values_that_come_equally_often_are_listed_and_so_are_all_of_few() -> None:
    listed = shapes("choice:a,b,c,d,e,f", ADD)
    assert ([*"aabbc"], [*"aabbcc"]) in listed
    assert ([*"aaabbb"], [*"aaabbbc"]) not in listed
    assert ([*"aaabbbcccdddee"], [*"aaabbbcccdddeee"]) in listed
    assert ([*"aabbccddeef"], [*"aabbccddeeff"]) in listed
    assert ([0, 0, 1, 1, 2], [0, 0, 1, 1, 2, 2]) in shapes("int:0:1000", ADD)
    assert not [right for _, right in shapes("int:0:99", ADD) if len({*right}) > 20]


def test_columns_of_two_kinds_are_no_edges() -> None:
    with_edges, without = (
        len(list(structured(parse_domain(spec), ADD))) for spec in (EDGES, "u=int:0:9,v=int:0:8")
    )
    assert with_edges > without


def test_a_user_arrives_with_the_telling_row() -> None:
    listed = shapes("who=user,u=int:0:9,v=int:0:9", USER)
    assert any(len(right) - len(left) == 1 and len(right) == 7 for left, right in listed)


@pytest.mark.parametrize(
    ("spec", "step", "records"),
    [
        ("int:0:9", 1, [0, 1, 2, 3]),
        ("int:5:9", 2, [5, 7, 9]),
        ("float:-1:1", 1, [-1.0, 0.0, 1.0]),
        ("choice:a,b,c,d,e", 2, ["a", "c", "e"]),
        ("bool", 1, []),
    ],
)
def test_consecutive_records_are_a_step_apart(spec: str, step: int, records: list[Any]) -> None:
    assert consecutive(parse_domain(spec), 4, step) == records
