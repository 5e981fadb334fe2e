"""Whatever stands behind --domain describes records that can be made, or is refused in one line."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.errors import DomainError
from audit.neighbors.domain import Domain, TableDomain, parse_domain
from audit.neighbors.worst import candidates
from audit.relation import Relation

from .examples import examples
from .refusals import clear
from .words import mutated, numerals, words

SPECS = (
    "int",
    "int:0:100",
    "int:-inf:1e6",
    "int::",
    "float",
    "float:-1:1",
    "float:0:inf",
    "choice:a,b,c",
    "choice:1,2",
    "choice:0.5,1e3",
    "bool",
    "user:5",
    "age=int:0:120,sex=choice:f,m",
    "user=user:5,spent=float:0:9",
    "who=user,ok=bool,n=int",
    "records.py:rows",
    "records.py:numbers",
    "records.py:broken",
    "records.py:nothing",
)
STRATEGIES = """
from hypothesis import strategies as st
numbers = st.integers(0, 9)
rows = st.fixed_dictionaries({"a": st.booleans()})
nothing = st.nothing()
broken = st.integers().map(lambda x: 1 // 0)
"""

columns = st.tuples(words, st.sampled_from(SPECS)).map("=".join)
bounds = st.tuples(st.sampled_from(["int", "float", "user", "choice", "bool"]), words, words)
users = numerals.map("user=user:{},value=bool".format)
specs = (
    st.sampled_from(SPECS)
    | users
    | mutated(st.sampled_from(SPECS))
    | st.lists(columns, min_size=1, max_size=4).map(",".join)
    | bounds.map(":".join)
    | st.lists(numerals, max_size=4).map(",".join).map("choice:{}".format)
    | words
)


@pytest.fixture(autouse=True)
def _strategies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "records.py").write_text(STRATEGIES)


def domain_of(spec: str) -> Domain | None:
    """The domain with its ends known, None where it is refused in one line."""
    try:
        domain = parse_domain(spec)
        assert domain.ends is not None  # a strategy is loaded only now
    except DomainError as error:
        clear(str(error))
        return None
    return domain


@examples(250)
@given(specs)
def test_a_domain_makes_its_own_records_or_is_refused(spec: str) -> None:
    domain = domain_of(spec)
    if domain is None:
        return
    for record in (*domain.ends, *domain.extremes):
        assert domain.contains(record)
        assert domain.contains(domain.opposite(record))
        assert len(domain.dataset([record, record])) == 2
    assert len(domain.dataset([])) == 0


@pytest.mark.slow
@examples(150)
@given(specs)
def test_the_notation_of_a_domain_is_read_as_the_same_domain(spec: str) -> None:
    domain = domain_of(spec)
    if domain is not None:
        assert parse_domain(str(domain)) == domain


@examples(40)
@given(specs, st.sampled_from(list(Relation)))
def test_neighbors_of_every_domain_stay_inside_of_it(spec: str, relation: Relation) -> None:
    domain = domain_of(spec)
    if domain is None or (relation is Relation.USER and getattr(domain, "user", None) is None):
        return
    users = isinstance(domain, TableDomain) and relation is Relation.USER
    for left, right in candidates(domain, relation):
        assert users or abs(len(left) - len(right)) <= 1
        assert all(map(domain.contains, (*left[-3:], *right[-3:])))
