"""`audit.given_neighbors`: neighboring datasets for tests of one's own."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, settings

import audit
from audit.neighbors import check_pair, neighboring
from audit.neighbors.domain import parse_domain
from audit.relation import relation_named

calm = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize(
    ("domain", "relation"),
    [
        ("int:0:9", "add-remove"),
        ("float:0:1", "substitute"),
        ("float:0:1[4]", "substitute"),
        ("choice:a,b", "add-remove"),
        ("age=int:0:120,sex=choice:f,m", "add-remove"),
        ("float:-1:1[3]", "l1:1"),
    ],
)
def test_every_pair_is_of_neighbors(domain: str, relation: str) -> None:
    seen: list[bool] = []

    @calm
    @audit.given_neighbors(domain=domain, relation=relation)
    def tried(data: Any, neighbor: Any) -> None:
        pair = neighboring("S", data, neighbor, relation_named(relation))
        check_pair(pair, parse_domain(domain))
        seen.append(True)

    tried()
    assert len(seen) > 20


def test_what_fails_for_some_pair_is_found_and_made_small() -> None:
    found: list[tuple[Any, Any]] = []

    @calm
    @audit.given_neighbors(domain="int:0:100")
    def moves_by_ten_at_most(data: Any, neighbor: Any) -> None:
        if abs(data.sum() - neighbor.sum()) > 10:
            found.append((data.tolist(), neighbor.tolist()))
            raise AssertionError

    with pytest.raises(AssertionError):
        moves_by_ten_at_most()
    assert sorted(found[-1], key=len) == [[], [11]]


def test_two_tests_do_not_share_their_pairs() -> None:
    @calm
    @audit.given_neighbors(domain="bool")
    def outer(data: Any, neighbor: Any) -> None:
        assert data.dtype == bool

    @calm
    @audit.given_neighbors(domain="int:5:6")
    def other(data: Any, neighbor: Any) -> None:
        assert set(data.tolist()) <= {5, 6}

    outer()
    other()


@pytest.mark.parametrize(
    ("domain", "relation"), [("int:0", "add-remove"), ("bool", "no"), ("bool", "declared")]
)
def test_what_has_no_neighbors_is_refused(domain: str, relation: str) -> None:
    with pytest.raises(audit.errors.InputError):
        audit.given_neighbors(domain=domain, relation=relation)
