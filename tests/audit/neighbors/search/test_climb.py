"""Climbing: from a small loss to a large one, and nowhere where there is none to be had."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from audit.neighbors import Pair, check_pair, neighboring
from audit.neighbors.domain import parse_domain
from audit.neighbors.rows import records_of
from audit.neighbors.search.find import search_pairs
from audit.neighbors.search.local_search import MOST_RECORDS, Climber
from audit.neighbors.search.search_result import Appetite
from audit.neighbors.search.tournament import Hunt
from audit.relation import AnyRelation, Relation, Within, relation_named
from tests.oracles import Known

ADD, SUBSTITUTE = Relation.ADD_REMOVE, Relation.SUBSTITUTE
RUNS = 10**9


def losing(value: Callable[[list[Any]], float]) -> Callable[[Pair], float]:
    """The growth where the loss is what a value changes by, a hundredth of it at most .4."""

    def growth(pair: Pair) -> float:
        left, right = (value(records_of(data)) for data in (pair.dataset, pair.neighbor))
        return min(0.4, abs(left - right) / 100.0)

    return growth


def climbed(
    value: Callable[[list[Any]], float],
    spec: str,
    left: list[Any],
    right: list[Any],
    relation: AnyRelation = ADD,
    runs: int = RUNS,
) -> tuple[Pair, Known]:
    domain, oracle = parse_domain(spec), Known(losing(value), left=runs)
    start = neighboring("S", domain.dataset(left), domain.dataset(right), relation)
    top = Climber(domain, Hunt(oracle, 0), 32).climbed(start)
    check_pair(top, domain)
    return top, oracle


def loss(pair: Pair, value: Callable[[list[Any]], float]) -> float:
    return losing(value)(pair) * 100.0


def equal_pairs(records: list[Any]) -> float:
    return sum(count * (count - 1) / 2 for count in Counter(records).values())


def longest(records: list[Any]) -> float:
    held, most = {*records}, 0
    for record in held:
        most = max(most, next(n for n in range(1, 99) if record + n not in held))
    return most


def place_of_first(records: list[Any]) -> float:
    return sorted(records).index(records[0]) if records else 0.0


def paths(records: list[Any]) -> float:
    edges = {frozenset(row.values()) for row in records}
    ends = Counter(node for edge in edges if len(edge) == 2 for node in edge)
    return sum(count * (count - 1) / 2 for count in ends.values())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("value", "spec", "pair", "relation", "least"),
    [
        (equal_pairs, "int:0:9", ([3], [3, 3]), ADD, 30.0),
        (longest, "int:0:40", ([], [7]), ADD, 8.0),
        (place_of_first, "int:0:9", ([5, 0], [5, 6]), SUBSTITUTE, 1.0),
        (place_of_first, "int:0:9", ([0, 3], [9, 3]), SUBSTITUTE, 20.0),
        (paths, "u=int:0:9,v=int:0:9", ([], [{"u": 0, "v": 1}]), ADD, 8.0),
        (sum, "int:0:9", ([1], [2]), relation_named("l1:3"), 3.0),
    ],
)
def test_steps_up_lead_to_large_losses(
    value: Callable[[list[Any]], float],
    spec: str,
    pair: tuple[list[Any], list[Any]],
    relation: AnyRelation,
    least: float,
) -> None:
    top, _ = climbed(value, spec, *pair, relation)
    assert loss(top, value) >= least


@pytest.mark.parametrize("value", [len, lambda records: 0.0])
def test_where_no_pair_loses_more_the_first_stays(value: Callable[[list[Any]], float]) -> None:
    top, oracle = climbed(value, "int:0:9", [3], [3, 3])
    assert (records_of(top.dataset), records_of(top.neighbor)) == ([3], [3, 3])
    assert len(oracle.asked) < 70


def test_no_more_is_asked_than_is_allowed_and_no_dataset_grows_without_end() -> None:
    _, oracle = climbed(equal_pairs, "int:0:9", [3], [3, 3], runs=320)
    assert oracle.left >= 0
    assert len(oracle.asked) <= 10
    top, _ = climbed(equal_pairs, "int:0:9", [3], [3, 3])
    assert len(top.neighbor) <= 2 * MOST_RECORDS + 1


def test_a_larger_loss_than_a_certain_one_is_not_looked_for() -> None:
    domain, oracle = parse_domain("int:0:9"), Known(lambda pair: 0.5, left=RUNS)
    start = neighboring("S", np.array([3]), np.array([3, 3]), ADD)
    assert Climber(domain, Hunt(oracle, 0), 32).climbed(start) is start
    assert len(oracle.asked) == 1


def test_the_smallest_and_the_worst_are_found() -> None:
    growth = losing(lambda records: 12.0 * equal_pairs(records))
    found = search_pairs(
        Known(growth), parse_domain("int:0:9"), ADD, Appetite.of(400_000, many=True), 0
    )
    smallest, *others = found.pairs
    assert found.refuted
    assert len(smallest.neighbor) <= 3
    assert max(map(growth, others)) > 1.5 * growth(smallest)


def test_a_loss_that_only_many_steps_lead_to_is_found() -> None:
    def growth(pair: Pair) -> float:
        change = loss(pair, longest)
        return 0.05 if change >= 12 else change / 10**6

    domain, appetite = parse_domain("int:-100:4000"), Appetite.of(400_000, many=True)
    assert search_pairs(Known(growth), domain, ADD, appetite, 0).refuted
    blind = Known(lambda pair: 0.05 if loss(pair, longest) >= 12 else 0.0)
    assert not search_pairs(blind, domain, ADD, appetite, 0).refuted


def test_within_a_distance_steps_stay_there() -> None:
    relation = relation_named("l1:3")
    assert isinstance(relation, Within)
    top, _ = climbed(sum, "int:0:9", [1], [2], relation)
    assert abs(int(np.sum(top.dataset)) - int(np.sum(top.neighbor))) <= 3
