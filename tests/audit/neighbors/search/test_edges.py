"""Thresholds in the number of records are found wherever they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

from audit.errors import OutcomeError
from audit.neighbors import check_pair
from audit.neighbors.domain import parse_domain
from audit.neighbors.search.find import size_edges
from audit.neighbors.search.oracle import Unreadable
from audit.relation import Relation
from tests.oracles import Known


def edges(kind: Callable[[Any], str], spec: str, relation: Relation) -> list[int]:
    domain = parse_domain(spec)
    found = list(size_edges(Known(kind=kind), domain, relation))
    for pair in found:
        check_pair(pair, domain)
    return [len(pair.dataset) for pair in found]


@pytest.mark.parametrize("threshold", [1, 2, 3, 37, 1000, 1492])
def test_a_threshold_is_found_for_every_kind_of_record(threshold: int) -> None:
    def hidden_when_few(data: Any) -> str:
        return "float" if len(data) >= threshold else "None"

    found = edges(hidden_when_few, "int:0:5", Relation.ADD_REMOVE)
    assert found.count(threshold - 1) >= 2
    assert set(found) == {threshold - 1}


def test_two_thresholds_are_found() -> None:
    def between(data: Any) -> str:
        return "few" if len(data) < 10 else "many" if len(data) > 300 else "float"

    assert set(edges(between, "bool", Relation.ADD_REMOVE)) == {9, 300}


def test_only_records_that_count_do() -> None:
    def hidden_when_few(data: Any) -> str:
        return "float" if data.sum() > 70 else "None"

    assert set(edges(hidden_when_few, "int:0:1", Relation.ADD_REMOVE)) == {70, 71}


def test_users_cross_a_threshold_with_one_row_each() -> None:
    def hidden_when_few(data: pd.DataFrame) -> str:
        return "float" if data["user"].nunique() >= 20 else "None"

    assert set(edges(hidden_when_few, "user=user:3,v=bool", Relation.USER)) == {19}


def test_only_sizes_that_the_domain_admits_are_tried() -> None:
    asked: list[int] = []

    def hidden_when_few(data: Any) -> str:
        asked.append(len(data))
        return "float" if len(data) >= 10 else "None"

    assert set(edges(hidden_when_few, "bool[3..300]", Relation.ADD_REMOVE)) == {9}
    assert (min(asked), max(asked)) == (3, 300)
    assert edges(hidden_when_few, "bool[10..300]", Relation.ADD_REMOVE) == []


def test_nothing_is_found_where_there_is_nothing() -> None:
    assert edges(lambda data: "float", "int:0:5", Relation.ADD_REMOVE) == []
    assert edges(lambda data: "float", "int:0:5", Relation.SUBSTITUTE) == []


def test_nothing_is_looked_for_beyond_what_cannot_be_read() -> None:
    asked: list[int] = []

    def unreadable_from_40(data: Any) -> str:
        asked.append(len(data))
        if len(data) >= 40:
            raise Unreadable(OutcomeError("too much"))
        return "float" if len(data) >= 10 else "None"

    assert set(edges(unreadable_from_40, "bool", Relation.ADD_REMOVE)) == {9}
    assert max(asked) <= 65


@pytest.mark.parametrize("threshold", [5, 29, 300])
def test_a_size_from_which_on_outputs_lie_elsewhere_is_found(threshold: int) -> None:
    def stepped(data: Any) -> float:
        return len(data) + 3.0 * (len(data) >= threshold)

    found = list(size_edges(Known(middle=stepped), parse_domain("int:0:5"), Relation.ADD_REMOVE))
    assert {len(pair.dataset) for pair in found} == {threshold - 1}


@pytest.mark.parametrize("middle", [len, lambda data: 0.0, lambda data: float(data.sum())])
def test_what_changes_alike_from_every_size_to_the_next_has_no_edge(
    middle: Callable[[Any], float],
) -> None:
    domain = parse_domain("int:0:5")
    assert list(size_edges(Known(middle=middle), domain, Relation.ADD_REMOVE)) == []
