"""What is bet on anyway: the simplest pair, and numbers that all move at once."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.random import Generator
from numpy.typing import NDArray

from audit.blackbox.python import PythonBlackBox
from audit.case import Budget, Settings
from audit.errors import OutcomeError
from audit.neighbors.domain import parse_domain
from audit.neighbors.rows import records_of
from audit.neighbors.search.find import search_pairs
from audit.neighbors.search.search_result import Appetite, LeftOut, bet_on_anyway, name_of
from audit.neighbors.worst import worst_pairs
from audit.relation import relation_named
from audit.sampling.sampler import Sampler
from tests.oracles import Known
from tests.sources import find_worst


@pytest.mark.parametrize(("name", "step"), [("l2:1", 0.5), ("linf:0.5", 0.5)])
def test_the_longest_vector_that_moves_as_a_whole_is_among_them(name: str, step: float) -> None:
    relation = relation_named(name)
    listed = worst_pairs(parse_domain("float:0:1[4]"), relation)
    simplest, together = bet_on_anyway(listed, relation, [])
    assert simplest is listed[0]
    assert np.abs(together.neighbor - together.dataset).tolist() == [step] * 4
    longer = worst_pairs(parse_domain("float:0:1"), relation)
    assert len(bet_on_anyway(longer, relation, [])[1].dataset) == 20


@pytest.mark.parametrize("name", ["l1:1", "changes:2", "substitute"])
def test_other_relations_have_the_simplest_alone(name: str) -> None:
    relation = relation_named(name)
    listed = worst_pairs(parse_domain("float:0:1[4]"), relation)
    assert bet_on_anyway(listed, relation, []) == [listed[0]]


def test_what_cannot_be_bet_on_is_not_among_them() -> None:
    relation = relation_named("l2:1")
    listed = worst_pairs(parse_domain("float:0:1[4]"), relation)
    left_out = [LeftOut(pair, OutcomeError("too many"), False) for pair in listed]
    assert bet_on_anyway(listed, relation, left_out) == []
    (simplest,) = bet_on_anyway(listed[:1], relation, [])
    assert simplest is listed[0]


def test_a_search_that_finds_nothing_says_to_bet_on_them() -> None:
    domain, relation = parse_domain("float:0:1[4]"), relation_named("l2:1")
    found = search_pairs(Known(), domain, relation, Appetite.of(100_000, many=False), 0)
    assert not found.refuted
    assert [0.5] * 4 in [np.abs(pair.neighbor - pair.dataset).tolist() for pair in found.pairs]
    assert all(len(records_of(pair.dataset)) == 4 for pair in found.pairs)


def test_no_pair_is_bet_on_twice() -> None:
    """The simplest pair, made up once more, got half of the runs of the one that it is."""

    def noisy_sum(data: NDArray[np.int64], rng: Generator) -> float:
        return float(np.clip(data, 0, 100).sum()) + rng.laplace(0.0, 100.0)

    sampler = Sampler.of(PythonBlackBox(noisy_sum), 0)
    settings = Settings(budget=Budget(max_samples=40_000))
    pairs = find_worst(sampler, "int:0:100", "add-remove", settings).pairs
    assert len({name_of(pair) for pair in pairs}) == len(pairs)
