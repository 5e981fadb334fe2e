"""Random pairs are neighbors of many sizes in their domain, the same for the same generator."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from audit.neighbors import Pair, check_pair
from audit.neighbors.domain import parse_domain
from audit.neighbors.generated_pairs import random_pairs, random_record
from audit.neighbors.rows import keys_of, records_of
from audit.relation import AnyRelation, Relation, relation_named

RELATIONS = ["add-remove", "substitute", "user", "l1:1", "l2:1", "linf:1", "changes:2"]
NUMBERS = ["int:0:100", "int", "float:0:1", "float", "float:0:1[4]", "int:0:9[10..12]"]
OTHERS = ["bool", "choice:a,b,c", "u=int:0:7,v=int:0:7", "who=user:3,day=int:0:9"]


def made(spec: str, relation: AnyRelation, seed: int = 0) -> list[Pair]:
    return list(random_pairs(parse_domain(spec), relation, np.random.default_rng(seed)))


def possible(spec: str, name: str) -> bool:
    if name == "user":
        return "user" in spec
    if name == "add-remove":
        return not spec.endswith("[4]")
    return name in ("substitute", "changes:2") or spec in NUMBERS


@pytest.mark.slow
@pytest.mark.parametrize("name", RELATIONS)
@pytest.mark.parametrize("spec", [*NUMBERS, *OTHERS])
def test_all_are_neighbors_in_the_domain(spec: str, name: str) -> None:
    if not possible(spec, name):
        return
    found = made(spec, relation_named(name))
    assert 10 <= len(found) <= 192
    for pair in found:
        check_pair(pair, parse_domain(spec))


def test_they_have_many_sizes_and_some_repeat_a_few_values() -> None:
    found = made("int:0:1000000", Relation.ADD_REMOVE)
    assert {len(pair.neighbor) for pair in found} == {2, 3, 4, 5, 6, 8, 12, 20}
    largest = [Counter(keys_of(pair.neighbor)) for pair in found if len(pair.neighbor) == 20]
    assert {len(values) <= 5 for values in largest} == {True, False}


@pytest.mark.parametrize("sizes", ["[4]", "[4..4]"])
def test_vectors_of_a_fixed_length_are_changed_alone(sizes: str) -> None:
    spec = f"int:0:9{sizes}"
    assert made(spec, Relation.ADD_REMOVE) == []
    assert {len(pair.dataset) for pair in made(spec, Relation.SUBSTITUTE)} == {4}


def test_they_are_the_same_for_the_same_seed_only() -> None:
    one, same, other = (
        [(records_of(pair.dataset), records_of(pair.neighbor)) for pair in found]
        for found in (made("int:0:100", Relation.ADD_REMOVE, seed) for seed in (1, 1, 2))
    )
    assert one == same
    assert one != other


def test_there_are_none_where_nothing_says_what_they_would_be() -> None:
    assert made("int:0:9", Relation.DECLARED) == []


@pytest.mark.parametrize(
    ("spec", "records"),
    [
        ("int:3:5", [3, 4, 5]),
        ("bool", [False, True]),
        ("choice:a,b,c", ["a", "b", "c"]),
        ("u=bool,v=bool", [{"u": u, "v": v} for u in (False, True) for v in (False, True)]),
    ],
)
def test_every_record_comes_about_equally_often(spec: str, records: list[Any]) -> None:
    """Each of at most 4 records is counted in 4,000; 5 deviations away is 6e-7 for each."""
    rng, domain = np.random.default_rng(0), parse_domain(spec)
    drawn = [random_record(domain, rng) for _ in range(4000)]
    expected = 4000 / len(records)
    assert all(abs(drawn.count(r) - expected) < 6.5 * expected**0.5 for r in records)
