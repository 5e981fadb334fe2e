"""Small bets find where to bet, the same every time, and the engine bets there first."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.random import Generator
from numpy.typing import NDArray

import audit
import audit.engine.steps
from audit.blackbox.interface import RunTimeout
from audit.blackbox.python import PythonBlackBox
from audit.case import Budget, Settings
from audit.errors import BlackBoxError, InputError, OutcomeError
from audit.neighbors import Pair, neighboring
from audit.neighbors.rows import records_of
from audit.neighbors.search.search_result import Found
from audit.progress import Looked
from audit.relation import Relation
from audit.report.restore import restore
from audit.sampling.sampler import Sampler
from audit.verdict.result import Verdict
from tests.sources import find_worst
from tests.timeless import timeless

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def search(
    function: Callable[..., Any],
    spec: str = "int:0:100",
    relation: str = "add-remove",
    **settings: Any,
) -> Found:
    return searched(function, spec, relation, **settings)[0]


def searched(
    function: Callable[..., Any],
    spec: str = "int:0:100",
    relation: str = "add-remove",
    **settings: Any,
) -> tuple[Found, int]:
    """What was found, and the runs that it took."""
    sampler = Sampler.of(PythonBlackBox(function), 0)
    budget = Budget(max_samples=settings.pop("max_samples", 100_000))
    chosen = Settings(budget=budget, **settings)
    return find_worst(sampler, spec, relation, chosen), sampler.samples


def datasets(pair: Pair) -> tuple[list[Any], list[Any]]:
    return records_of(pair.dataset), records_of(pair.neighbor)


def noisy_sum(data: Integers, rng: Generator, size: int) -> Floats:
    return float(data.sum()) + rng.laplace(0.0, 100.0, size)


def one_noisy_sum(data: Integers, rng: Generator) -> float:
    return float(noisy_sum(data, rng, 1)[0])


def exact_from_26(data: Integers, rng: Generator, size: int) -> Floats:
    return np.full(size, float((data > 25).sum()))


def exact_for_odd_pairs(data: Integers, rng: Generator, size: int) -> Floats:
    """Nothing listed shows it: two different records above 10 and below 90."""
    inner = np.unique(data[(data > 10) & (data < 90)])
    return np.asarray(rng.laplace(size=size) if len(inner) < 2 else np.zeros(size))


def test_the_first_pair_found_is_the_smallest() -> None:
    found = search(exact_from_26)
    assert found.refuted
    assert datasets(found.pairs[0]) == ([], [26])
    assert [pair.name for pair in found.pairs] == ["S1", "S2", "S3", "S4"]
    assert all(max(datasets(pair)[1]) > 25 for pair in found.pairs)
    assert found.shrinks > 0


def test_what_only_made_up_pairs_show_is_found() -> None:
    """Nine seeds in ten find it; 0 is the tenth."""
    left, right = datasets(search(exact_for_odd_pairs, seed=1).pairs[0])
    assert sorted([left, right], key=len) == [left, right]
    assert (len(left), len(right)) == (1, 2)
    assert {*left, *right} == {11, 12}


@pytest.mark.parametrize("times", [1.0, 120.0])
def test_noise_that_two_columns_share_is_seen_to_cancel(times: float) -> None:
    """Each of them keeps the claim; what shows it is a record that counts in one column alone."""

    def release(table: Any, rng: Generator) -> tuple[float, float]:
        noise = rng.laplace(0.0, 20.0)
        return float(table["a"].sum() + noise), float(table["b"].sum() + times * noise)

    def apart(table: Any, rng: Generator) -> tuple[float, float]:
        return release(table, rng)[0], release(table, rng)[1]

    spec = "a=float:0:10,b=float:0:10"
    shared, own = (search(f, spec, max_samples=60_000) for f in (release, apart))
    assert shared.refuted and not own.refuted


def test_without_a_flaw_the_simplest_pair_is_among_those_to_bet_on() -> None:
    found = search(noisy_sum)
    assert not found.refuted
    assert 1 <= len(found.pairs) <= 3
    assert ([], [100]) in map(datasets, found.pairs)
    assert found.tried > 50
    assert found.shrinks == 0


@pytest.mark.parametrize("most", [10, 1_000, 40_000])
def test_looking_takes_a_quarter_of_the_budget_at_most(most: int) -> None:
    for function in (noisy_sum, one_noisy_sum):
        found, samples = searched(function, max_samples=most)
        assert found.pairs
        assert samples <= most / 4


def test_looking_takes_less_where_every_output_needs_a_run() -> None:
    many, single = searched(noisy_sum)[1], searched(one_noisy_sum)[1]
    assert single < many / 1.5


@pytest.mark.parametrize("function", [noisy_sum, exact_from_26, exact_for_odd_pairs])
def test_the_same_seed_finds_the_same(function: Callable[..., Any]) -> None:
    (first, runs), (second, same) = (searched(function, seed=3) for _ in range(2))
    assert list(map(datasets, first.pairs)) == list(map(datasets, second.pairs))
    assert (first.tried, first.shrinks, runs) == (second.tried, second.shrinks, same)


def test_progress_is_told() -> None:
    heard: list[Any] = []
    search(exact_from_26, on_event=heard.append)
    assert {event.stage for event in heard if isinstance(event, Looked)} == {"search"}
    assert [event.samples for event in heard] == sorted(event.samples for event in heard)


class Odd:
    """Nothing that anybody could bet on."""


def odd_from(least: int) -> Callable[..., Any]:
    def release(data: Integers, rng: Generator) -> Any:
        return Odd() if len(data) >= least else float(data.sum() + rng.laplace(scale=100.0))

    return release


def one_each(data: Integers, rng: Generator) -> list[float]:
    """A noisy number for every record: right under substitution, of any number of parts."""
    return [float(value + rng.laplace(scale=9.0)) for value in data]


def too_few(data: Integers, rng: Generator, size: int) -> Floats:
    return float(data.sum()) + rng.laplace(scale=100.0, size=size if len(data) < 3 else 1)


def out_of_memory(data: Integers, rng: Generator) -> Any:
    class Greedy(list[int]):
        def __len__(self) -> int:
            raise MemoryError

    return Greedy() if len(data) > 3 else float(data.sum() + rng.laplace(scale=100.0))


@pytest.mark.parametrize(
    ("function", "relation", "why"),
    [
        (one_each, "substitute", "more than 4096 parts"),
        (odd_from(4), "add-remove", "cannot be sorted into events"),
        (too_few, "add-remove", "returned 1 outputs"),
        (out_of_memory, "add-remove", "MemoryError"),
    ],
)
def test_pairs_that_nothing_can_be_bet_on_are_left_out_and_said(
    function: Callable[..., Any], relation: str, why: str
) -> None:
    found = search(function, "int:0:9", relation, max_samples=40_000)
    assert found.pairs
    assert not found.refuted
    assert all(len(pair.neighbor) < 4097 for pair in found.pairs)
    assert why in str(found.left_out[0].error)
    (note,) = found.notes
    assert why in note
    assert found.left_out[0].pair.difference in note


def test_a_correct_mechanism_of_one_number_per_record_is_not_refuted() -> None:
    result = audit.run(
        one_each, epsilon=1.0, relation="substitute", domain="int:0:9", max_samples=40_000
    )
    assert result.verdict is Verdict.NOT_REFUTED
    assert any("cannot be bet on" in note for note in result.notes)


def test_what_can_be_read_everywhere_is_left_out_nowhere() -> None:
    found = search(one_noisy_sum, max_samples=10_000)
    assert (found.left_out, found.notes) == ((), ())


def test_a_flaw_beside_what_cannot_be_read_is_found() -> None:
    def exact_until_odd(data: Integers, rng: Generator) -> Any:
        return Odd() if len(data) > 4 else float(data.sum())

    assert datasets(search(exact_until_odd).pairs[0]) == ([], [1])


def test_a_black_box_that_cannot_be_read_anywhere_is_soon_given_up() -> None:
    found, samples = searched(odd_from(0))
    assert found.pairs == ()
    assert samples < 300
    with pytest.raises(OutcomeError, match="cannot be sorted"):
        audit.run(odd_from(0), epsilon=1.0, domain="int:0:9")


def test_where_no_pair_could_be_looked_at_one_line_says_what_to_give() -> None:
    hopeless = Found((), False, 0).hopeless
    assert hopeless is not None
    assert "too large to be made up" in str(hopeless)
    assert "\n" not in str(hopeless)


def test_a_pair_given_by_the_caller_that_cannot_be_read_ends_the_audit() -> None:
    with pytest.raises(OutcomeError, match="cannot be sorted"):
        audit.run(odd_from(4), epsilon=1.0, domain="int:0:9", data=[1, 2, 3, 4], search=True)


def test_datasets_on_which_no_run_ends_in_time_are_left_out_with_all_larger_ones() -> None:
    class Late:
        """Never ends on 3 records or more; the limit of a real black box would say so."""

        name, seeded, many, calls = "late", True, False, 0

        def bind(self, data: Integers) -> LateOn:
            return LateOn(self, data)

    class LateOn:
        def __init__(self, box: Late, data: Integers) -> None:
            self.box, self.data = box, data

        def draw(self, rng: Generator, size: int) -> float:
            if len(self.data) >= 3:
                self.box.calls += 1
                raise RunTimeout("no output within 10 s")
            return float(self.data.sum() + rng.laplace(scale=100.0))

    box = Late()
    settings = Settings(budget=Budget(max_samples=10_000))
    found = find_worst(Sampler.of(box, 0), "int:0:9", "substitute", settings)
    assert len(found.left_out) == 1
    assert "ended in time" in found.notes[0]
    assert box.calls < 20
    assert all(len(pair.dataset) < 3 for pair in found.pairs)


RIGHT = neighboring("S1", np.array([]), np.array([1.0]), Relation.ADD_REMOVE)
WRONG = neighboring("S2", np.array([]), np.array([900.0]), Relation.ADD_REMOVE)


def found_in_this_order(monkeypatch: pytest.MonkeyPatch, *pairs: Pair) -> None:
    monkeypatch.setattr(
        "audit.neighbors.search.find.search_pairs", lambda *args: Found(pairs, True, 2)
    )


@pytest.mark.parametrize("until", ["violation", "bound"])
def test_the_smallest_pair_is_bet_on_alone_first(
    monkeypatch: pytest.MonkeyPatch, until: str
) -> None:
    """It is the witness also if the bound is that of another pair."""
    worse = neighboring("S2", np.array([5.0]), np.array([5.0, 950.0]), Relation.ADD_REMOVE)
    found_in_this_order(monkeypatch, replace(WRONG, name="S1"), worse)
    result = audit.run(noisy_sum, epsilon=1.0, domain="float", until=until, max_samples=20_000)
    assert result.verdict is Verdict.VIOLATION
    assert result.witness is not None
    assert result.witness.pair == "S1"


def test_the_others_join_when_the_smallest_pair_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    found_in_this_order(monkeypatch, RIGHT, WRONG)
    result = audit.run(noisy_sum, epsilon=1.0, domain="float", max_samples=40_000)
    assert result.verdict is Verdict.VIOLATION
    assert result.witness is not None
    assert result.witness.pair == WRONG.name
    assert result.tried[0] == (
        "2 pairs of datasets, each with an empty one: S1 ([] and [1.0]); S2 ([] and [900.0])"
    )


def test_pairs_that_were_tried_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    long = np.zeros(30), np.array([0.0] * 40), np.linspace(0, 9, 30), np.linspace(1, 9, 30)
    pairs = (
        neighboring(f"S{at}", data, np.append(data, 5.0), Relation.ADD_REMOVE)
        for at, data in enumerate(long, 1)
    )
    found_in_this_order(monkeypatch, *pairs)
    few: dict[str, Any] = {"max_samples": 4_000, "assume": ("independent-calls",)}
    result = audit.run(noisy_sum, epsilon=1.0, domain="float:0:9", **few)
    assert result.tried[0] == (
        "4 pairs of datasets: S1 (30 records: 30 × 0.0, with one more record 5.0); S2 (40 records: "
        "40 × 0.0, with one more record 5.0); S3, S4 (30 records, with one more record 5.0)"
    )


def test_a_claim_that_holds_survives_a_search_that_was_mistaken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found_in_this_order(monkeypatch, RIGHT)
    result = audit.run(noisy_sum, epsilon=1.0, domain="float", max_samples=40_000)
    assert result.verdict is Verdict.NOT_REFUTED


def odd_at_times(chance: float) -> Callable[..., Any]:
    """On one record of 1, now and then nothing that anybody could bet on."""

    def release(data: Floats, rng: Generator) -> Any:
        if data.tolist() == [1.0] and rng.random() < chance:
            return Odd()
        return float(data.sum() + rng.laplace(scale=100.0))

    return release


@pytest.mark.parametrize("chance", [1.0, 0.01])
def test_a_pair_of_the_search_that_fails_while_it_is_bet_on_is_left_out(
    monkeypatch: pytest.MonkeyPatch, chance: float
) -> None:
    found_in_this_order(monkeypatch, RIGHT, WRONG)
    # To the end of the budget, which leaves runs for tables.
    result = audit.run(
        odd_at_times(chance), epsilon=1.0, domain="float", max_samples=40_000, until="budget"
    )
    assert result.verdict is Verdict.VIOLATION
    assert result.witness is not None
    assert result.witness.pair == WRONG.name
    assert [table.name for table in result.pairs] == [WRONG.name]
    assert any("bets on S1" in note and "cannot be sorted" in note for note in result.notes)


def test_a_claim_that_holds_is_not_refuted_beside_a_pair_that_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    other = neighboring("S2", np.array([2.0]), np.array([2.0, 3.0]), Relation.ADD_REMOVE)
    found_in_this_order(monkeypatch, RIGHT, other)
    result = audit.run(odd_at_times(0.01), epsilon=1.0, domain="float", max_samples=40_000)
    assert result.verdict is Verdict.NOT_REFUTED


def test_the_only_pair_ends_the_bets_where_it_fails_late(monkeypatch: pytest.MonkeyPatch) -> None:
    found_in_this_order(monkeypatch, RIGHT)
    result = audit.run(odd_at_times(0.002), epsilon=1.0, domain="float", max_samples=40_000)
    assert result.verdict is not Verdict.VIOLATION
    assert 100 < result.samples < 5_000
    assert any("bets on S1" in note for note in result.notes)


def test_pairs_that_all_fail_from_the_start_end_the_audit(monkeypatch: pytest.MonkeyPatch) -> None:
    found_in_this_order(monkeypatch, RIGHT)
    with pytest.raises(OutcomeError, match="cannot be sorted"):
        audit.run(odd_at_times(1.0), epsilon=1.0, domain="float", max_samples=40_000)


def test_a_pair_given_by_the_caller_that_fails_late_ends_the_audit() -> None:
    with pytest.raises(OutcomeError, match="cannot be sorted"):
        audit.run(odd_at_times(0.002), epsilon=1.0, data=[1.0], neighbors=[[]], max_samples=40_000)


def test_a_violation_that_cannot_be_checked_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise OutcomeError("nothing to read")

    found_in_this_order(monkeypatch, WRONG)
    monkeypatch.setattr(audit.engine.steps, "witness_of", refused)
    result = audit.run(one_noisy_sum, epsilon=1.0, domain="float", max_samples=40_000)
    assert result.verdict is Verdict.INCONCLUSIVE
    assert result.reason.endswith("a pair that the search made up, but then: nothing to read")
    with pytest.raises(OutcomeError, match="nothing to read"):
        audit.run(one_noisy_sum, epsilon=1.0, data=[900.0], neighbors=[[]], max_samples=40_000)


@pytest.mark.slow
def test_what_fails_in_another_process_is_left_out_as_it_is_here(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    found_in_this_order(monkeypatch, RIGHT, WRONG)
    asked: dict[str, Any] = {"epsilon": 1.0, "domain": "float", "max_samples": 40_000}
    alone = timeless(audit.run(odd_at_times(0.01), **asked))
    for other in ({"workers": 2}, {"store": tmp_path / "store"}, {"store": tmp_path / "store"}):
        assert timeless(audit.run(odd_at_times(0.01), **asked, **other)) == alone


def wants_columns(data: Any, rng: Generator) -> float:
    return float(data["age"].sum() + rng.laplace()) if len(data) else float(rng.laplace())


@pytest.mark.slow
def test_a_domain_that_does_not_fit_is_asked_about() -> None:
    result = audit.run(wants_columns, epsilon=1.0, domain="int:0:9")
    assert result.verdict is Verdict.INCONCLUSIVE
    assert "does the domain int:0:9 fit?" in result.reason
    assert "on [9] ended in IndexError: only integers" in result.reason
    assert result.samples < 500
    fitting = audit.run(wants_columns, epsilon=1.0, domain="age=int:0:1", max_samples=20_000)
    assert fitting.verdict is Verdict.NOT_REFUTED


def test_one_that_makes_every_run_fail_ends_the_audit() -> None:
    def always(data: Any, rng: Generator) -> float:
        return float(data["age"].sum() + rng.laplace())

    message = r"^IndexError: .* on every dataset tried, .*age=int:0:120"
    with pytest.raises(BlackBoxError, match=message):
        audit.run(always, epsilon=1.0, domain="int:0:9")


def test_one_that_fails_on_records_in_calls_for_many_outputs_is_asked_about() -> None:
    def wants_rows(data: Integers, rng: Generator, size: int) -> Floats:
        total = data.sum(axis=1).sum() if len(data) else 0.0
        return np.asarray(total + rng.laplace(size=size))

    result = audit.run(wants_rows, epsilon=1.0, domain="int:0:9")
    assert result.verdict is Verdict.INCONCLUSIVE
    assert "AxisError" in result.reason


def test_pairs_given_beside_a_domain_that_does_not_fit_are_bet_on() -> None:
    def only_sevens(data: Integers, rng: Generator) -> float:
        if set(data.tolist()) - {7}:
            raise KeyError("no seven")
        return float(len(data) + rng.laplace())

    given: dict[str, Any] = {"data": [7, 7], "neighbors": [[7]], "domain": "int:0:9"}
    result = audit.run(only_sevens, epsilon=1.0, search=True, max_samples=20_000, **given)
    assert result.verdict is Verdict.NOT_REFUTED
    assert result.tried[0] == "1 pair of datasets: D1 ([7, 7] and [7])"
    assert any("does the domain int:0:9 fit?" in note for note in result.notes)


def test_failures_on_an_empty_dataset_alone_are_a_violation() -> None:
    def mean(data: Integers, rng: Generator) -> float:
        return float(sum(data) // len(data) + 10 * rng.laplace())

    result = audit.run(mean, epsilon=1.0, domain="int:0:9")
    assert result.verdict is Verdict.VIOLATION
    assert result.witness is not None
    assert "ZeroDivisionError" in result.witness.event.description


def fond_of(favourite: int) -> Callable[..., Any]:
    """Adds little noise to datasets that hold one certain record."""

    def release(data: Integers, rng: Generator) -> float:
        scale = 0.01 if favourite in data else 1.0
        return float(len(data) + rng.laplace(scale=scale))

    return release


def test_a_flaw_that_shows_beside_a_constant_of_the_code_alone_is_found() -> None:
    result = audit.run(fond_of(4711), epsilon=1.0, domain="int:0:1000000", max_samples=50_000)
    assert result.verdict is Verdict.VIOLATION
    assert result.witness is not None
    assert [4711] in (result.witness.dataset, result.witness.neighbor)


def test_a_constant_that_the_domain_leaves_out_accuses_nobody() -> None:
    result = audit.run(fond_of(4711), epsilon=1.0, domain="int:0:4000", max_samples=50_000)
    assert result.verdict is Verdict.NOT_REFUTED


@pytest.mark.slow
def test_a_vector_of_fixed_length_is_audited_by_itself() -> None:
    def last_is_plain(data: Floats, rng: Generator, size: int) -> Floats:
        noisy = data.sum() + rng.laplace(size=(size, 1))
        return np.hstack([noisy, np.full((size, 1), data[-1])])

    def noisy_mean(data: Floats, rng: Generator, size: int) -> Floats:
        assert len(data) == 12
        return np.asarray(data.mean() + rng.laplace(scale=1 / 12, size=size))

    asked: dict[str, Any] = {"epsilon": 1.0, "relation": "substitute", "max_samples": 20_000}
    wrong = audit.run(last_is_plain, domain="float:0:1[12]", **asked)
    assert wrong.verdict is Verdict.VIOLATION
    assert wrong.witness is not None
    assert len(wrong.witness.dataset) == 12
    assert audit.run(noisy_mean, domain="float:0:1[12]", **asked).verdict is Verdict.NOT_REFUTED


def clipped(data: Floats, rng: Generator, size: int) -> Floats:
    """NaN comes through."""
    return np.asarray(np.clip(data, 0.0, 1.0).sum() + rng.laplace(size=size))


@pytest.mark.parametrize("spec", ["float:0:1", "float:0:1[2..9]"])
def test_special_values_are_tried_where_that_is_asked_for(spec: str) -> None:
    asked: dict[str, Any] = {"epsilon": 1.0, "domain": spec, "max_samples": 20_000}
    assert audit.run(clipped, **asked).verdict is Verdict.NOT_REFUTED
    result = audit.run(clipped, **asked, special=True)
    assert result.verdict is Verdict.VIOLATION
    assert result.witness is not None
    assert "nan" in result.witness.neighbor + result.witness.dataset


def test_special_values_accuse_nobody_who_reckons_with_them() -> None:
    def careful(data: Floats, rng: Generator, size: int) -> Floats:
        return clipped(np.nan_to_num(data), rng, size)

    result = audit.run(careful, epsilon=1.0, domain="float:0:1", special=True, max_samples=20_000)
    assert result.verdict is Verdict.NOT_REFUTED


def test_special_values_need_a_domain() -> None:
    with pytest.raises(InputError, match="give `domain`"):
        audit.run(clipped, epsilon=1.0, data=[0.5], special=True)


def staff() -> pd.DataFrame:
    """One of 200 has a job of its own, and is nothing but ordinary otherwise."""
    ages = [30 + place % 7 for place in range(200)]
    return pd.DataFrame({"age": ages, "job": ["king" if p == 77 else "clerk" for p in range(200)]})


@pytest.mark.slow
def test_the_only_record_of_its_kind_is_found_in_data_without_a_domain() -> None:
    def jobs(data: Floats, rng: Generator) -> list[float]:
        return [*np.unique(data[:, 1]).tolist(), float(len(data) + rng.laplace())]

    table = staff()
    rows = np.column_stack([table["age"], table["job"] == "king"]).astype(float)
    result = audit.run(jobs, epsilon=1.0, data=rows, max_samples=20_000)
    assert result.verdict is Verdict.VIOLATION
    assert result.witness is not None
    assert result.witness.difference == "without one record [30.0, 1.0]"
    assert any(re.match(r"the search tried \S+ neighbors of D\b", note) for note in result.notes)
    unsearched = audit.run(jobs, epsilon=1.0, data=rows, search=False, max_samples=5_000)
    assert unsearched.search is None
    assert unsearched.verdict is Verdict.NOT_REFUTED


def test_a_count_of_data_without_a_domain_is_not_refuted() -> None:
    def count(data: pd.DataFrame, rng: Generator) -> float:
        return float(len(data) + rng.laplace())

    result = audit.run(count, epsilon=1.0, data=staff(), max_samples=20_000)
    assert result.verdict is Verdict.NOT_REFUTED
    assert result.search is not None
    assert result.search.pairs > 3


def of_scale(scale: float) -> Callable[..., Any]:
    def release(data: Floats, rng: Generator, size: int) -> Floats:
        return np.asarray(data + rng.laplace(scale=scale, size=(size, len(data))))

    return release


@pytest.mark.parametrize(
    ("relation", "scale", "holds"),
    [
        ("l1:2", 2.0, True),
        ("l1:2", 1.0, False),
        pytest.param("linf:1", 5.0, True, marks=pytest.mark.slow),
        pytest.param("linf:1", 2.0, False, marks=pytest.mark.slow),
        pytest.param("l2:1", 3.0, True, marks=pytest.mark.slow),
        pytest.param("l2:1", 0.4, False, marks=pytest.mark.slow),
        ("changes:2", 20.0, True),
        ("changes:2", 10.0, False),
    ],
)
def test_vectors_within_a_distance_are_audited(relation: str, scale: float, holds: bool) -> None:
    """The L1 distance of five numbers of 0 to 10 is at most 2, 5, √5, or 20 here."""
    result = audit.run(
        of_scale(scale),
        epsilon=1.0,
        relation=relation,
        domain="float:0:10[5]",
        max_samples=40_000,
    )
    assert result.verdict is (Verdict.NOT_REFUTED if holds else Verdict.VIOLATION)
    document = result.to_json()
    assert (document["relation"], document["within"]) == ("declared", relation)
    assert restore(result.to_json()).relation == result.relation


@pytest.mark.parametrize(("dtype", "overflows"), [("float16", True), ("float64", False)])
def test_a_sum_that_overflows_from_some_size_on_is_found(dtype: str, overflows: bool) -> None:
    def noisy(data: Floats, rng: Generator) -> float:
        with np.errstate(over="ignore"):
            total = float(data.astype(dtype).sum(dtype=dtype))
        return total + rng.laplace(scale=10_016.0)

    found = search(noisy, "float:0:10000")
    assert found.refuted is overflows
    if overflows:
        assert len(found.pairs[0].dataset) == 6


@pytest.mark.parametrize(
    ("scale", "verdict"), [(1.0, Verdict.VIOLATION), (2.0, Verdict.NOT_REFUTED)]
)
def test_noise_that_suits_one_number_is_bet_on_where_all_move(
    scale: float, verdict: Verdict
) -> None:
    """Four numbers that move by a half each lose 2 / scale."""

    def noisy(data: Floats, rng: Generator, size: int) -> Floats:
        return data + rng.laplace(scale=scale, size=(size, 4))

    asked: dict[str, Any] = {"epsilon": 1.0, "relation": "l2:1", "max_samples": 60_000}
    assert audit.run(noisy, domain="float:0:1[4]", **asked).verdict is verdict
