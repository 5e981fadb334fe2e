"""The search finds the worst pair that its oracle knows of, within what it may ask."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from audit.errors import InputError, OutcomeError
from audit.neighbors import Pair, classic_pairs, worst_pairs
from audit.neighbors.domain import parse_domain
from audit.neighbors.rows import records_of
from audit.neighbors.search.find import search_neighbors, search_pairs
from audit.neighbors.search.oracle import Unreadable
from audit.neighbors.search.search_result import Appetite, Found, name_of
from audit.relation import Relation
from audit.source_code import Constants
from tests.oracles import Known, told_apart

ADD, SUBSTITUTE = Relation.ADD_REMOVE, Relation.SUBSTITUTE
THRIFTY = Appetite.of(100_000, many=False)


def search(
    oracle: Known,
    spec: str = "int:0:100",
    relation: Relation = ADD,
    appetite: Appetite = THRIFTY,
    seed: int = 0,
) -> Found:
    return search_pairs(oracle, parse_domain(spec), relation, appetite, seed)


def datasets(pair: Pair) -> tuple[list[Any], list[Any]]:
    return records_of(pair.dataset), records_of(pair.neighbor)


def above_25(data: Any) -> int:
    return int((data > 25).sum())


def odd_pairs(data: Any) -> int:
    """Nothing listed shows it: two different records above 10 and below 90."""
    return len(np.unique(data[(data > 10) & (data < 90)])) // 2


def test_the_first_pair_found_is_the_smallest() -> None:
    found = search(Known(told_apart(above_25)))
    assert found.refuted
    assert datasets(found.pairs[0]) == ([], [26])
    assert [pair.name for pair in found.pairs] == ["S1", "S2"]
    assert found.shrinks > 0


def test_the_best_of_short_looks_is_bet_on_where_runs_end_before_longer_ones() -> None:
    def weak(pair: Pair) -> float:
        return 0.02 if {len(pair.dataset), len(pair.neighbor)} == {1, 2} else 0.0

    few = Appetite(runs=0, listed=1_500, examples=1)
    found = search(Known(weak), appetite=few)
    assert not found.refuted
    assert {1, 2} in [{len(pair.dataset), len(pair.neighbor)} for pair in found.pairs]


def test_a_threshold_that_nobody_lists_is_found() -> None:
    def large(data: Any) -> str:
        return "float" if len(data) >= 37 else "None"

    found = search(Known(told_apart(large), large))
    assert datasets(found.pairs[0]) == ([0] * 36, [0] * 37)


def test_what_only_made_up_pairs_show_is_found() -> None:
    found = search(Known(told_apart(odd_pairs)), seed=1)
    left, right = datasets(found.pairs[0])
    assert (len(left), len(right)) == (1, 2)
    assert {*left, *right} == {11, 12}


def test_a_small_loss_is_found_by_longer_looks() -> None:
    """No look strikes; only the longest tell a pair that loses a little from all others."""

    def slowly(pair: Pair) -> float:
        return 0.02 if above_25(pair.dataset) != above_25(pair.neighbor) else 0.0

    found = search(Known(slowly), appetite=Appetite.of(400_000, many=True))
    assert found.refuted
    assert datasets(found.pairs[0]) == ([], [26])


@pytest.mark.slow
def test_what_comes_seldom_on_a_tiny_pair_is_worth_bets() -> None:
    """A record of 0 leaves a trace in one run of a hundred, which no score shows."""

    def traces(pair: Pair) -> int:
        return 10 if datasets(pair) == ([], [0]) else 0

    often = Appetite.of(400_000, many=True)
    for rare, first in ((traces, ([], [0])), (lambda pair: 3, ([], [100]))):
        found = search(Known(rare=rare), appetite=often)
        assert not found.refuted
        assert (datasets(found.pairs[0]) == ([], [0])) == (rare is traces)
        assert first in map(datasets, found.pairs)
    few = search(Known(rare=traces), appetite=Appetite.of(20_000, many=False))
    assert datasets(few.pairs[0]) != ([], [0])


def test_a_tiny_pair_that_cannot_be_read_is_left_out() -> None:
    class Fragile(Known):
        def one_sided(self, pair: Pair, runs: int) -> int:
            raise Unreadable(OutcomeError("once in a hundred runs"))

    found = search(Fragile(), appetite=Appetite.of(400_000, many=True))
    assert len(found.left_out) == 3
    assert not [pair for pair in found.pairs if len(pair.neighbor) < 1]


def test_without_a_flaw_the_simplest_pair_is_among_those_to_bet_on() -> None:
    found = search(Known())
    assert not found.refuted
    assert 1 <= len(found.pairs) <= 3
    assert ([], [100]) in map(datasets, found.pairs)
    assert found.tried > 50
    assert found.shrinks == 0


def test_each_pair_that_was_looked_at_counts_once() -> None:
    for growth in (told_apart(len), lambda pair: 0.0):
        oracle = Known(growth)
        found = search(oracle)
        assert found.refuted == (growth(found.pairs[0]) > 0.0)
        assert found.tried == len({name_of(pair) for pair in oracle.asked})


@pytest.mark.parametrize("most", [10, 1_000, 40_000])
@pytest.mark.parametrize("many", [True, False])
def test_no_more_is_asked_than_is_allowed(most: int, many: bool) -> None:
    appetite = Appetite.of(most, many)
    oracle = Counting()
    found = search(oracle, appetite=appetite)
    assert found.pairs
    assert oracle.spent <= appetite.listed + 1.5 * appetite.runs <= most / 4


class Counting(Known):
    """Adds up the runs of all its scores."""

    spent = 0

    def score(self, pair: Pair, runs: int) -> float | None:
        left = self.left
        score = super().score(pair, runs)
        self.spent += left - self.left
        return score


@pytest.mark.parametrize("value", [above_25, odd_pairs, len])
def test_the_same_seed_finds_the_same(value: Callable[[Any], Any]) -> None:
    first, second = (search(Known(told_apart(value)), seed=3) for _ in range(2))
    assert list(map(datasets, first.pairs)) == list(map(datasets, second.pairs))
    assert (first.tried, first.shrinks) == (second.tried, second.shrinks)


def unreadable(condition: Callable[[Pair], bool], late: bool = False) -> Callable[[Pair], float]:
    """Outputs cannot be read where this holds; a flaw shows from two records on."""

    def growth(pair: Pair) -> float:
        if condition(pair):
            raise Unreadable(OutcomeError("more than 4096 parts"), late)
        return 0.5 if len(pair.dataset) >= 2 else 0.0

    return growth


def test_pairs_that_cannot_be_read_are_left_out_and_said() -> None:
    found = search(Known(unreadable(lambda pair: len(pair.dataset) < 2)))
    assert datasets(found.pairs[0]) == ([0, 0], [0, 0, 0])
    assert {len(other.pair.dataset) for other in found.left_out} == {0, 1}
    (note,) = found.notes
    assert f"left out {len(found.left_out)} pairs" in note
    assert "with one more record 100, where D is []" in note
    assert "more than 4096 parts" in note


def test_no_pair_that_cannot_be_read_is_bet_on() -> None:
    found = search(Known(unreadable(lambda pair: len(pair.dataset) >= 2)))
    assert not found.refuted
    assert found.pairs
    assert all(len(pair.dataset) < 2 for pair in found.pairs)


def test_a_pair_is_left_out_where_only_a_longer_look_shows_that_it_cannot_be_read() -> None:
    class Forgetful(Known):
        def score(self, pair: Pair, runs: int) -> float | None:
            if runs > 64 and len(pair.dataset) == 0:
                raise Unreadable(OutcomeError("a name too many"))
            return super().score(pair, runs)

    found = search(Forgetful(lambda pair: 0.01 / len(pair.neighbor)))
    left_out = [datasets(other.pair) for other in found.left_out]
    assert left_out
    assert found.pairs
    assert not [pair for pair in found.pairs if datasets(pair) in left_out]


def test_a_pair_is_left_out_where_only_bets_show_that_it_cannot_be_read() -> None:
    class Fragile(Known):
        def refutes(self, pair: Pair, runs: int) -> int | None:
            if len(pair.dataset) == 0:
                raise Unreadable(OutcomeError("once in a hundred runs"))
            return super().refutes(pair, runs)

    found = search(Fragile(told_apart(len)))
    assert len(found.pairs[0].dataset) == 1


def test_where_nothing_can_be_read_little_is_tried() -> None:
    found = search(Known(unreadable(lambda pair: True)))
    assert found.pairs == ()
    assert 5 < len(found.left_out) <= 12
    assert len({len(other.pair.neighbor) for other in found.left_out}) == len(found.left_out)


def test_what_takes_too_long_is_not_tried_on_more_records() -> None:
    oracle = Known(unreadable(lambda pair: len(pair.dataset) >= 2, late=True))
    found = search(oracle)
    assert len(found.left_out) == 1
    assert not [pair for pair in found.pairs if len(pair.dataset) >= 2]


def test_domains_without_neighbors_are_refused() -> None:
    with pytest.raises(InputError, match="one record"):
        search(Known(), "int:3:3", SUBSTITUTE)


def holds(wanted: Any) -> Callable[[Any], bool]:
    return lambda data: wanted in records_of(data)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "value", "constants"),
    [
        ("int:0:1000000", holds(4711), Constants((4711,))),
        ("float:0:10000", holds(4242.5), Constants((4242.5,))),
        ("int:0:9", lambda data: len(data) > 776, Constants((777,))),
        ("int:0:100", lambda data: data.sum() > 12_345, Constants((12_345,))),
        (
            f"choice:{','.join(f'n{i}' for i in range(9999))}",
            holds("n777"),
            Constants((), ("n777",)),
        ),
    ],
)
def test_constants_reach_what_nothing_else_does(
    spec: str, value: Callable[[Any], Any], constants: Constants
) -> None:
    domain = parse_domain(spec)
    with_them, without = (
        search_pairs(Known(told_apart(value)), domain, ADD, THRIFTY, 0, known)
        for known in (constants, Constants())
    )
    assert with_them.refuted
    assert not without.refuted


def test_constants_change_nothing_where_nothing_is_wrong() -> None:
    domain = parse_domain("int:0:100")
    assert not search_pairs(Known(), domain, ADD, THRIFTY, 0, Constants((42, 777))).refuted


def test_made_up_pairs_hold_constants() -> None:
    def rare(data: Any) -> bool:
        """Only beside two others; no listed pair has that."""
        held = set(records_of(data))
        return 4711 in held and len(held) > 2

    domain, constants = parse_domain("int:0:1000000"), Constants((4711,))
    found = search_pairs(Known(told_apart(rare)), domain, ADD, THRIFTY, 0, constants)
    assert found.refuted


def last_alone(data: Any) -> bool:
    """Only the last of exactly 37 records counts."""
    return len(data) == 37 and bool(data[-1] > 4)


def test_vectors_of_a_fixed_length_are_searched() -> None:
    found = search(Known(told_apart(last_alone)), "int:0:9[37]", SUBSTITUTE)
    assert found.refuted
    assert datasets(found.pairs[0]) == ([0] * 37, [0] * 36 + [5])
    assert not search(Known(told_apart(last_alone)), "int:0:9[36]", SUBSTITUTE).refuted


def falling(data: Any) -> bool:
    """Whether more than four records fall."""
    return len(data) > 4 and bool((np.diff(data) < 0).all())


def test_an_order_that_matters_is_tried() -> None:
    assert search(Known(told_apart(falling))).refuted


RECORDS = np.array([5, 1, 1, 9, 4, 4, 7])
KNOWN = classic_pairs(RECORDS, ADD)


def test_neighbors_of_data_are_searched_beyond_the_known_ones() -> None:
    repeated = Known(lambda pair: 0.5 if len(pair.neighbor) > 7 and 9 in pair.neighbor[7:] else 0.0)
    found = search_neighbors(repeated, KNOWN, THRIFTY)
    assert found.refuted
    assert records_of(found.pairs[0].neighbor) == [*RECORDS, 9]
    assert found.notes[0].startswith(f"the search tried {len(KNOWN) + found.tried} neighbors of D")


def test_without_a_flaw_others_of_the_neighbors_of_data_are_bet_on() -> None:
    found = search_neighbors(Known(), KNOWN, THRIFTY)
    assert not found.refuted
    assert [pair.name for pair in found.pairs] == ["S1"]
    given = [records_of(pair.neighbor) for pair in KNOWN]
    assert not [pair for pair in found.pairs if records_of(pair.neighbor) in given]


def test_data_of_one_record_have_no_other_neighbors() -> None:
    found = search_neighbors(Known(), classic_pairs(np.array([3]), ADD), THRIFTY)
    assert found.pairs == () or len(found.pairs[0].neighbor) == 2


@pytest.mark.parametrize(("records", "runs"), [(3, 16), (40, 2)])
def test_first_looks_are_short_only_at_many_pairs(records: int, runs: int) -> None:
    class First(Known):
        def score(self, pair: Pair, runs: int) -> float | None:
            first.setdefault(name_of(pair), runs)
            return super().score(pair, runs)

    first: dict[Any, int] = {}
    known = classic_pairs(np.arange(float(records)), ADD)
    search_neighbors(First(), known, Appetite.of(2_000, many=False))
    assert set(first.values()) == {runs}


def test_a_small_budget_reaches_all_listed_pairs() -> None:
    """Where every run takes a call, and hardly any can be made."""
    domain = parse_domain("int:0:100")
    last = worst_pairs(domain, ADD)[-1]

    def only_there(pair: Pair) -> float:
        return 0.5 if name_of(pair) == name_of(last) else 0.0

    oracle = Known(only_there)
    found = search(oracle, appetite=Appetite.of(3_000, many=False))
    assert found.refuted
    assert len({name_of(pair) for pair in oracle.asked}) >= len(worst_pairs(domain, ADD))


def test_glimpses_that_mislead_cost_little() -> None:
    """Every pair looks as if told apart at first, and none is."""

    class Lucky(Known):
        def score(self, pair: Pair, runs: int) -> float | None:
            score = super().score(pair, runs)
            return score if runs > 4 or score is None else runs / 2 * self.scale.certain

    appetite = Appetite.of(3_000, many=False)
    oracle = Lucky()
    assert not search(oracle, appetite=appetite).refuted
    assert len(oracle.asked) < 400


def common_divisor(data: Any) -> int:
    """Of three different records or more; one random dataset in six or so has one."""
    return int(np.gcd.reduce(data)) if len(np.unique(data)) >= 3 else 1


def tie_of_three(data: Any) -> bool:
    counts = sorted((list(data).count(name) for name in set(data)), reverse=True)
    return len(counts) >= 3 and counts[0] == counts[2] >= 2


def ring_of_four(data: Any) -> bool:
    """Whether two nodes have two common neighbors."""
    tied = np.zeros((10, 10), dtype=int)
    tied[data["u"], data["v"]] = 1
    ways = np.minimum(tied + tied.T, 1)
    np.fill_diagonal(ways, 0)
    both = ways @ ways
    np.fill_diagonal(both, 0)
    return bool((both >= 2).any())


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize(
    ("value", "spec", "too_narrow"),
    [
        (common_divisor, "int:1:100", "int:1:3"),
        (tie_of_three, "choice:a,b,c,d,e", "choice:a,b"),
        (ring_of_four, "u=int:0:7,v=int:0:7", "u=int:0:2,v=int:0:2"),
    ],
)
def test_what_records_have_together_is_found_where_they_can_have_it(
    value: Callable[[Any], Any], spec: str, too_narrow: str, seed: int
) -> None:
    assert search(Known(told_apart(value)), spec, seed=seed).refuted
    assert not search(Known(told_apart(value)), too_narrow, seed=seed).refuted


def test_random_pairs_that_do_not_look_certain_cost_two_runs_each() -> None:

    def slowly(pair: Pair) -> float:
        return 0.1 if pair.name == "R" else 0.0

    oracle = Known(slowly)
    assert not search(oracle).refuted
    looks = [oracle.drawn[id(pair)] for pair in oracle.asked if pair.name == "R"]
    assert len(looks) > 100
    assert set(looks) == {2}
