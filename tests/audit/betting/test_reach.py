"""What a budget can show."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from audit.betting.capital import Capital
from audit.betting.gambler import Gambler
from audit.betting.power import detectable_epsilon, floor_pairs
from audit.betting.schedule import FIRST
from audit.blackbox.python import PythonBlackBox
from audit.claim import ApproxDP, Claim, GaussianDP, PureDP
from audit.sampling.sampler import Sampler
from tests.games import gambler_of
from tests.sources import pair_draws


def played(function: Any, claim: Claim, samples: int, alpha: float = 0.05) -> Gambler:
    sampler = Sampler.of(PythonBlackBox(function), 3)
    gambler = gambler_of(sampler, Capital(claim, alpha), [pair_draws(sampler.box, 1.0, 0.0)])
    gambler.play(samples)
    return gambler


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0, 5.0])
@pytest.mark.parametrize("alpha", [0.05, 0.001])
def test_certain_differences_are_refuted_about_when_the_floor_says(
    epsilon: float, alpha: float
) -> None:
    """Nothing is faster than an event that is certain on D and impossible on D'."""
    floor = floor_pairs(PureDP(epsilon), alpha)

    def certain(data: float, rng: np.random.Generator, size: int) -> Any:
        return np.full(size, data)

    gambler = played(certain, PureDP(epsilon), 20 * floor, alpha)
    assert gambler.portfolios.claim.refuted
    assert 0.8 * floor <= gambler.pairs[0].drawn <= 2.0 * floor + FIRST


def test_the_floor_grows_like_the_exponential_of_epsilon() -> None:
    floors = [floor_pairs(PureDP(epsilon), 0.05) for epsilon in (6.0, 8.0, 10.0)]
    assert floors[1] / floors[0] == pytest.approx(math.e**2, rel=0.02)
    assert floors[2] / floors[1] == pytest.approx(math.e**2, rel=0.02)
    assert 66_000 < floors[2] < 150_000


def test_claims_that_say_nothing_have_no_reach() -> None:
    assert floor_pairs(GaussianDP(300.0), 0.05) == 1 << 62
    assert floor_pairs(ApproxDP(1.0, 0.999999), 0.05) > 10**6


def test_more_pairs_see_smaller_excesses() -> None:
    def noisy(data: float, rng: np.random.Generator, size: int) -> Any:
        return data + rng.laplace(size=size)

    capital = played(noisy, PureDP(1.0), 20_000).portfolios.claim
    found = [detectable_epsilon(capital, pairs) for pairs in (12, 100, 1000, 10_000, 100_000)]
    assert found[0] == math.inf
    finite = [epsilon for epsilon in found[1:] if epsilon is not None]
    assert len(finite) == 4
    assert finite == sorted(finite, reverse=True)
    assert finite[-1] == pytest.approx(1.0, abs=0.2)


def test_what_is_said_to_be_detectable_is_detected() -> None:
    """A tight mechanism says what it could have shown; one just so wrong is refuted."""

    def answer(data: float, truth: float, rng: np.random.Generator, size: int) -> Any:
        return (rng.random(size) < truth) == bool(data)

    def response(epsilon: float) -> Any:
        truth = 1.0 / (1.0 + math.exp(-epsilon))
        return lambda data, rng, size: answer(data, truth, rng, size)

    capital = played(response(1.0), PureDP(1.0), 10_000).portfolios.claim
    detectable = detectable_epsilon(capital, 5000)
    assert detectable is not None
    assert 1.0 < detectable < 1.5
    assert played(response(1.05 * detectable), PureDP(1.0), 10_000).portfolios.claim.refuted


def test_bets_opened_where_the_budget_ends_hide_nothing() -> None:
    def noisy(data: float, rng: np.random.Generator, size: int) -> Any:
        return data + rng.laplace(size=size)

    gambler = played(noisy, PureDP(1.0), 20_000)
    before = detectable_epsilon(gambler.portfolios.claim, 10_000)
    newest = gambler.portfolios.claim.epochs[-1].positions[0]
    gambler.portfolios.claim.invest({0: newest.portfolio}, {0: 1.0})
    assert before is not None
    assert detectable_epsilon(gambler.portfolios.claim, 10_000) == before


def test_nothing_drawn_nothing_said() -> None:
    assert detectable_epsilon(Capital(PureDP(1.0), 0.05), 1000) is None
