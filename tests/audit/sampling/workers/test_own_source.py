"""Randomness of a black box's own is found out, and whether it begins alike in every process."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

from audit.blackbox.python import PythonBlackBox
from audit.outcomes.encoding import encode
from audit.sampling.sampler import Sampler
from audit.sampling.source import Source
from audit.sampling.workers.own_source import Drawn, OwnSource, begin_alike, own_source
from audit.sampling.workers.processes import executor_of
from tests import noise_elsewhere

Law = Callable[[Generator, Generator, Generator, int], Any]
"""Outputs from the audit's generator, one that begins alike everywhere, and the system's."""


def drawn(law: Law, draws: int, system: int, alone: bool = True) -> list[Drawn]:
    """What a new process draws twice."""
    own, os = np.random.default_rng(3), np.random.default_rng(system)
    found = []
    for batch, size in enumerate((draws // 4, draws - draws // 4)):
        pair = [law(np.random.default_rng(batch), own, os, size) for _ in range(2)]
        found.append(Drawn(alone, *(encode(outputs, size) for outputs in pair)))
    return found


def alike(law: Law, draws: int, systems: tuple[int, int] = (1, 2), alone: bool = True) -> bool:
    here, there = (drawn(law, draws, system, alone) for system in systems)
    return begin_alike(here, there)


def texts(rng: Generator, n: int, share: float) -> list[str]:
    return ["yes" if one < share else "no" for one in rng.random(n)]


ALIKE: dict[str, Law] = {
    "own alone": lambda audit, own, os, n: own.laplace(size=n),
    "own and the audit's": lambda audit, own, os, n: audit.normal(size=n) + own.normal(size=n),
    "a coin": lambda audit, own, os, n: own.integers(0, 2, n),
    "texts": lambda audit, own, os, n: texts(own, n, 0.2),
    "one column of two": lambda audit, own, os, n: np.stack([own.random(n), os.random(n)], 1),
    "one column of fifty": lambda audit, own, os, n: np.concatenate(
        [os.random((n, 49)), own.random((n, 1))], 1
    ),
}
APART: dict[str, Law] = {
    "the audit's": lambda audit, own, os, n: audit.laplace(size=n),
    "the system's": lambda audit, own, os, n: os.laplace(size=n),
    "the system's and the audit's": lambda audit, own, os, n: os.random(n) + audit.random(n),
    "a coin": lambda audit, own, os, n: os.integers(0, 2, n),
    "texts": lambda audit, own, os, n: texts(os, n, 0.2),
    "fifty coins": lambda audit, own, os, n: os.integers(0, 2, (n, 50)),
    "a constant": lambda audit, own, os, n: np.zeros(n),
}


@pytest.mark.parametrize("name", ALIKE)
@pytest.mark.parametrize("draws", [16, 700])
def test_what_begins_alike_is_seen(name: str, draws: int) -> None:
    assert alike(ALIKE[name], draws)


@pytest.mark.parametrize("name", APART)
@pytest.mark.parametrize("draws", [16, 700])
def test_what_does_not_is_not(name: str, draws: int) -> None:
    assert not any(alike(APART[name], draws, (2 * k, 2 * k + 1)) for k in range(40))


def test_a_part_that_is_added_is_seen_by_its_sign() -> None:
    def added(audit: Generator, own: Generator, os: Generator, n: int) -> Any:
        return own.normal(size=n) + 0.8 * os.normal(size=n) + audit.normal(size=n)

    assert alike(added, 700)


@pytest.mark.parametrize("alone", [True, False])
def test_noise_of_the_system_that_a_call_shares_is_none(alone: bool) -> None:
    """Runs by themselves share nothing; the signs of those of one call would all agree."""

    def shared(audit: Generator, own: Generator, os: Generator, n: int) -> Any:
        return os.normal(size=n) + (0.0 if alone else 100.0 * os.normal())

    assert not any(alike(shared, 700, (2 * k, 2 * k + 1), alone) for k in range(40))


def test_seldom_does_the_system_seem_alike() -> None:
    """Where one draw in sixteen is another one, in which the bound of .02 is largest."""

    def seldom(audit: Generator, own: Generator, os: Generator, n: int) -> Any:
        return os.random(n) < 1 / 16

    wrong = sum(alike(seldom, 16, (2 * k, 2 * k + 1)) for k in range(400))
    assert wrong <= 20, "a mean of 8 is exceeded so with probability .0001"


def follows(data: Any, rng: Generator, size: int) -> Any:
    return data[0] + rng.laplace(size=size)


def of_a_library(data: Any, size: int) -> Any:
    return data[0] + noise_elsewhere.seeded(1.0, size)


def of_a_library_by_runs(data: Any) -> Any:
    return {"noisy": float(data[0] + noise_elsewhere.seeded(1.0)), "count": len(data)}


def in_single_calls(data: Any, rng: Generator, size: int) -> Any:
    noise = noise_elsewhere.seeded(1.0, size) if size == 1 else rng.laplace(size=size)
    return data[0] + noise


def of_the_system(data: Any, size: int) -> Any:
    return data[0] + noise_elsewhere.unseeded(1.0, size)


def coins_of_the_system(data: Any) -> bool:
    return bool(np.random.default_rng().random() < 0.5)


def failing_by_a_library(data: Any) -> float:
    if noise_elsewhere.seeded(1.0) > 0.0:
        raise ValueError("refused")
    return 0.0


def found(function: Any, executor: Any = None) -> OwnSource:
    box = PythonBlackBox(function)
    sampler = Sampler.of(box, seed=5)
    sources = [Source(box, np.ones(1)), Source(box, np.zeros(1))]
    return own_source(sampler, sources, executor or executor_of(1))


BOXES = {
    follows: OwnSource.NONE,
    of_a_library: OwnSource.ALIKE,
    of_a_library_by_runs: OwnSource.ALIKE,
    in_single_calls: OwnSource.ALIKE,
    failing_by_a_library: OwnSource.ALIKE,
    of_the_system: OwnSource.APART,
    coins_of_the_system: OwnSource.APART,
}


@pytest.mark.parametrize(
    "function", [follows, *(pytest.param(box, marks=pytest.mark.slow) for box in [*BOXES][1:])]
)
def test_own_randomness_is_found_by_trying(function: Any) -> None:
    before = noise_elsewhere.SEEDED.bit_generator.state
    assert found(function) is BOXES[function]
    assert noise_elsewhere.SEEDED.bit_generator.state == before, "nothing is drawn in this process"


@pytest.mark.slow
def test_forks_begin_with_what_they_were_forked_from() -> None:
    """Also with what came from the operating system before."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as forks:
        assert found(of_the_system, forks) is OwnSource.ALIKE
        assert found(follows, forks) is OwnSource.NONE
