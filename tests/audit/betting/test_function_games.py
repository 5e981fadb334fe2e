"""Games on Gaussians: what functions refute that events hardly do, and what they leave alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from audit.betting.capital import Capital
from audit.betting.gambler import Gambler
from audit.betting.schedule import Schedule
from audit.blackbox.python import PythonBlackBox
from audit.case import Until
from audit.claim import Claim, RenyiDP, ZeroConcentratedDP
from audit.sampling.sampler import Sampler
from tests.games import gambler_of
from tests.sources import pair_draws

ZCDP, RENYI = ZeroConcentratedDP(0.5), RenyiDP(2.0, 1.0)
"""What Gaussian noise of standard deviation 1 keeps exactly at a distance of 1."""


def played(
    claim: Claim,
    distance: float,
    pairs: int,
    seed: int,
    until: Until = Until.VIOLATION,
    alpha: float = 0.05,
    coupled: bool = True,
) -> Gambler:
    def noisy(data: Any, rng: np.random.Generator, size: int) -> Any:
        return data * distance + rng.normal(size=size)

    sampler = Sampler.of(PythonBlackBox(noisy), seed, coupled=coupled)
    draws = pair_draws(sampler.box, 1.0, 0.0)
    gambler = gambler_of(sampler, Capital(claim, alpha), [draws], Schedule(until))
    gambler.play(2 * pairs)
    return gambler


@pytest.mark.parametrize(("claim", "most"), [(ZCDP, 5000), (RENYI, 12_000)])
def test_a_loss_of_1_44_times_the_claim_is_refuted_soon(claim: Claim, most: int) -> None:
    games = [played(claim, 1.2, 4 * most, seed) for seed in range(5)]
    assert all(game.portfolios.claim.refuted for game in games)
    assert np.median([game.pairs[0].drawn for game in games]) <= most


@pytest.mark.slow
@pytest.mark.parametrize(("claim", "most"), [(ZCDP, 5000), (RENYI, 12_000)])
def test_it_is_refuted_so_soon_whatever_the_seed(claim: Claim, most: int) -> None:
    games = [played(claim, 1.2, 4 * most, seed) for seed in range(100, 120)]
    assert all(game.portfolios.claim.refuted for game in games)
    assert np.median([game.pairs[0].drawn for game in games]) <= most


@pytest.mark.slow
@pytest.mark.parametrize("coupled", [True, False])
@pytest.mark.parametrize(("claim", "least"), [(ZCDP, 0.47), (RENYI, 0.92)])
def test_a_million_pairs_show_nearly_all_of_the_loss_and_not_more(
    claim: Claim, least: float, coupled: bool
) -> None:
    game = played(claim, 1.0, 1_000_000, 0, Until.BUDGET, coupled=coupled)
    assert least <= game.portfolios.claim.lower_bound() <= claim.level
    assert not game.portfolios.claim.refuted


@pytest.mark.slow
@pytest.mark.parametrize("coupled", [True, False])
@pytest.mark.parametrize("claim", [ZCDP, RENYI])
def test_what_is_exactly_at_its_claim_is_hardly_ever_accused(claim: Claim, coupled: bool) -> None:
    """More than 12 false alarms in 100 at a level of .05 happen with probability .0015."""
    games = (played(claim, 1.0, 3000, seed, coupled=coupled) for seed in range(100))
    assert sum(game.portfolios.claim.refuted for game in games) <= 12
