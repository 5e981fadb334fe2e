"""Domains that do not fit are told from flaws that show in failures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from audit.neighbors.domain import parse_domain
from audit.neighbors.search.find import search_pairs
from audit.neighbors.search.search_result import Appetite, Found, Misfit
from audit.relation import Relation
from tests.oracles import Known, told_apart

ADD, SUBSTITUTE = Relation.ADD_REMOVE, Relation.SUBSTITUTE


def search(kind: Callable[[Any], str], spec: str = "int:0:9", relation: Relation = ADD) -> Found:
    appetite = Appetite.of(100_000, many=False)
    return search_pairs(Known(told_apart(kind), kind), parse_domain(spec), relation, appetite, 0)


def misfit(kind: Callable[[Any], str], relation: Relation = ADD) -> Misfit:
    found = search(kind, relation=relation)
    assert found.misfit is not None
    assert found.pairs == ()
    assert not found.refuted
    return found.misfit


def failing_with_records(data: Any) -> str:
    return "raised KeyError" if len(data) else "float"


def test_a_black_box_that_fails_on_all_records_does_not_fit() -> None:
    found = misfit(failing_with_records)
    assert not found.everywhere
    assert str(found).startswith("does the domain int:0:9 fit? No dataset with records ")
    assert str(found).endswith("every run on [9] ended in KeyError")


def test_one_that_fails_in_several_ways_on_all_records_does_not_fit_either() -> None:
    def kind(data: Any) -> str:
        return f"raised {'KeyError' if data.sum() > 5 else 'ValueError'}" if len(data) else "float"

    assert not misfit(kind).everywhere
    assert not misfit(kind, SUBSTITUTE).everywhere


@pytest.mark.parametrize("relation", [ADD, SUBSTITUTE])
def test_one_that_fails_everywhere_in_the_same_way_is_known_as_such(relation: Relation) -> None:
    assert misfit(lambda data: "raised KeyError", relation).everywhere


@pytest.mark.parametrize(
    "kind",
    [
        lambda data: "raised ValueError" if len(data) == 0 else "float",
        lambda data: "raised ValueError" if len(data) and data.max() == 9 else "float",
        lambda data: "raised ValueError" if 0 < len(data) < 900 else "float",
        lambda data: "raised ValueError" if len(data) > 3 else "float",
    ],
    ids=["empty", "one extreme record", "too few", "too many"],
)
def test_failures_on_some_datasets_only_are_flaws(kind: Callable[[Any], str]) -> None:
    found = search(kind)
    assert found.misfit is None
    assert found.refuted


@pytest.mark.slow
def test_where_nothing_fails_the_domain_fits() -> None:
    found = search(lambda data: "float")
    assert found.misfit is None
    assert found.pairs


def test_the_search_ends_soon_where_the_domain_does_not_fit() -> None:
    assert search(failing_with_records).tried == 1
