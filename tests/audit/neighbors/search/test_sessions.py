"""Questions are searched for together with neighbors, and shrunk to the fewest that matter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import pytest

from audit.errors import DomainError, InputError
from audit.neighbors import Pair
from audit.neighbors.domain import IntDomain, parse_domain
from audit.neighbors.pair import neighboring
from audit.neighbors.questions import Questions, asked, unasked
from audit.neighbors.search.oracle import Failed, Law, Scale
from audit.neighbors.search.search_result import Appetite, Found
from audit.neighbors.search.sessions import search_sessions
from audit.relation import Relation

SCALE, DIGITS = Scale(7.0, 0.5, 20, 5.0), IntDomain(0, 9)


@dataclass
class Known:
    """An oracle that knows at once on which questions and data a claim falls."""

    falls: Callable[[Sequence[int], Any], bool]
    asked: list[Pair] = field(default_factory=list)
    left: int = 0
    scale: Scale = SCALE
    known: list[Pair] = field(default_factory=list)

    def allow(self, runs: int) -> None:
        self.left = runs

    def _falls(self, pair: Pair) -> bool:
        assert pair.dataset["questions"] == pair.neighbor["questions"]
        return self.falls(pair.dataset["questions"], pair.neighbor["data"])

    def score(self, pair: Pair, runs: int) -> float | None:
        self.asked.append(pair)
        self.left -= 1
        return None if self.left < 0 else (0.5 * runs // 2 if self._falls(pair) else 0.0)

    def extent(self, pair: Pair) -> float:
        return float(self._falls(pair))

    def one_sided(self, pair: Pair, runs: int) -> int:
        return 0

    def refutes(self, pair: Pair, runs: int) -> int | None:
        return 40 if self._falls(pair) else None

    def law(self, data: Any) -> Law:
        return Law(frozenset({"list"}))

    def failure(self, data: Any) -> Failed | None:
        return None


def found(
    falls: Callable[[Sequence[int], Any], bool],
    questions: str | Sequence[Any] = "int:0:9[1..8]",
    runs: int = 2000,
    seed: int = 0,
    domain: IntDomain | None = DIGITS,
    known: Sequence[Pair] = (),
) -> Found:
    asking = Questions.of(questions)
    appetite = Appetite(runs, runs, 400)
    relation = Relation.ADD_REMOVE
    return search_sessions(Known(falls), asking, domain, relation, known, appetite, seed)


def test_the_same_question_twice_is_found_at_once() -> None:
    result = found(lambda asked, _: len(asked) > len(set(asked)))
    assert result.refuted
    assert len(result.pairs[0].dataset["questions"]) == 2
    assert result.pairs[0].difference.endswith("; asked 0, 0")


def test_questions_that_nobody_lists_are_found_and_shrunk() -> None:
    def falls(asked: Sequence[int], data: Any) -> bool:
        return any(a > 4 and b == a - 1 for a, b in pairwise(asked))

    for seed in range(3):
        result = found(falls, seed=seed)
        assert result.refuted
        asking = result.pairs[0].dataset["questions"]
        assert len(asking) == 2
        assert falls(asking, None)
        assert result.shrinks > 0


def test_records_are_shrunk_with_the_questions_that_were_found() -> None:
    def falls(asked: Sequence[int], data: Any) -> bool:
        return 7 in asked and any(record > 3 for record in data)

    (smallest, *_) = found(falls).pairs
    assert smallest.dataset["questions"] == [7]
    assert sorted(smallest.neighbor["data"].tolist()) in ([4], [0, 4])


@pytest.mark.slow
def test_where_nothing_falls_the_best_and_the_simplest_are_bet_on() -> None:
    result = found(lambda asked, _: False)
    assert not result.refuted
    assert result.shrinks == 0
    assert result.pairs
    assert [pair.name for pair in result.pairs] == [f"S{i + 1}" for i in range(len(result.pairs))]


def test_the_same_seed_finds_the_same() -> None:
    def falls(asked: Sequence[int], data: Any) -> bool:
        return sum(asked) == 23

    first, again = (found(falls, seed=3).pairs[0].dataset["questions"] for _ in range(2))
    assert first == again


def test_pairs_that_are_given_are_asked() -> None:
    pair = neighboring("D1", [4], [], Relation.ADD_REMOVE)
    result = found(lambda asked, _: 9 in asked, domain=None, known=[pair])
    assert result.refuted
    alone, questions = unasked(result.pairs[0])
    assert (alone.dataset, alone.neighbor, questions) == ([4], [], (9,))
    assert alone.difference == pair.difference


def test_a_given_sequence_is_asked_as_it_is() -> None:
    result = found(lambda asked, data: len(data) > 2, questions=[3, 1])
    assert result.refuted
    assert result.pairs[0].dataset["questions"] == [3, 1]
    assert len(result.pairs[0].neighbor["data"]) == 3


def test_as_many_questions_as_allowed() -> None:
    oracle = Known(lambda asked, _: False)
    asking, domain = Questions.of("int:0:9[2..4]"), IntDomain(0, 9)
    relation = Relation.ADD_REMOVE
    search_sessions(oracle, asking, domain, relation, (), Appetite(500, 500, 100), 0)
    lengths = {len(pair.dataset["questions"]) for pair in oracle.asked}
    assert lengths == {2, 3, 4}
    assert Questions.of("bool").most == 12
    assert Questions.of(parse_domain("bool[3]")).fewest == 3


@pytest.mark.parametrize("given", [[], 7, None])
def test_what_is_no_question(given: Any) -> None:
    with pytest.raises(InputError, match="neither a domain"):
        Questions.of(given)
    with pytest.raises(DomainError):
        Questions.of("whatever")


def test_a_pair_and_its_questions_come_back() -> None:
    pair = neighboring("D1", [1], [1, 2], Relation.ADD_REMOVE)
    alone, questions = unasked(asked(pair, ["a", 0.5]))
    assert questions == ("a", 0.5)
    assert (alone.name, alone.dataset, alone.neighbor) == ("D1", [1], [1, 2])
