"""Constants of the code become records, sizes and sums, and the neighbors on both sides of them."""

from __future__ import annotations

from typing import Any

import pytest

from audit.constants import Constants
from audit.neighbors import check_pair
from audit.neighbors.constant_pairs import constant_pairs, constant_records
from audit.neighbors.domain import parse_domain
from audit.neighbors.rows import records_of
from audit.relation import Relation

ADD, SUBSTITUTE, USER = Relation.ADD_REMOVE, Relation.SUBSTITUTE, Relation.USER
SOME = Constants((42, 2.5, 1000, -7), ("b", "Kathrin"))


def datasets(spec: str, relation: Relation, constants: Constants) -> list[tuple[Any, Any]]:
    domain = parse_domain(spec)
    pairs = constant_pairs(domain, relation, constants)
    for pair in pairs:
        check_pair(pair, domain)
    return [(records_of(pair.dataset), records_of(pair.neighbor)) for pair in pairs]


@pytest.mark.parametrize(
    ("spec", "records"),
    [
        ("int:0:100", [42, 41, 43]),
        ("int:-10:41", [41, -7, -8, -6]),
        ("float:0:10", [2.5, 1.5, 3.5]),
        ("choice:a,b,c", ["b"]),
        ("choice:1,42", [42]),
        ("bool", []),
        ("v=int:40:42,w=choice:b,c", [{"v": 42, "w": "b"}, {"v": 41, "w": "b"}]),
    ],
)
def test_records_are_constants_of_the_domain_and_what_is_beside_them(
    spec: str, records: list[Any]
) -> None:
    found = list(constant_records(parse_domain(spec), SOME))
    assert [record for record in found if record in records] == records
    assert all(map(parse_domain(spec).contains, found))


@pytest.mark.slow
@pytest.mark.parametrize("relation", [ADD, SUBSTITUTE, USER])
@pytest.mark.parametrize("spec", ["user=user:3,v=int:0:100", "int:0:2000", "choice:a,b", "float"])
def test_all_pairs_are_neighbors_and_no_two_alike(spec: str, relation: Relation) -> None:
    if relation is USER and "user" not in spec:
        return
    found = datasets(spec, relation, SOME)
    assert found
    assert len(found) <= 80
    assert len({str(pair) for pair in found}) == len(found)


def test_a_constant_is_a_record_that_comes_and_one_beside_which_others_come() -> None:
    found = datasets("int:0:100", ADD, Constants((42,)))
    assert ([], [42]) in found
    assert ([42], [42, 100]) in found
    assert ([42], [100]) not in found
    assert ([0], [42]) in datasets("int:0:100", SUBSTITUTE, Constants((42,)))


def test_a_constant_is_a_size_that_is_stepped_over() -> None:
    sizes = {len(left) for left, _ in datasets("bool", ADD, Constants((37,)))}
    assert {36, 37} <= sizes
    assert {37, 38} <= {len(left) for left, _ in datasets("bool", SUBSTITUTE, Constants((37,)))}


def test_a_constant_is_a_sum_that_is_stepped_over() -> None:
    found = [(sum(left), sum(right)) for left, right in datasets("int:0:9", ADD, Constants((500,)))]
    assert (499, 500) in found
    assert (500, 501) in found


def test_without_constants_there_are_none() -> None:
    assert datasets("int:0:9", ADD, Constants()) == []
    assert datasets("bool", ADD, Constants((), ("Kathrin",))) == []
