"""A dataset against itself: independent draws pass, draws that depend on each other do not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

from audit.betting.capital import Capital
from audit.betting.gambler import Gambler
from audit.betting.record import BettingRecord
from audit.blackbox.python import PythonBlackBox
from audit.claim import PureDP
from audit.neighbors import neighboring
from audit.relation import Relation
from audit.sampling.pair_draws import PairDraws
from audit.sampling.sampler import Sampler
from audit.sampling.source import sources_of
from audit.sampling.workers.local import LocalPool
from audit.verdict.self_check import self_check
from tests.games import gambler_of

PAIR = neighboring("D1", np.array([1.0]), np.empty(0), Relation.ADD_REMOVE)


def noisy(data: Any, rng: Generator, size: int) -> Any:
    return data.sum() + rng.laplace(scale=0.4, size=size)


def shared(data: Any, rng: Generator, size: int) -> Any:
    return data.sum() + np.full(size, rng.laplace()) + 1e-3 * rng.random(size)


def played(function: Callable[..., Any], samples: int = 10_000) -> Gambler:
    sampler = Sampler.of(PythonBlackBox(function, timeout=None), 4)
    draws = PairDraws(0, *sources_of(sampler.box, PAIR))
    gambler = gambler_of(sampler, Capital(PureDP(1.0), 0.01), [draws])
    gambler.play(samples)
    return gambler


def passes(gambler: Gambler, *limits: int) -> bool:
    record = BettingRecord.of(gambler)
    sampler = gambler.sampler
    sides = sources_of(sampler.box, PAIR)
    return self_check(record, sides, 0, sampler, LocalPool(), limits or (30_000,))


@pytest.mark.parametrize("function", [noisy, lambda data, rng: float(noisy(data, rng, 1)[0])])
def test_independent_draws_pass(function: Callable[..., Any]) -> None:
    gambler = played(function)
    before = gambler.sampler.samples
    assert passes(gambler)
    assert before < gambler.sampler.samples <= before + 30_000


def test_draws_that_depend_on_each_other_fail() -> None:
    assert not passes(played(shared))


def test_a_check_that_has_failed_is_not_made_again_with_more_runs() -> None:
    gambler = played(shared)
    assert not passes(gambler, 20_000)
    assert not passes(gambler, 20_000, 30_000)
    assert not passes(gambler, 20_000, 1_000_000)


def test_calls_grow_as_large_as_those_of_the_bets() -> None:
    sizes: list[int] = []

    def sized(data: Any, rng: Generator, size: int) -> Any:
        sizes.append(size)
        return rng.laplace(size=size)

    gambler = played(sized, 60_000)
    largest = max(sizes)
    sizes.clear()
    assert passes(gambler, 60_000)
    assert max(sizes) >= largest / 4
