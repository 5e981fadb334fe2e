"""Where a seed cannot hold, it is noticed, and nowhere else."""

from __future__ import annotations

import os
import random
import secrets
import sys
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.random import Generator

from audit.blackbox.command import CommandBlackBox
from audit.blackbox.interface import BlackBox
from audit.blackbox.python import PythonBlackBox
from audit.errors import BlackBoxError
from audit.sampling.repeatability import Repetition, repetition_of, same
from audit.sampling.runs import Runs
from audit.sampling.source import Source

DATASETS = [np.array([1.0, 2.0]), np.array([1.0])]


def of(box: BlackBox, seed: int, samples: int) -> Repetition:
    sources = [Source(box, data) for data in DATASETS]
    return repetition_of(sources, seed, samples, 1_000, Runs(), travels=False)


def repetition(function: Any, samples: int = 400_000) -> Repetition:
    return of(PythonBlackBox(function), 7, samples)


def fails(data: Any, rng: Generator) -> Any:
    raise ValueError(f"{rng.random()}")


REPEATABLE: list[Any] = [
    lambda data: 1.0,
    lambda data: float("nan"),
    lambda data: random.random(),
    lambda data: np.random.laplace(size=3),  # noqa: NPY002
    lambda data, rng: {"a": rng.random(), "b": [None, "x"]},
    lambda data, rng: pd.DataFrame({"a": rng.random(3)}),
    lambda data, rng: rng.random() + random.random(),
    lambda data, rng, size: rng.random(size),
    lambda data, size: [random.random() for _ in range(size)],
    fails,
]


@pytest.mark.parametrize("function", REPEATABLE)
def test_what_follows_from_the_seed_is_left_alone(function: Any) -> None:
    many = PythonBlackBox(function).many
    assert repetition(function) == Repetition(128 if many else 32)


class Counter:
    def __init__(self) -> None:
        self.calls = 0

    def release(self, data: Any, rng: Generator) -> float:
        self.calls += 1
        return rng.random() + self.calls


def fails_now_and_then(data: Any) -> float:
    if os.urandom(1)[0] % 2:
        raise ValueError
    return 1.0


UNREPEATABLE: list[Any] = [
    lambda data: np.random.default_rng().laplace(),
    lambda data, rng: rng.random() + secrets.randbelow(1000),
    lambda data, rng, size: rng.random(size) * random.SystemRandom().random(),
    lambda data, size: np.random.default_rng().random(size),
    lambda data: secrets.randbelow(4) == 0,  # at odds of 3 to 1
    fails_now_and_then,
    Counter(),
]


@pytest.mark.parametrize("function", UNREPEATABLE)
def test_what_does_not_is_told(function: Any) -> None:
    found = repetition(function)
    assert found.note.startswith("--seed does not hold: two runs of ")
    assert found.note.endswith("; the same command will give other numbers")
    assert 2 <= found.runs <= 128


def test_a_difference_on_the_neighbor_alone_is_seen() -> None:
    found = repetition(lambda data: 0.0 if len(data) == 2 else secrets.randbelow(10**6))
    assert found.note
    assert found.runs == 4


@pytest.mark.parametrize(("samples", "runs"), [(1, 2), (300, 6), (1600, 32), (10**6, 32)])
def test_small_audits_spend_little_on_it(samples: int, runs: int) -> None:
    assert repetition(lambda data: 1.0, samples).runs == runs


def test_the_dataset_is_not_changed() -> None:
    def spoils(data: Any) -> float:
        data += 1.0
        return float(data.sum())

    before = DATASETS[0].copy()
    assert not repetition(spoils).note
    assert np.array_equal(DATASETS[0], before)


def program(source: str, *more: str) -> Repetition:
    box = CommandBlackBox([sys.executable, "-c", source, "{data}", *more])
    return of(box, 0, 200)


def test_programs_without_a_seed_are_not_run_for_this() -> None:
    found = program("print(1)")
    assert found.runs == 0
    assert "is given no seed" in found.note


def test_programs_that_use_or_ignore_their_seed() -> None:
    used = "import random, sys; random.seed(sys.argv[2]); print(random.random())"
    assert program(used, "{seed}") == Repetition(4)
    assert program("import random; print(random.random())", "{seed}").note


def test_what_ends_an_audit_ends_this_as_well() -> None:
    def refuses(data: Any) -> Any:
        raise BlackBoxError("cannot be run")

    with pytest.raises(BlackBoxError):
        repetition(refuses)


class Strange:
    def __eq__(self, other: object) -> bool:
        raise ValueError

    __hash__ = None  # type: ignore[assignment]


@pytest.mark.parametrize(
    ("first", "second", "alike"),
    [
        (1, 1.0, False),
        (np.array([1, 2]), np.array([1.0, 2.0]), False),
        (np.array([1.0, np.nan]), np.array([1.0, np.nan]), True),
        (np.array([1.0]), np.array([1.0, 2.0]), False),
        (np.array([None, "a"]), np.array([None, "a"]), True),
        ([1, [2]], [1, [2]], True),
        ([1, [2]], [1, [3]], False),
        ({"a": 1}, {"a": 1}, True),
        ({"a": 1}, {"b": 1}, False),
        ({1, 2}, {2, 1}, True),
        (pd.Series([1, 2]), pd.Series([1, 3]), False),
        (ValueError, KeyError, False),
        (Strange(), Strange(), True),
    ],
)
def test_outputs_are_compared_as_an_audit_sees_them(first: Any, second: Any, alike: bool) -> None:
    assert same(first, second) is alike
