"""Thresholds in the number of records are found wherever they are."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest
from numpy.random import Generator

from audit.blackbox.python import PythonBlackBox
from audit.claim import PureDP
from audit.declaration import Relation
from audit.domain import parse_domain
from audit.edges import size_edges
from audit.neighbors import check_pair
from audit.probe import Probe
from audit.sampling import Sampler


def edges(function: object, spec: str, relation: Relation, limit: int = 10_000) -> list[int]:
    domain = parse_domain(spec)
    probe = Probe(PureDP(1.0), 0.001, Sampler.of(PythonBlackBox(function), 0), limit)
    found = list(size_edges(probe, domain, relation))
    for pair in found:
        check_pair(pair, domain)
    return [len(pair.dataset) for pair in found]


@pytest.mark.parametrize("threshold", [1, 2, 3, 37, 1000, 1492])
def test_a_threshold_is_found_for_every_kind_of_record(threshold: int) -> None:
    def hidden_when_few(data: Any, rng: Generator) -> float | None:
        return rng.normal() if len(data) >= threshold else None

    found = edges(hidden_when_few, "int:0:5", Relation.ADD_REMOVE)
    assert found.count(threshold - 1) >= 2
    assert set(found) == {threshold - 1}


def test_two_thresholds_are_found() -> None:
    def between(data: Any, rng: Generator) -> float | str:
        return "few" if len(data) < 10 else "many" if len(data) > 300 else rng.normal()

    assert set(edges(between, "bool", Relation.ADD_REMOVE)) == {9, 300}


def test_only_records_that_count_do() -> None:
    def hidden_when_few(data: Any, rng: Generator) -> float | None:
        return rng.normal() if data.sum() > 70 else None

    assert set(edges(hidden_when_few, "int:0:1", Relation.ADD_REMOVE)) == {70, 71}


def test_users_cross_a_threshold_with_one_row_each() -> None:
    def hidden_when_few(data: pd.DataFrame, rng: Generator) -> float | None:
        return rng.normal() if data["user"].nunique() >= 20 else None

    assert set(edges(hidden_when_few, "user=user:3,v=bool", Relation.USER)) == {19}


def noisy(data: Any, rng: Generator) -> float:
    return len(data) + rng.normal()


def test_nothing_is_found_where_there_is_nothing() -> None:
    assert edges(noisy, "int:0:5", Relation.ADD_REMOVE) == []
    assert edges(noisy, "int:0:5", Relation.SUBSTITUTE) == []
    assert edges(noisy, "int:0:5", Relation.ADD_REMOVE, limit=0) == []
