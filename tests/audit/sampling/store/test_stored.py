"""Units in a store: recalled, and missing outcomes if they were begun and have no result."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator
from numpy.typing import NDArray

from audit.blackbox.python import PythonBlackBox
from audit.errors import BlackBoxError, OutcomeError
from audit.outcomes.encoding import OUTPUT, Outcomes
from audit.sampling.sampler import Sampler
from audit.sampling.source import Address, Source, Stage
from audit.sampling.store import Store
from audit.sampling.stored_draws import StoredSampler, kept_units
from audit.sampling.unit_sources import CallUnits
from audit.sampling.units import LOST, UnitKind, UnitPlan
from tests.audit.sampling.store.test_record import same

PLANS = {
    "pairs": UnitPlan(Stage.BET, 0, 4, 6),
    "coins": UnitPlan(Stage.BET, 0, 4, 6, 3, 0.4),
}


class Answers:
    """Noise, with calls counted; one of them may end the audit."""

    def __init__(self, stop: int = 0, error: BaseException | None = None) -> None:
        self.calls, self.stop, self.error = 0, stop, error

    def __call__(self, data: float, rng: Generator) -> float:
        self.calls += 1
        if self.calls == self.stop and self.error is not None:
            raise self.error
        return data + float(rng.random())


class Odd:
    """Nothing that can be read."""


@contextmanager
def units_in(path: Path, answers: Any) -> Iterator[CallUnits]:
    identity = {"version": "1"}
    with Store.opened(path, "box", identity, 1000) as store:
        box = PythonBlackBox(answers, timeout=None)
        sampler = Sampler.of(box, 5)
        units = CallUnits(sampler, UnitKind.CALL)
        units.keep = partial(kept_units, store)
        units.add_pair(0, (Source(box, 0.0), Source(box, 2.0)))
        yield units


def kinds(outcomes: Outcomes) -> set[str]:
    return set(outcomes.kinds)


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
def test_units_are_recalled_and_not_drawn_again(tmp_path: Path, plan: UnitPlan) -> None:
    first, second = Answers(), Answers()
    with units_in(tmp_path / "store", first) as units:
        drawn = units.drawn(plan)
        costs, samples = units.costs(), units.sampler.samples
    with units_in(tmp_path / "store", second) as units:
        recalled = units.drawn(plan)
        assert units.sampler.samples == samples == plan.runs
        assert units.costs() == costs
    assert second.calls == 0
    assert all(map(same, drawn.sides, recalled.sides))
    for one, other in zip(drawn.units, recalled.units, strict=True):
        np.testing.assert_array_equal(one, other)
    assert (recalled.count, recalled.n, recalled.share) == (plan.count, plan.n, plan.share)


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
def test_units_that_were_begun_and_have_no_result_are_missing_outcomes(
    tmp_path: Path, plan: UnitPlan
) -> None:
    """All of them count, on the datasets that their coins chose, and none is drawn again."""
    second = Answers()
    with (
        pytest.raises(KeyboardInterrupt),
        units_in(tmp_path / "store", Answers(5, KeyboardInterrupt())) as units,
    ):
        units.drawn(plan)
    with units_in(tmp_path / "store", second) as units:
        lost = units.drawn(plan)
        assert units.sampler.samples == plan.runs
    assert second.calls == 0
    expected: list[NDArray[np.intp]]
    if plan.share is None:
        expected = [np.arange(plan.count)] * 2
    else:
        behind, numbers = plan.sides(5), np.arange(plan.count)
        expected = [np.repeat(numbers, (behind == side).sum(axis=1)) for side in (False, True)]
    for outcomes, places, wanted in zip(lost.sides, lost.units, expected, strict=True):
        assert outcomes.size == len(wanted)
        assert kinds(outcomes) == {LOST}
        np.testing.assert_array_equal(places, wanted)
    assert (lost.count, lost.n, lost.share) == (plan.count, plan.n, plan.share)


def test_others_are_drawn_as_if_nothing_was_lost(tmp_path: Path) -> None:
    with (
        pytest.raises(KeyboardInterrupt),
        units_in(tmp_path / "store", Answers(5, KeyboardInterrupt())) as units,
    ):
        units.drawn(UnitPlan(Stage.BET, 0, 0, 4))
    later = UnitPlan(Stage.BET, 0, 4, 6)
    with units_in(tmp_path / "store", Answers()) as units:
        units.drawn(UnitPlan(Stage.BET, 0, 0, 4))
        found = units.drawn(later)
    with units_in(tmp_path / "other", Answers()) as units:
        expected = units.drawn(later)
    assert all(map(same, found.sides, expected.sides))


def test_outputs_that_cannot_be_read_are_the_same_error_again(tmp_path: Path) -> None:
    plan, calls = PLANS["pairs"], []

    def odd(data: float, rng: Generator) -> Any:
        calls.append(data)
        return Odd()

    messages = []
    for _ in range(2):
        with (
            units_in(tmp_path / "store", odd) as units,
            pytest.raises(OutcomeError, match="cannot be sorted") as error,
        ):
            units.drawn(plan)
        messages.append(str(error.value))
    assert messages[0] == messages[1]
    assert len(calls) <= plan.runs


def test_a_black_box_that_could_not_be_run_is_no_result(tmp_path: Path) -> None:
    """What kept it from being run may be gone when the audit goes on."""
    with (
        units_in(tmp_path / "store", Answers(5, BlackBoxError("no connection"))) as units,
        pytest.raises(BlackBoxError, match="no connection"),
    ):
        units.drawn(PLANS["pairs"])
    with units_in(tmp_path / "store", Answers()) as units:
        lost = units.drawn(PLANS["pairs"])
    assert [kinds(side) for side in lost.sides] == [{LOST}, {LOST}]


@pytest.mark.parametrize("many", [True, False])
def test_both_datasets_of_a_pair_of_the_search_are_recalled(tmp_path: Path, many: bool) -> None:
    def one(data: float, rng: Generator) -> float:
        return data + float(rng.random())

    def several(data: float, rng: Generator, size: int) -> Any:
        return data + rng.random(size)

    box, address = PythonBlackBox(several if many else one), Address(Stage.SEARCH, 1, 0, twin=0)
    for _ in range(2):
        with Store.opened(tmp_path / "store", "box", {"version": "1"}, 1000) as store:
            sampler = StoredSampler(box, 5, True, store=store)
            left, right = sampler.pairs(address, Source(box, 0.0), Source(box, 2.0), 8)
            assert sampler.samples == 16
        values = [side.column(OUTPUT).values for side in (left, right)]
        assert np.allclose(values[1] - values[0], 2.0)
        assert left.size == right.size == 8
