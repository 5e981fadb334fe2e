"""Calls as units: the randomness of a unit is its own, and nothing of the grouping of units."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator
from numpy.typing import NDArray

from audit.blackbox.python import PythonBlackBox
from audit.outcomes.encoding import KIND, OUTPUT, Outcomes
from audit.sampling.sampler import Sampler
from audit.sampling.source import Stage
from audit.sampling.unit_sources import CallUnits, coarse
from audit.sampling.units import UnitKind, UnitPlan
from tests.sources import on


def singly(data: float, rng: Generator) -> float:
    return data + float(rng.random())


def many(data: float, rng: Generator, size: int) -> Any:
    return data + rng.random(size)


def failing(data: float, rng: Generator) -> float:
    if rng.random() < 0.5:
        raise KeyError("now and then")
    return data


@dataclass(slots=True)
class Program:
    """A program that is told a seed for each of its calls, and cannot share it between datasets.

    Attributes:
        many: True if a call gives many outputs.
    """

    many: bool
    name: str = "program"
    seeded: bool = False

    def bind(self, data: Any) -> Started:
        return Started(self.many)


@dataclass(slots=True)
class Started:
    many: bool

    def draw(self, rng: Generator, size: int) -> Any:
        own = np.random.default_rng(int(rng.integers(2**62)))
        return own.random(size) if self.many else float(own.random())


def units_of(function: Callable[..., Any], *datasets: float) -> CallUnits:
    sampler = Sampler.of(PythonBlackBox(function), 7)
    units = CallUnits(sampler, UnitKind.CALL)
    left, right = on(sampler.box, *(datasets or (0.0, 2.0)))
    units.add_pair(0, (left, right))
    return units


def plan(first: int, count: int, n: int = 1, share: float | None = None) -> UnitPlan:
    return UnitPlan(Stage.BET, 0, first, count, n, share)


def values(outcomes: Outcomes) -> NDArray[np.float64]:
    return np.asarray(outcomes.column(OUTPUT).values)


@pytest.mark.parametrize(
    ("function", "n", "share"), [(singly, 1, None), (many, 4, None), (singly, 3, 0.3)]
)
def test_units_do_not_depend_on_how_they_are_grouped(
    function: Callable[..., Any], n: int, share: float | None
) -> None:
    whole = units_of(function).drawn(plan(0, 30, n, share))
    other = units_of(function)
    parts = [other.drawn(plan(first, count, n, share)) for first, count in ((0, 7), (7, 23))]
    for side in (0, 1):
        joined = np.concatenate([values(part.sides[side]) for part in parts])
        np.testing.assert_array_equal(values(whole.sides[side]), joined)
        numbers = np.concatenate([parts[0].units[side], parts[1].units[side] + 7])
        np.testing.assert_array_equal(whole.units[side], numbers)


@pytest.mark.parametrize(("function", "n"), [(singly, 1), (many, 4)])
def test_both_calls_of_a_pair_have_common_random_numbers(
    function: Callable[..., Any], n: int
) -> None:
    units = units_of(function)
    batch = units.drawn(plan(0, 20, n))
    left, right = map(values, batch.sides)
    assert len(left) == 20 * n
    assert np.allclose(right - left, 2.0)
    assert len(set(left.tolist())) == 20 * n
    assert units.coupled
    assert units.sampler.samples == 40 * n


def test_no_two_answers_by_coins_share_random_numbers() -> None:
    """Units are independent of each other whatever dataset each is asked on."""
    units = units_of(singly, 0.0, 0.0)
    batches = [units.drawn(one) for one in (plan(0, 40, 1, 0.4), plan(40, 40, 1, 0.6))]
    found = np.concatenate([values(side) for batch in batches for side in batch.sides])
    assert len(found) == 80
    assert len(set(found.tolist())) == 80


@pytest.mark.parametrize("many", [False, True])
def test_no_two_calls_of_a_program_are_told_the_same_seed(many: bool) -> None:
    """Neither in one batch nor in several, nor on both datasets."""
    sampler = Sampler.of(Program(many), 7)
    units = CallUnits(sampler, UnitKind.CALL)
    left, right = on(sampler.box, 0.0, 2.0)
    units.add_pair(0, (left, right))
    plans = plan(0, 20), plan(20, 1), plan(21, 1), plan(22, 20)
    batches = [*map(units.drawn, plans)]
    found = np.concatenate([values(side) for batch in batches for side in batch.sides])
    assert len(set(found.tolist())) == len(found) == 84


def test_answers_by_coins_are_on_the_dataset_of_their_coin() -> None:
    batch = units_of(singly).drawn(plan(5, 50, 2, 0.3))
    tossed = plan(5, 50, 2, 0.3).sides(7)
    np.testing.assert_array_equal(np.bincount(batch.units[1], minlength=50), tossed.sum(axis=1))
    left, right = map(values, batch.sides)
    assert left.max() < 2.0 <= right.min()


def test_no_two_units_share_randomness_whatever_their_designs() -> None:
    """Without it noise by coins came again after a change of n, and right ones were accused."""
    units = units_of(singly, 0.0, 0.0)
    plans = [plan(0, 24, 8, 0.5), plan(24, 200, 1, 0.5), plan(224, 100, 2, 0.2), plan(324, 100)]
    batches = [*map(units.drawn, plans)]
    drawn = [values(side) for batch in batches[:3] for side in batch.sides]
    every = np.concatenate([*drawn, values(batches[3].sides[0])])
    assert len(every) == 24 * 8 + 200 + 100 * 2 + 100
    assert len(np.unique(every)) == len(every)


def test_failed_calls_are_outputs_and_are_counted() -> None:
    units = units_of(failing)
    batch = units.drawn(plan(0, 100))
    assert [side.size for side in batch.sides] == [100, 100]
    failed = [
        sum(side.column(KIND).names[code].startswith("raised") for code in symbols)
        for side in batch.sides
        if (symbols := side.column(KIND).symbols) is not None
    ]
    assert 20 < failed[0] == failed[1] < 80
    assert units.sampler.runs.lost == tuple(failed)
    assert units.sampler.first is not None


@pytest.mark.parametrize(
    ("seconds", "found"),
    [
        (0.0, 0.0),
        (2e-4, 0.0),
        (3e-4, 2.0**-9),
        (0.015, 2.0**-9),
        (0.02, 0.125),
        (0.9, 0.125),
        (2, 8),
    ],
)
def test_times_are_a_factor_of_64_apart_if_they_matter(seconds: float, found: float) -> None:
    assert coarse(seconds) == found


def test_the_time_of_a_call_is_measured_once(monkeypatch: pytest.MonkeyPatch) -> None:
    moments = itertools.count(0.0, 0.25)
    monkeypatch.setattr("audit.sampling.separate_calls.perf_counter", lambda: next(moments))
    units = units_of(singly)
    before = units.costs()[0]
    units.drawn(plan(0, 50))
    assert units.costs()[0] == 0.125 > before
    moments = itertools.count(0.0, 16.0)
    units.drawn(plan(50, 50))
    assert units.costs()[0] == 0.125


def test_processes_that_start_first_are_no_time_of_a_call(monkeypatch: pytest.MonkeyPatch) -> None:
    moments = iter([0.0, 1000.0])
    monkeypatch.setattr("audit.sampling.unit_sources.perf_counter", lambda: next(moments))
    units = units_of(singly)
    before = units.costs()[0]
    units.drawn(plan(0, 50))
    assert units.costs()[0] == before
