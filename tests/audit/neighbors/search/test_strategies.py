"""Generated pairs are neighbors, come in all shapes and shrink to the simplest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, find, given, settings
from hypothesis import strategies as st

from audit.errors import InputError
from audit.neighbors import Pair, check_pair, shown
from audit.neighbors.difference import change
from audit.neighbors.domain import parse_domain
from audit.neighbors.rows import records_of
from audit.neighbors.search.strategies import _Space, pairs, records
from audit.relation import Relation

ADD, SUBSTITUTE, USER = Relation.ADD_REMOVE, Relation.SUBSTITUTE, Relation.USER
SPECS = (
    "int:0:1",
    "int:5:100",
    "int",
    "float:-1:1",
    "float",
    "float:0:inf",
    "choice:a,b,c",
    "choice:1,2",
    "bool",
    "age=int:0:120,sex=choice:f,m",
    "user=user:2,v=int:0:9",
    "user=user,v=float",
    "int:0:9[37]",
    "float:0:1[1024]",
    "bool[2..3]",
    "choice:a,b[5..]",
    "user=user:3,v=bool[4..30]",
)
FIXED = ("int:0:9[37]", "float:0:1[1024]")
WITH_USERS = tuple(spec for spec in SPECS if "user" in spec)


@pytest.mark.parametrize("spec", SPECS)
@settings(max_examples=15)
@given(draw=st.data())
def test_records_and_datasets_lie_in_the_domain(spec: str, draw: st.DataObject) -> None:
    domain = parse_domain(spec)
    assert domain.contains(draw.draw(records(domain)))
    data = draw.draw(_Space(domain, 5).lists().map(domain.dataset))
    assert len(data) <= max(5, domain.sizes.least + 5)
    assert domain.sizes.admits(len(data))
    assert all(map(domain.contains, records_of(data)))


@pytest.mark.parametrize(
    ("spec", "relation"),
    [
        (spec, relation)
        for spec in SPECS
        for relation in (ADD, SUBSTITUTE)
        if relation is SUBSTITUTE or spec not in FIXED
    ]
    + [(spec, USER) for spec in WITH_USERS],
)
@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(draw=st.data())
def test_every_generated_pair_is_neighboring(
    spec: str, relation: Relation, draw: st.DataObject
) -> None:
    domain = parse_domain(spec)
    pair = draw.draw(pairs(domain, relation, max_size=6))
    check_pair(pair, domain)
    assert not change(pair.dataset, pair.neighbor).moved
    assert len(pair.neighbor) <= max(6, domain.sizes.least + 6)
    assert type(pair.dataset) is type(pair.neighbor)
    if isinstance(pair.dataset, np.ndarray):
        assert pair.dataset.dtype == pair.neighbor.dtype


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "relation", "condition", "minimal"),
    [
        ("int:0:100", ADD, lambda p: True, ([], [0])),
        ("int:-5:100", SUBSTITUTE, lambda p: True, ([0], [1])),
        ("choice:a,b,c", SUBSTITUTE, lambda p: True, (["a"], ["b"])),
        ("int:0:100", ADD, lambda p: p.neighbor.max() >= 37, ([], [37])),
        ("int:0:100", ADD, lambda p: len(p.dataset) >= 3, ([0, 0, 0], [0, 0, 0, 0])),
        ("float", ADD, lambda p: np.isnan(p.neighbor).any(), ([], ["nan"])),
        (
            "int:0:9",
            SUBSTITUTE,
            lambda p: len(p.dataset) >= 2 and p.dataset.max() == 0 and p.neighbor.max() >= 5,
            ([0, 0], [0, 5]),
        ),
        (
            "user=user:5,v=int:0:9",
            USER,
            lambda p: len(p.neighbor) - len(p.dataset) >= 2,
            ([], [{"user": 0, "v": 0}, {"user": 0, "v": 0}]),
        ),
    ],
)
def test_pairs_shrink_to_the_fewest_and_simplest_records(
    spec: str, relation: Relation, condition: Callable[[Pair], Any], minimal: tuple[Any, Any]
) -> None:
    found = find(
        pairs(parse_domain(spec), relation),
        lambda pair: bool(condition(pair)),
        settings=settings(max_examples=300, database=None, derandomize=True),
    )
    assert (shown(found.dataset), shown(found.neighbor)) == minimal


@pytest.mark.slow
@pytest.mark.parametrize(
    "condition",
    [
        lambda p: len(p.dataset) >= 8 and len(set(p.dataset.tolist())) == 1,
        lambda p: len(p.dataset) >= 3 and p.dataset.max() == 0 and p.neighbor.max() == 100,
        lambda p: len(p.dataset) >= 4 and p.neighbor[0] != p.dataset[0],
    ],
)
def test_rare_shapes_are_found(condition: Callable[[Pair], bool]) -> None:
    find(
        pairs(parse_domain("int:0:100"), ADD),
        condition,
        settings=settings(max_examples=3000, database=None, derandomize=True),
    )


@pytest.mark.parametrize(
    ("spec", "relation", "complaint"),
    [
        ("int:0:1", Relation.DECLARED, "`neighbors`"),
        ("int:0:1", USER, "`domain`"),
        ("choice:a", SUBSTITUTE, "widen it"),
        ("int:0:9[37]", ADD, r"substitute'`, or a range such as \[37..38\]"),
        ("user=user,v=bool[2]", USER, "fixes the number of records"),
    ],
)
def test_pairs_that_cannot_exist_are_refused(spec: str, relation: Relation, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        pairs(parse_domain(spec), relation)


@pytest.mark.slow
def test_a_strategy_from_a_file_is_used_as_it_is(tmp_path: Any) -> None:
    file = tmp_path / "vector_records.py"
    file.write_text(
        "from hypothesis import strategies as st\n"
        "vectors = st.lists(st.integers(0, 3), min_size=2, max_size=2)\n"
    )
    domain = parse_domain(f"{file}:vectors")
    found = find(pairs(domain, SUBSTITUTE), lambda pair: pair.dataset.shape == (2, 2))
    check_pair(found, domain)
    assert found.neighbor.tolist() == [[0, 0], [0, 1]]
