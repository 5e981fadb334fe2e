"""What draws from the generators that everybody shares follows from the audit's seed as well."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator, SeedSequence

import audit
from audit.blackbox.environment import seed_global_generators
from audit.blackbox.python import PythonBlackBox
from audit.outcomes.encoding import OUTPUT, Outcomes
from audit.sampling.sampler import Sampler
from audit.sampling.source import Address, Source, Stage
from tests.sources import on

HERE, ELSEWHERE = Address(Stage.BET, 0, 0), Address(Stage.BET, 1, 0)


def laplace(data: float) -> float:
    return float(np.random.laplace(data))  # noqa: NPY002


def normal(data: float) -> float:
    """The generator keeps the second of two numbers for the next call."""
    return data + float(np.random.normal())  # noqa: NPY002


def gauss(data: float) -> float:
    return data + random.gauss(0.0, 1.0)


def both(data: Any, size: int) -> Any:
    return data + np.random.laplace(size=size) + random.random()  # noqa: NPY002


def beside_its_own(data: float, rng: Generator) -> float:
    return data + rng.random() + random.random()


def unevenly_beside_its_own(data: Any, rng: Generator, size: int) -> Any:
    np.random.random(data)  # noqa: NPY002
    return 10.0 * rng.random(size).round() + np.random.random(size)  # noqa: NPY002


def ignoring_its_own(data: Any, rng: Generator, size: int) -> Any:
    return np.random.laplace(data, size=size)  # noqa: NPY002


ALL = [laplace, normal, gauss, both, beside_its_own, unevenly_beside_its_own, ignoring_its_own]


def spoil() -> None:
    """Somebody else's random numbers."""
    random.random(), np.random.random_sample()  # noqa: NPY002


def pairs(function: Any, address: Address = HERE, seed: int = 0) -> list[list[float]]:
    spoil()
    sampler = Sampler.of(PythonBlackBox(function, timeout=None), seed)
    return [values(side) for side in sampler.pairs(address, *on(sampler.box, 1, 2), 20)]


def values(outcomes: Outcomes) -> list[float]:
    return [float(value) for value in outcomes.column(OUTPUT).values]


def alone(function: Any, side: int) -> list[float]:
    spoil()
    sampler = Sampler.of(PythonBlackBox(function, timeout=None), 0, coupled=False)
    return values(sampler.side(ELSEWHERE, Source(sampler.box, 1), 20, side))


@pytest.mark.parametrize("function", ALL)
def test_a_batch_can_be_drawn_again(function: Any) -> None:
    assert pairs(function) == pairs(function)
    assert alone(function, 1) == alone(function, 1)


@pytest.mark.parametrize("function", ALL)
def test_other_batches_seeds_and_sides_have_other_numbers(function: Any) -> None:
    drawn = [pairs(function), pairs(function, Address(Stage.BET, 0, 1)), pairs(function, seed=1)]
    every = [number for sides in drawn for side in sides for number in side]
    every += alone(function, 0) + alone(function, 1)
    assert len(set(every)) == 8 * 20


@pytest.mark.parametrize("function", [laplace, gauss, both, ignoring_its_own])
def test_sides_share_nothing_that_comes_from_global_generators(function: Any) -> None:
    left, right = pairs(function)
    assert not {round(x, 9) for x in left} & {round(x - 1.0, 9) for x in right}


def test_the_generator_that_is_given_stays_shared() -> None:
    left, right = pairs(lambda data, rng: rng.random() + 0 * random.random())
    assert left == right


def test_sides_that_use_up_different_amounts_share_no_global_numbers() -> None:
    left, right = pairs(unevenly_beside_its_own)
    assert [x >= 10 for x in left] == [x >= 10 for x in right]
    assert not {x % 10 for x in left} & {x % 10 for x in right}


@pytest.mark.parametrize("draw", [random.random, np.random.random_sample])
def test_seeding_decides_what_is_drawn(draw: Callable[[], float]) -> None:
    drawn = []
    for word in (1, 1, 2):
        seed_global_generators(SeedSequence(word))
        drawn.append(draw())
    assert drawn[0] == drawn[1] != drawn[2]


def test_a_generator_put_in_the_place_of_the_global_one_is_left_alone() -> None:
    shared: Any = np.random
    before = shared.get_bit_generator()
    shared.set_bit_generator(np.random.PCG64(1))
    try:
        seed_global_generators(SeedSequence(0))
    finally:
        shared.set_bit_generator(before)


def result_of(function: Any, workers: int = 1) -> dict[str, Any]:
    spoil()
    pair: dict[str, Any] = {"relation": "declared", "data": 1.0, "neighbors": [0.0]}
    result = audit.run(function, epsilon=0.5, max_samples=4000, workers=workers, **pair).to_json()
    return {key: value for key, value in result.items() if key not in ("seconds", "finished")}


@pytest.mark.slow
@pytest.mark.parametrize("function", [laplace, gauss, both])
def test_the_same_audit_gives_the_same_answer(function: Any) -> None:
    assert result_of(function) == result_of(function)


@pytest.mark.slow
def test_so_do_several_workers() -> None:
    def slowly(data: Any) -> float:
        time.sleep(2e-4)
        return laplace(data) + gauss(data)

    assert result_of(slowly) == result_of(slowly, workers=2)
