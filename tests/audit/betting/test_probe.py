"""Probes look at pairs within a budget and leave later draws as they are."""

from __future__ import annotations

import gc
import math
import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator
from numpy.typing import NDArray

import audit
import audit.betting.probe
from audit.betting.probe import Probe
from audit.betting.sameness import Sameness, alike_so_far
from audit.blackbox.python import PythonBlackBox
from audit.claims import PureDP
from audit.errors import BlackBoxError
from audit.neighbors import Pair, neighboring
from audit.neighbors.search.oracle import Unreadable
from audit.outcomes.encoding import encode
from audit.progress import Deadline, Warned
from audit.relation import Relation
from audit.sampling.sampler import Sampler
from audit.sampling.source import Address, Stage
from tests.sources import pairs

Floats = NDArray[np.float64]


def noisy_sum(data: Floats, rng: Generator, size: int) -> Floats:
    return float(data.sum()) + rng.laplace(size=size)


def failing_when_empty(data: Floats, rng: Generator, size: int) -> Floats:
    if len(data) == 0:
        raise ValueError("nothing")
    return noisy_sum(data, rng, size)


def pair(left: list[float], right: list[float]) -> Pair:
    return neighboring("P", np.array(left), np.array(right), Relation.ADD_REMOVE)


def probe(function: object, limit: int = 10_000, epsilon: float = 1.0) -> Probe:
    sampler = Sampler.of(PythonBlackBox(function), 0)
    return Probe(PureDP(epsilon), 0.001, sampler, limit)


RIGHT, WRONG = pair([], [1.0]), pair([], [9.0])


def test_looks_add_up_and_cost_what_they_draw() -> None:
    eye = probe(noisy_sum)
    first, again, last = (eye.score(WRONG, runs) for runs in (16, 16, 40))
    assert first == again is not None
    assert last != first
    assert eye.sampler.samples == 40


def test_nothing_is_drawn_beyond_the_limit() -> None:
    eye = probe(noisy_sum, limit=50)
    assert eye.score(WRONG, 40) is not None
    assert eye.score(WRONG, 80) is None
    assert eye.refutes(WRONG, 10_000) is None
    assert eye.sampler.samples == 40
    eye.allow(40)
    assert eye.score(WRONG, 80) is not None


def test_pairs_that_behave_alike_score_alike() -> None:
    eye = probe(noisy_sum)
    few = eye.score(pair([], [2.0]), 128)
    many = eye.score(pair([0.0] * 9, [0.0] * 9 + [2.0]), 128)
    assert few is not None
    assert few == many
    assert few > 0


def test_another_object_is_another_pair_under_the_same_randomness() -> None:
    eye = probe(noisy_sum)
    assert eye.score(WRONG, 32) == eye.score(replace(WRONG), 32)
    assert eye.sampler.samples == 64


def test_pairs_that_nobody_holds_are_forgotten() -> None:
    eye = probe(noisy_sum)
    eye.score(pair([], [2.0]), 32)
    gc.collect()
    assert len(eye.looks) == 0


def test_a_certain_event_scores_what_the_scale_says() -> None:
    eye = probe(lambda data, rng: len(data))
    for runs in (2, 16, 64):
        assert eye.score(RIGHT, runs) == runs / 2 * eye.scale.certain
    assert eye.scale.goal == -math.log(0.001)


def test_a_wrong_pair_is_refuted_at_the_cost_told() -> None:
    eye = probe(noisy_sum)
    runs = eye.refutes(WRONG, 10_000)
    assert runs is not None
    assert 50 < runs < 500
    assert eye.sampler.samples == runs


@pytest.mark.parametrize("runs", [100, 5_000])
def test_a_right_pair_is_not_refuted_whatever_is_spent(runs: int) -> None:
    eye = probe(noisy_sum)
    assert eye.refutes(RIGHT, runs) is None
    assert eye.sampler.samples <= runs


def test_what_no_event_can_refute_is_not_tried() -> None:
    eye = probe(noisy_sum, epsilon=8.0)
    assert eye.refutes(WRONG, 10_000) is None
    assert eye.sampler.samples == 0


def test_failing_runs_are_drawn_one_by_one() -> None:
    eye = probe(failing_when_empty)
    assert eye.score(WRONG, 16) == pytest.approx(8 * eye.scale.certain)
    assert eye.refutes(WRONG, 10_000) is not None


def test_kinds_tell_exceptions_from_answers() -> None:
    eye = probe(failing_when_empty)
    assert eye.law(np.empty(0)).kinds == {"raised ValueError"}
    assert eye.law(np.ones(1)).kinds == {"float"}
    eye.limit = 0
    assert not eye.law(np.ones(1)).kinds


def test_memory_that_runs_out_makes_a_pair_unreadable(monkeypatch: pytest.MonkeyPatch) -> None:
    def greedy(*_: object) -> float:
        raise MemoryError("3 TiB")

    monkeypatch.setattr(audit.betting.probe, "glance", greedy)
    eye = probe(noisy_sum)
    with pytest.raises(Unreadable, match="3 TiB"):
        eye.score(RIGHT, 16)
    assert eye.sampler.samples == 16


def test_later_draws_are_the_same_with_and_without_a_search() -> None:
    searched, untouched = probe(failing_when_empty), probe(failing_when_empty)
    for number in range(5):
        searched.score(pair([], [float(number)]), 32)
        searched.refutes(WRONG, 500)
    drawn = [
        pairs(eye.sampler, Address(Stage.BET, number, 0), np.ones(1), np.ones(2), 50)
        for eye in (searched, untouched)
        for number in (0, 1, 2)
    ]
    values = [[side.columns["output"].values.tolist() for side in sides] for sides in drawn]
    assert values[:3] == values[3:]


@pytest.mark.slow
def test_pairs_that_were_given_are_asked_before_nothing_is_hoped_for() -> None:
    def fails_on_many(data: Any, rng: Generator) -> float:
        if len(data) > 2:
            raise KeyError("too many")
        return len(data) + float(rng.laplace())

    result = audit.run(fails_on_many, epsilon=1.0, data=[5, 10, 11], max_samples=20_000)
    assert result.verdict == "violation"
    assert result.witness is not None
    assert "raises KeyError" in audit.render(result, "text")


@pytest.mark.parametrize("share", [0.86, 1.0])
def test_only_runs_that_always_fail_are_a_reason_to_give_up(share: float) -> None:
    """All pairs have the same random numbers, with which the first run fails in both cases."""

    def fails(data: Any, rng: Generator) -> float:
        if rng.random() < share:
            raise RuntimeError("busy")
        return len(data) + float(rng.laplace())

    eye = probe(fails)

    def look_at_many() -> None:
        for value in range(40):
            eye.score(pair([], [float(value)]), 2)

    if share < 1.0:
        look_at_many()
        assert eye.same.valued
    else:
        with pytest.raises(BlackBoxError, match="busy"):
            look_at_many()


def test_nothing_is_hoped_for_where_they_fail_as_well() -> None:
    def fails(data: Any, rng: Generator) -> float:
        raise KeyError("never")

    with pytest.raises(
        BlackBoxError, match="^KeyError: .*never.* on every dataset tried, such as .*`data`"
    ):
        audit.run(fails, epsilon=1.0, data=[5, 10, 11], max_samples=20_000)


def hanging(data: Floats, rng: Generator) -> float:
    time.sleep(60.0)
    return 0.0


@pytest.mark.parametrize(("seconds", "runs"), [(60.0, 1), (math.inf, 4)])
def test_runs_that_hang_are_not_repeated_if_time_is_limited(seconds: float, runs: int) -> None:
    sampler = Sampler.of(PythonBlackBox(hanging, timeout=0.05), 0)
    one = Probe(PureDP(1.0), 0.001, sampler, 1_000, Deadline(time.perf_counter() + seconds))
    with pytest.raises(Unreadable) as told:
        one.score(WRONG, 4)
    assert told.value.late
    assert sampler.samples == runs


def test_a_first_run_in_time_changes_no_look() -> None:
    limited = replace(probe(noisy_sum), deadline=Deadline(time.perf_counter() + 60.0))
    assert limited.score(WRONG, 64) == probe(noisy_sum).score(WRONG, 64)
    assert limited.sampler.samples == 64 + 1


@pytest.mark.parametrize(("value", "shown"), [(None, " (None)"), (3.0, " (3)"), ([1, 2], "")])
def test_outputs_that_are_all_alike_for_long_are_warned_of_once(value: Any, shown: str) -> None:
    clock, heard = iter(range(1_000)), list[Any]()
    slow = Deadline(now=lambda: float(next(clock)))
    sampler = Sampler.of(PythonBlackBox(lambda data: value), 0)
    eye = Probe(PureDP(1.0), 0.001, sampler, 10_000, slow, heard.append)
    for record in range(20):
        eye.score(pair([], [float(record)]), 4)
    (warning,) = (event.sentence for event in heard if isinstance(event, Warned))
    assert f" runs so far gave one and the same output{shown} on every dataset; " in warning


@pytest.mark.parametrize("function", [lambda data: len(data), noisy_sum])
def test_outputs_that_differ_are_not_warned_of(function: Any) -> None:
    clock, heard = iter(range(1_000)), list[Any]()
    slow = Deadline(now=lambda: float(next(clock)))
    eye = Probe(PureDP(1.0), 0.001, probe(function).sampler, 10_000, slow, heard.append)
    for record in range(20):
        eye.score(pair([], [float(record)]), 4)
    assert heard and not any(isinstance(event, Warned) for event in heard)


def test_quick_outputs_are_not_warned_of() -> None:
    same = Sameness()
    side = encode([None] * 60, 60)
    same.add((side, side))
    assert not alike_so_far([same], 4.9)
    assert "all 120 runs so far" in alike_so_far([same], 5.0)
