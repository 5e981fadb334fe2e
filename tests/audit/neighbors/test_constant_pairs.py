"""Constants of the code become records, sizes and sums, and the neighbors on both sides of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

import audit
from audit.neighbors import check_pair
from audit.neighbors.domain import parse_domain
from audit.neighbors.generated_pairs import constant_pairs, constant_records
from audit.neighbors.rows import records_of
from audit.relation import Relation, relation_named
from audit.source_code import Constants

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


def test_the_middle_of_a_range_and_rows_with_two_constants_are_records() -> None:
    ends = Constants((123.4, 123.6, 7), ("b",))
    (middle,) = [x for x in constant_records(parse_domain("float:100:999"), ends) if x < 123.6][-1:]
    assert middle == pytest.approx(123.5)
    whole = constant_records(parse_domain("int:0:100"), Constants((10, 40, 41), ()))
    assert set(whole) == {9, 10, 11, 25, 39, 40, 41, 42}
    rows = constant_records(parse_domain("v=int:0:100,w=choice:a,b"), Constants((42,), ("b",)))
    assert {"v": 42, "w": "a"} in rows
    assert {"v": 42, "w": "b"} in rows


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


@pytest.mark.parametrize("spec", ["a=int:0:100,b=bool", "int:0:2000"])
def test_pairs_within_a_distance_are_not_made_of_constants(spec: str) -> None:
    """Rows that came or went were taken for neighbors, and counts accused."""
    relation = relation_named("changes:2")
    assert constant_pairs(parse_domain(spec), relation, SOME) == ()


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


@pytest.mark.parametrize(
    ("spec", "relation", "sizes"),
    [
        ("int:0:9[37]", SUBSTITUTE, {37}),
        ("int:0:9[37]", ADD, set()),
        ("int:0:9[5..50]", ADD, {5, 6, 41, 42, 43, 49, 50}),
        ("int:0:9[5..]", SUBSTITUTE, {5, 6, 42, 43, 999, 1000}),
        ("user=user:5,v=choice:a,b[4..30]", USER, {5, 6, 30}),
    ],
)
def test_no_dataset_has_another_size_than_the_domain_allows(
    spec: str, relation: Relation, sizes: set[int]
) -> None:
    found = datasets(spec, relation, Constants((7, 42, 999, 20), ("b",)))
    admits = parse_domain(spec).sizes.admits
    assert all(admits(len(left)) and admits(len(right)) for left, right in found)
    assert sizes <= {len(records) for pair in found for records in pair}
    assert found or not sizes


def test_a_constant_is_one_of_as_many_records_as_a_domain_fixes() -> None:
    found = datasets("int:0:9[37]", SUBSTITUTE, Constants((7,)))
    assert ([0] * 37, [0] * 36 + [7]) in found
    assert ([7] * 37, [7] * 36 + [0]) in found


SIZE = 37


def mean(data: Any, rng: Generator, size: int) -> Any:
    """Private for datasets of 37 numbers of [0, 1]; of others it would say all."""
    if len(data) != SIZE:
        return np.full(size, float(len(data)))
    return np.mean(data) + rng.laplace(0.0, 1 / len(data), size)


def telling_mean(data: Any, rng: Generator, size: int) -> Any:
    """The same, but a number that nobody would think of is told."""
    return mean(data, rng, size) + 10 * np.count_nonzero(np.asarray(data) == 0.59)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mechanism", "verdict"), [(mean, "not-refuted"), (telling_mean, "violation")]
)
def test_what_is_promised_for_one_size_is_asked_at_that_size(mechanism: Any, verdict: str) -> None:
    result = audit.run(
        mechanism,
        epsilon=1.0,
        domain="float:0:1[37]",
        relation="substitute",
        max_samples=20_000,
    )
    assert result.verdict == verdict
    if result.witness is not None:
        assert f"{result.witness.dataset}".startswith(f"{SIZE} records")
