"""Pairs taken apart into runs of equal records, and put together again."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from audit.neighbors import neighboring
from audit.neighbors.domain import parse_domain
from audit.neighbors.rows import keys_of
from audit.neighbors.search.local_search import Run, pair_of, runs_of
from audit.neighbors.search.strategies import pairs
from audit.relation import Relation

ADD, SUBSTITUTE, USER = Relation.ADD_REMOVE, Relation.SUBSTITUTE, Relation.USER


@pytest.mark.parametrize(
    ("spec", "relation"),
    [
        ("int:0:2", ADD),
        ("float", SUBSTITUTE),
        ("choice:a,b", SUBSTITUTE),
        ("user=user:2,v=bool", ADD),
        ("user=user:2,v=bool", SUBSTITUTE),
        ("user=user,v=int:0:1", USER),
    ],
)
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(draw=st.data())
def test_taking_apart_loses_nothing(spec: str, relation: Relation, draw: st.DataObject) -> None:
    domain = parse_domain(spec)
    pair = draw.draw(pairs(domain, relation, max_size=8))
    runs = runs_of(pair, domain)
    again = pair_of(runs, pair, domain)
    assert keys_of(again.dataset) == keys_of(pair.dataset)
    assert keys_of(again.neighbor) == keys_of(pair.neighbor)
    assert again.difference == pair.difference
    if relation is not USER:
        assert sum(run.length for run in runs if not run.common) == 1


def test_equal_neighbors_make_one_run() -> None:
    left, right = np.array([5, 5, 1, 5]), np.array([5, 5, 5, 1, 5])
    runs = runs_of(neighboring("P", left, right, ADD), parse_domain("int:0:9"))
    assert runs == (Run((5,), (5,), 2), Run((), (5,)), Run((1,), (1,)), Run((5,), (5,)))
