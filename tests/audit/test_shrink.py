"""A refuted pair shrinks to the fewest and simplest records on which the claim still falls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.random import Generator
from numpy.typing import NDArray

from audit.blackbox.python import PythonBlackBox
from audit.claim import PureDP
from audit.declaration import Relation
from audit.domain import Domain, parse_domain
from audit.neighbors import Pair, check_pair, neighboring
from audit.neighbors.rows import records_of
from audit.probe import Probe
from audit.sampling import Sampler
from audit.shrink import Shrinker

ADD, SUBSTITUTE, USER = Relation.ADD_REMOVE, Relation.SUBSTITUTE, Relation.USER
Mechanism = Callable[[Any, Generator], Any]


def shrinker(
    function: Mechanism, domain: Domain, pair: Pair, limit: int = 10**6, runs: int = 100
) -> Shrinker:
    probe = Probe(PureDP(1.0), 0.001, Sampler.of(PythonBlackBox(function), 0), limit)
    return Shrinker(pair, runs, domain, probe)


def shrunk(
    function: Mechanism, spec: str, left: list[Any], right: list[Any], relation: Relation = ADD
) -> tuple[list[Any], list[Any]]:
    domain = parse_domain(spec)
    user = "user" if relation is USER else None
    pair = neighboring("P", domain.dataset(left), domain.dataset(right), relation, user)
    check_pair(pair, domain)
    found = shrinker(function, domain, pair).shrunk()
    check_pair(found, domain)
    return records_of(found.dataset), records_of(found.neighbor)


def present(wanted: Callable[[Any], bool], scale: float = 1.0) -> Mechanism:
    """Tells exactly how many records are wanted, where scale is 0."""

    def release(data: Any, rng: Generator) -> float:
        return sum(map(wanted, records_of(data))) + scale * float(rng.laplace())

    return release


def test_common_records_that_do_not_matter_go_and_values_fall() -> None:
    release = present(lambda age: age > 25, scale=0.0)
    left = [3, 90, 27, 27, 27, 0, 55]
    assert shrunk(release, "int:0:100", left, [*left[:2], 81, *left[2:]]) == ([], [26])


def test_common_records_that_matter_stay() -> None:
    def median(data: NDArray[np.int64], rng: Generator) -> float:
        return float(np.median(data)) if len(data) > 2 else 1e3 * float(rng.laplace())

    left, right = shrunk(median, "int:0:100", [9, 9, 9, 0, 70], [9, 9, 9, 0, 70, 70])
    assert (left, right) == ([0, 0], [0, 0, 0])


def test_long_runs_shrink_to_the_length_that_is_needed() -> None:
    def enough(data: NDArray[np.int64], rng: Generator) -> bool:
        return bool(data.sum() >= 300)

    assert shrunk(enough, "int:0:1", [1] * 299 + [0] * 900, [1] * 300 + [0] * 900) == (
        [1] * 299,
        [1] * 300,
    )


def test_both_sides_of_a_substitution_get_simpler() -> None:
    def above(data: NDArray[np.int64], rng: Generator) -> int:
        return int((data > 10).sum())

    assert shrunk(above, "int:0:100", [5, 99, 3], [5, 7, 3], SUBSTITUTE) == ([11], [0])


def test_a_user_keeps_no_more_rows_than_needed() -> None:
    def busy(data: pd.DataFrame, rng: Generator) -> bool:
        return bool((data["user"].value_counts() >= 3).any())

    other, mine = {"user": 4, "v": 1}, {"user": 0, "v": 1}
    left, right = shrunk(
        busy, "user=user:5,v=int:0:9", [other] * 2, [*[other] * 2, *[mine] * 5], USER
    )
    assert left == []
    assert right == [{"user": 0, "v": 0}] * 3


def test_columns_get_simpler() -> None:
    release = present(lambda row: bool(row["age"] >= 65), scale=0.0)
    left, right = shrunk(release, "age=int:0:120,sex=choice:f,m", [], [{"age": 99, "sex": "m"}])
    assert (left, right) == ([], [{"age": 65, "sex": "f"}])


def test_text_gets_simpler() -> None:
    release = present(lambda word: word != "a", scale=0.0)
    assert shrunk(release, "choice:a,b,c", ["c", "a"], ["c", "a", "c"]) == ([], ["b"])


def test_what_cannot_be_refuted_does_not_shrink() -> None:
    release = present(lambda age: True, scale=1.0)
    left = [1, 2, 3]
    assert shrunk(release, "int:0:9", left, [*left, 4]) == (left, [*left, 4])


def far_pair() -> tuple[Domain, Pair]:
    domain = parse_domain("int:0:100")
    return domain, neighboring("P", np.array([7] * 4), np.array([7] * 4 + [90]), ADD)


def test_the_same_pair_shrinks_the_same_way() -> None:
    domain, pair = far_pair()
    release = present(lambda age: age > 25, scale=0.3)
    both = [shrinker(release, domain, pair) for _ in range(2)]
    found = [records_of(one.shrunk().neighbor) for one in both]
    assert found[0] == found[1]
    assert both[0].probe.sampler.samples == both[1].probe.sampler.samples
    assert both[0].steps == both[1].steps > 0


@pytest.mark.parametrize("limit", [0, 150, 600])
def test_it_stays_within_its_budget(limit: int) -> None:
    domain, pair = far_pair()
    small = shrinker(present(lambda age: age > 25, scale=0.0), domain, pair, limit)
    found = small.shrunk()
    check_pair(found, domain)
    assert small.probe.sampler.samples <= limit
    assert (found is pair) == (limit == 0)
