"""A refuted pair shrinks to the fewest and simplest records on which the claim still falls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

from audit.errors import OutcomeError
from audit.neighbors import Pair, check_pair, neighboring
from audit.neighbors.domain import Domain, parse_domain
from audit.neighbors.rows import records_of
from audit.neighbors.search.oracle import Unreadable
from audit.neighbors.search.shrink import Shrinker, Trial
from audit.relation import Relation, relation_named
from tests.oracles import Known, told_apart

ADD, SUBSTITUTE, USER = Relation.ADD_REMOVE, Relation.SUBSTITUTE, Relation.USER
Value = Callable[[Any], Any]
"""What a mechanism gives away as it is."""


def shrunk(
    value: Value, spec: str, left: list[Any], right: list[Any], relation: Relation = ADD
) -> tuple[list[Any], list[Any]]:
    domain = parse_domain(spec)
    user = "user" if relation is USER else None
    pair = neighboring("P", domain.dataset(left), domain.dataset(right), relation, user)
    check_pair(pair, domain)
    found = Shrinker(pair, domain, Trial(100, Known(told_apart(value), left=10**6))).shrunk()
    check_pair(found, domain)
    return records_of(found.dataset), records_of(found.neighbor)


def number_of(wanted: Callable[[Any], bool]) -> Value:
    return lambda data: sum(map(wanted, records_of(data)))


def test_common_records_that_do_not_matter_go_and_values_fall() -> None:
    release = number_of(lambda age: age > 25)
    left = [3, 90, 27, 27, 27, 0, 55]
    assert shrunk(release, "int:0:100", left, [*left[:2], 81, *left[2:]]) == ([], [26])


def test_common_records_that_matter_stay() -> None:
    def median(data: NDArray[np.int64]) -> float | None:
        return float(np.median(data)) if len(data) > 2 else None

    left, right = shrunk(median, "int:0:100", [9, 9, 9, 0, 70], [9, 9, 9, 0, 70, 70])
    assert (left, right) == ([0, 0], [0, 0, 0])


def test_long_runs_shrink_to_the_length_that_is_needed() -> None:
    def enough(data: NDArray[np.int64]) -> bool:
        return bool(data.sum() >= 300)

    assert shrunk(enough, "int:0:1", [1] * 299 + [0] * 900, [1] * 300 + [0] * 900) == (
        [1] * 299,
        [1] * 300,
    )


def test_both_sides_of_a_substitution_get_simpler() -> None:
    def above(data: NDArray[np.int64]) -> int:
        return int((data > 10).sum())

    assert shrunk(above, "int:0:100", [5, 99, 3], [5, 7, 3], SUBSTITUTE) == ([11], [0])


def test_a_user_keeps_no_more_rows_than_needed() -> None:
    def busy(data: pd.DataFrame) -> bool:
        return bool((data["user"].value_counts() >= 3).any())

    other, mine = {"user": 4, "v": 1}, {"user": 0, "v": 1}
    left, right = shrunk(
        busy, "user=user:5,v=int:0:9", [other] * 2, [*[other] * 2, *[mine] * 5], USER
    )
    assert left == []
    assert right == [{"user": 0, "v": 0}] * 3


def test_columns_get_simpler() -> None:
    release = number_of(lambda row: bool(row["age"] >= 65))
    left, right = shrunk(release, "age=int:0:120,sex=choice:f,m", [], [{"age": 99, "sex": "m"}])
    assert (left, right) == ([], [{"age": 65, "sex": "f"}])


def test_text_gets_simpler() -> None:
    release = number_of(lambda word: bool(word != "a"))
    assert shrunk(release, "choice:a,b,c", ["c", "a"], ["c", "a", "c"]) == ([], ["b"])


def test_pairs_shrink_to_as_many_records_as_the_domain_wants() -> None:
    release = number_of(lambda value: value > 5)
    left, right = [0, 3, 9] * 4, [0, 3, 9] * 3 + [0, 3, 0]
    assert shrunk(release, "int:0:9[12]", left, right, SUBSTITUTE) == ([0] * 11 + [6], [0] * 12)
    left, right = shrunk(release, "int:0:9[4..]", [0, 3, 9] * 4, [0, 3, 9] * 4 + [9])
    assert (len(left), len(right)) == (4, 5)


def test_what_cannot_be_refuted_does_not_shrink() -> None:
    left = [1, 2, 3]
    assert shrunk(lambda data: None, "int:0:9", left, [*left, 4]) == (left, [*left, 4])


def test_a_pair_that_needs_many_more_runs_is_not_taken_for_a_smaller_one() -> None:
    """Only what is refuted in four times the runs counts."""

    def growth(pair: Pair) -> float:
        return 0.07 if len(pair.dataset) > 1 else 0.01

    domain = parse_domain("bool")
    pair = neighboring("P", np.array([True] * 5), np.array([True] * 6), ADD)
    found = Shrinker(pair, domain, Trial(200, Known(growth, left=10**6))).shrunk()
    assert len(found.dataset) == 2


def test_a_pair_is_looked_at_as_smaller_ones_are() -> None:
    domain, pair = far_pair()
    oracle = Known(told_apart(len), left=10**6)
    Shrinker(pair, domain, Trial(100, oracle)).shrunk()
    assert pair not in oracle.asked
    assert records_of(oracle.asked[0].neighbor) == records_of(pair.neighbor)


def test_pairs_that_cannot_be_read_are_no_smaller_ones() -> None:
    def growth(pair: Pair) -> float:
        if len(pair.dataset) < 3:
            raise Unreadable(OutcomeError("too few"))
        return 0.5

    domain, pair = far_pair()
    found = Shrinker(pair, domain, Trial(100, Known(growth, left=10**6))).shrunk()
    assert len(found.dataset) == 3


def far_pair() -> tuple[Domain, Pair]:
    domain = parse_domain("int:0:100")
    return domain, neighboring("P", np.array([7] * 4), np.array([7] * 4 + [90]), ADD)


@pytest.mark.parametrize("limit", [0, 150, 600])
def test_it_stays_within_its_budget(limit: int) -> None:
    domain, pair = far_pair()
    release = number_of(lambda age: age > 25)
    oracle = Known(told_apart(release), left=limit)
    found = Shrinker(pair, domain, Trial(100, oracle)).shrunk()
    check_pair(found, domain)
    assert oracle.left >= 0
    assert (found is pair) == (limit == 0)


def test_vectors_shrink_within_their_distance() -> None:
    def total(data: NDArray[np.float64]) -> float:
        return float(data.sum() // 2)

    domain, relation = parse_domain("float:0:10"), relation_named("l1:2")
    left, right = np.array([4.0, 7.0, 1.0, 3.0]), np.array([4.5, 7.5, 1.5, 3.5])
    pair = neighboring("P", left, right, relation)
    found = Shrinker(pair, domain, Trial(100, Known(told_apart(total), left=10**6))).shrunk()
    check_pair(found, domain)
    assert (found.dataset.tolist(), found.neighbor.tolist()) in (([0.0], [2.0]), ([2.0], [0.0]))
