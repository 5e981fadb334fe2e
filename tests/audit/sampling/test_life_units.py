"""Fresh instances as units: what one is taken to cost, and which dataset is asked first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from audit.blackbox.python import PythonBlackBox
from audit.outcomes.leaves import Failure
from audit.sampling.independence.life import Answered, Life
from audit.sampling.independence.missing_outcome import Missing
from audit.sampling.sampler import Sampler
from audit.sampling.source import Stage
from audit.sampling.unit_sources import LifeUnits
from audit.sampling.units import UnitPlan
from tests.sources import on


@dataclass
class Instances:
    """In place of instances: each life takes so long, and its answers are alike."""

    seconds: float
    output: Any = 0.0
    first_failure: Any = None
    moments: tuple[float, float] = (0.0, 0.0)
    asked: list[list[tuple[int, int]]] = field(default_factory=list)

    def add_dataset(self, data: Any) -> int:
        return int(data)

    def preliminary(self, questions: Any, entropy: Any) -> Any:
        return SimpleNamespace()

    def answered(self, lives: Sequence[Life], of_a_unit: int) -> list[Answered]:
        self.asked += [[(index, of_a_unit) for index, _ in life.questions] for life in lives]
        return [
            Answered(life.number, [self.output] * len(life.questions), None, self.seconds, 0.0)
            for life in lives
        ]


def units_of(instances: Any) -> LifeUnits:
    box = PythonBlackBox(lambda data, rng: 0.0)
    units = LifeUnits(Sampler.of(box, 0), instances, 1_000)
    units.add_pair(0, on(box, 0.0, 1.0))
    return units


@pytest.mark.parametrize(
    ("seconds", "counted"),
    [(0.002, 2**-9), (0.012, 2**-9), (0.05, 2**-9), (0.2, 2**-3), (0.6, 2**-3), (5.0, 8.0)],
)
def test_instances_with_and_without_large_libraries_cost_the_same(
    seconds: float, counted: float
) -> None:
    units = units_of(Instances(seconds))
    units.drawn(UnitPlan(Stage.BET, 0, 0, 4, 2, 0.5))
    assert units.costs()[0] == counted


@pytest.mark.parametrize("reason", list(Missing))
def test_a_crash_of_an_instance_is_noted(reason: Missing) -> None:
    units = units_of(Instances(0.002, Failure(str(reason))))
    units.drawn(UnitPlan(Stage.BET, 0, 0, 4, 2, 0.5))
    assert units.sampler.runs.crashed is (reason is Missing.CRASH)


def test_coins_toss_which_dataset_of_a_pair_is_asked_first() -> None:
    """One after the other they would tell a process of even number from one of odd number."""
    instances = Instances(0.002)
    units = units_of(instances)
    units.drawn(UnitPlan(Stage.BET, 0, 0, 400))
    pairs = [(first[0], second[0]) for first, second in batched(instances.asked)]
    assert set(pairs) == {((0, 2), (1, 2)), ((1, 2), (0, 2))}
    assert 160 <= pairs.count(((0, 2), (1, 2))) <= 240
    later = Instances(0.002)
    units_of(later).drawn(UnitPlan(Stage.BET, 0, 100, 300))
    assert later.asked == instances.asked[200:], "units are addressed by their number"


def batched(lives: list[Any]) -> list[tuple[Any, Any]]:
    return list(zip(lives[::2], lives[1::2], strict=True))
