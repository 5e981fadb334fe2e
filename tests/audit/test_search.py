"""The search finds where to bet, the same every time, and the engine bets there first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator
from numpy.typing import NDArray

import audit
import audit.engine
from audit.blackbox.python import PythonBlackBox
from audit.case import Settings
from audit.claim import PureDP
from audit.declaration import Relation
from audit.domain import parse_domain
from audit.errors import BlackBoxError, InputError
from audit.here import Here
from audit.neighbors import Pair, neighboring
from audit.neighbors.rows import records_of
from audit.result import Search, Verdict
from audit.sampling import Sampler
from audit.search import Found, find_worst
from audit.store import Memory

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def search(
    function: Callable[..., Any],
    spec: str = "int:0:100",
    relation: str = "add-remove",
    **settings: Any,
) -> Found:
    sampler = Sampler.of(PythonBlackBox(function), 0)
    chosen = Settings(**{"max_samples": 100_000, **settings})
    memory = Memory(sampler, Here(), (chosen.max_samples,))
    return find_worst(PureDP(1.0), parse_domain(spec), Relation(relation), memory, chosen)


def datasets(pair: Pair) -> tuple[list[Any], list[Any]]:
    return records_of(pair.dataset), records_of(pair.neighbor)


def noisy_sum(data: Integers, rng: Generator, size: int) -> Floats:
    return float(data.sum()) + rng.laplace(0.0, 100.0, size)


def one_noisy_sum(data: Integers, rng: Generator) -> float:
    return float(noisy_sum(data, rng, 1)[0])


def exact_from_26(data: Integers, rng: Generator, size: int) -> Floats:
    return np.full(size, float((data > 25).sum()))


def shown_from_37(data: Integers, rng: Generator, size: int) -> list[float | None]:
    return list(rng.normal(size=size)) if len(data) >= 37 else [None] * size


def exact_for_odd_pairs(data: Integers, rng: Generator, size: int) -> Floats:
    """Nothing listed shows it: two different records above 10 and below 90."""
    inner = np.unique(data[(data > 10) & (data < 90)])
    return np.asarray(rng.laplace(size=size) if len(inner) < 2 else np.zeros(size))


def test_the_first_pair_found_is_the_smallest() -> None:
    found = search(exact_from_26)
    assert found.refuted
    assert datasets(found.pairs[0]) == ([], [26])
    assert [pair.name for pair in found.pairs] == ["S1", "S2"]
    assert found.effort.shrinks > 0


def test_a_threshold_that_nobody_lists_is_found() -> None:
    assert datasets(search(shown_from_37).pairs[0]) == ([0] * 36, [0] * 37)


def test_what_only_made_up_pairs_show_is_found() -> None:
    """Nine seeds in ten find it; 0 is the tenth."""
    left, right = datasets(search(exact_for_odd_pairs, seed=1).pairs[0])
    assert sorted([left, right], key=len) == [left, right]
    assert (len(left), len(right)) == (1, 2)
    assert {*left, *right} == {11, 12}


def test_without_a_flaw_the_simplest_pair_is_among_those_to_bet_on() -> None:
    found = search(noisy_sum)
    assert not found.refuted
    assert 1 <= len(found.pairs) <= 3
    assert ([], [100]) in map(datasets, found.pairs)
    assert found.effort.pairs > 50
    assert found.effort.shrinks == 0


@pytest.mark.parametrize("most", [10, 1_000, 40_000])
def test_looking_takes_a_quarter_of_the_budget_at_most(most: int) -> None:
    for function in (noisy_sum, one_noisy_sum):
        found = search(function, max_samples=most)
        assert found.pairs
        assert found.effort.samples <= most / 4


def test_looking_takes_less_where_every_output_needs_a_run() -> None:
    many, single = search(noisy_sum), search(one_noisy_sum)
    assert single.effort.samples < many.effort.samples / 1.5


@pytest.mark.parametrize("function", [noisy_sum, exact_from_26, exact_for_odd_pairs])
def test_the_same_seed_finds_the_same(function: Callable[..., Any]) -> None:
    first, second = (search(function, seed=3) for _ in range(2))
    assert list(map(datasets, first.pairs)) == list(map(datasets, second.pairs))
    assert first.effort == second.effort


def test_progress_is_told() -> None:
    told: list[tuple[str, int]] = []
    search(exact_from_26, tell=lambda stage, samples, score: told.append((stage, samples)))
    assert {stage for stage, _ in told} == {"searching"}
    assert [samples for _, samples in told] == sorted(samples for _, samples in told)


def test_what_is_no_output_ends_the_search_with_its_own_error() -> None:
    def too_few(data: Integers, rng: Generator, size: int) -> Floats:
        return rng.normal(size=size if len(set(data)) < 3 else 1)

    with pytest.raises(BlackBoxError, match="returned 1 outputs"):
        search(too_few)


def test_domains_without_neighbors_are_refused() -> None:
    with pytest.raises(InputError, match="one record"):
        search(noisy_sum, "int:3:3", "substitute")


RIGHT = neighboring("S1", np.array([]), np.array([1.0]), Relation.ADD_REMOVE)
WRONG = neighboring("S2", np.array([]), np.array([900.0]), Relation.ADD_REMOVE)


def found_in_this_order(monkeypatch: pytest.MonkeyPatch, *pairs: Pair) -> None:
    effort = Search(pairs=2, shrinks=1, samples=0)
    monkeypatch.setattr(audit.engine, "find_worst", lambda *args: Found(pairs, True, effort))


def test_the_smallest_pair_is_bet_on_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    found_in_this_order(monkeypatch, WRONG, RIGHT)
    result = audit.run(noisy_sum, epsilon=1.0, domain="float", data=[0.0], search=True)
    assert result.verdict is Verdict.VIOLATION
    assert result.witness is not None
    assert result.witness.pair == WRONG.name
    assert result.tried[0] == "1 pair of datasets: S2"
    assert RIGHT.difference not in [table.difference for table in result.pairs]


def test_the_others_join_when_the_smallest_pair_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    found_in_this_order(monkeypatch, RIGHT, WRONG)
    result = audit.run(noisy_sum, epsilon=1.0, domain="float", max_samples=40_000)
    assert result.verdict is Verdict.VIOLATION
    assert result.witness is not None
    assert result.witness.pair == WRONG.name
    assert result.tried[0] == "2 pairs of datasets: S1, S2"


def test_a_claim_that_holds_survives_a_search_that_was_mistaken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found_in_this_order(monkeypatch, RIGHT)
    result = audit.run(noisy_sum, epsilon=1.0, domain="float", max_samples=40_000)
    assert result.verdict is Verdict.NOT_REFUTED
