"""Generators that a mechanism holds begin anew in every life, and equal ones stay equal."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.random import MT19937, PCG64DXSM, SFC64, Generator, Philox, RandomState, SeedSequence

from audit.blackbox.environment import left_as_found
from audit.sampling.independence.reachable import Anew, Ownership, begin_anew

OWN = Ownership()
SHARED = np.random.default_rng(5)
"""Reached by the name in the code of `of_a_module`."""


def of_a_module() -> float:
    return float(SHARED.random())


class OfAClass:
    """A generator that is an attribute of the class."""

    rng = np.random.default_rng(5)

    def __call__(self) -> float:
        return float(self.rng.random())


class OfAnObject:
    """A generator that is an attribute of the object."""

    def __init__(self, rng: Any) -> None:
        self.rng = rng

    def __call__(self) -> float:
        return float(self.rng.random())


def closure() -> Callable[[], float]:
    rng = np.random.default_rng(5)
    return lambda: float(rng.random())


def default() -> Callable[[], float]:
    def draw(rng: Generator = np.random.default_rng(5)) -> float:  # noqa: B008
        return float(rng.random())

    return draw


def nested() -> Callable[[], float]:
    held = {"all": [SimpleNamespace(rng=np.random.default_rng(5))]}
    return lambda: float(held["all"][0].rng.random())


def of_the_process() -> float:
    return random.random() + float(np.random.random())  # noqa: NPY002


def begun(rng: Generator, draw: Callable[[], float]) -> Callable[[], float]:
    """The same with its generator in the state that it is made in."""
    rng.bit_generator.state = np.random.default_rng(5).bit_generator.state
    return draw


class Named(random.Random):
    """With a distribution of its own."""

    def laplace(self) -> float:
        return self.choice((-1, 1)) * self.expovariate(1.0)


class Counting(random.Random):
    """No generator that can be set: it has another state."""

    def seed(self, *_: Any) -> None:
        self.drawn = 0

    def random(self) -> float:
        self.drawn += 1
        return self.drawn / 100.0


def test_what_is_seeded_in_its_own_way_is_left_as_it_is() -> None:
    draw = OfAnObject(Counting())
    begin_anew(draw, Anew.of(SeedSequence(1)), OWN)
    assert [draw() for _ in range(3)] == [0.01, 0.02, 0.03]


KINDS: dict[str, Callable[[], Callable[[], float]]] = {
    "a variable of the module": lambda: begun(SHARED, of_a_module),
    "an attribute of the class": lambda: begun(OfAClass.rng, OfAClass()),
    "an attribute": lambda: OfAnObject(np.random.default_rng(5)),
    "a closure": closure,
    "a default": default,
    "a container": nested,
    "a partial": lambda: functools.partial(OfAnObject(np.random.default_rng(5))),
    "the global generators": lambda: of_the_process,
    "RandomState": lambda: OfAnObject(RandomState(5)),
    "random.Random": lambda: OfAnObject(random.Random(5)),
    "a class of one's own": lambda: OfAnObject(Named(5)),
    **{
        kind.__name__: functools.partial(lambda kind: OfAnObject(Generator(kind(5))), kind)
        for kind in (MT19937, PCG64DXSM, SFC64, Philox)
    },
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_life_draws_from_its_own_words_alone(kind: str) -> None:
    """From one and the same state, lives with other words draw other noise."""
    found = []
    with left_as_found():
        for entropy in (1, 2, 1):
            draw = KINDS[kind]()
            begin_anew(draw, Anew.of(SeedSequence(entropy)), OWN)
            found.append([draw() for _ in range(3)])
    assert found[0] == found[2] != found[1]
    assert len({*found[0], *found[1]}) == 6


def test_generators_in_equal_states_stay_equal_and_others_do_not() -> None:
    first, second, other = (OfAnObject(np.random.default_rng(seed)) for seed in (5, 5, 6))

    def box() -> tuple[float, float, float]:
        return first(), second(), other()

    begin_anew(box, Anew.of(SeedSequence(1)), OWN)
    one, same, another = box()
    assert one == same != another


def test_equal_words_give_equal_draws() -> None:
    found = []
    for _ in range(2):
        box = OfAnObject(np.random.default_rng(5))
        begin_anew(box, Anew.of(SeedSequence(9)), OWN)
        found.append(box())
    assert found[0] == found[1]
