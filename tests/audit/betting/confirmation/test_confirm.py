"""What bets have won is said only where fresh calls win it again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

import audit
from audit.betting.capital import Capital
from audit.betting.confirmation.confirm import Confirmer
from audit.betting.confirmation.plan import _MOST_STANDING
from audit.betting.gambler import Gambler
from audit.betting.record import CapitalRecord
from audit.blackbox.python import BoundFunction, PythonBlackBox
from audit.claim import PureDP
from audit.neighbors import neighboring
from audit.relation import Relation
from audit.sampling.pair_draws import PairDraws
from audit.sampling.sampler import Sampler
from audit.sampling.source import sources_of
from audit.sampling.workers.local import LocalPool
from tests.games import gambler_of

PAIR = neighboring("D1", np.array([1.0]), np.empty(0), Relation.ADD_REMOVE)
EPSILON, ALPHA = 1.0, 0.01


def exact(data: Any, rng: Generator, size: int) -> Any:
    return data.sum() + rng.laplace(size=size)


def too_loud(data: Any, rng: Generator, size: int) -> Any:
    return data.sum() + rng.laplace(scale=0.6, size=size)


def no_noise(data: Any, rng: Generator, size: int) -> Any:
    return np.full(size, data.sum())


def sorts(data: Any, rng: Generator, size: int) -> Any:
    return np.sort(too_loud(data, rng, size))


def shares(data: Any, rng: Generator, size: int) -> Any:
    """Exactly private, with half of its noise's variance common to a call."""
    here = np.random.default_rng(rng.integers(2**63) + len(data))
    return data.sum() + np.where(here.random(size) < 0.5, 1, -1) * here.exponential()


def fails_at_large(data: Any, rng: Generator, size: int) -> Any:
    if size > 1 and fails_at_large.failing:  # type: ignore[attr-defined]
        raise MemoryError
    return too_loud(data, rng, size)


def played(function: Callable[..., Any], seed: int = 0, runs: int = 20_000) -> Gambler:
    sampler = Sampler.of(PythonBlackBox(function, timeout=None), seed)
    draws = PairDraws(0, *sources_of(sampler.box, PAIR))
    gambler = gambler_of(sampler, Capital(PureDP(EPSILON), ALPHA), [draws])
    gambler.play(runs)
    return gambler


def confirmed(gambler: Gambler, runs: int = 100_000, beyond: bool = False) -> float:
    """The level that fresh calls win, 0 where there is none."""
    record = CapitalRecord.of(gambler.portfolios.claim)
    sides = [sources_of(gambler.sampler.box, PAIR)]
    confirmer = Confirmer(gambler.sampler, LocalPool(), sides, 1.0, beyond=beyond)
    wealth = confirmer.confirmed(record, runs, runs)
    return 0.0 if wealth is None else wealth.level


@pytest.mark.parametrize("function", [too_loud, no_noise, sorts])
def test_what_breaks_its_claim_is_confirmed(function: Callable[..., Any]) -> None:
    gambler = played(function)
    assert gambler.portfolios.claim.refuted
    assert confirmed(gambler) >= EPSILON


def test_confirming_costs_no_more_than_half_again_what_the_bets_took() -> None:
    """In the middle of 20 games; a few lucky bets take longer to be won again."""
    ratios = []
    for seed in range(20):
        gambler = played(too_loud, seed)
        before = gambler.sampler.samples
        assert confirmed(gambler) >= EPSILON
        ratios.append((gambler.sampler.samples - before) / before)
    assert np.median(ratios) <= 1.5


@pytest.mark.slow
def test_what_shares_noise_within_a_call_is_accused_by_bets_and_never_confirmed() -> None:
    """A right mechanism: 30 games at alpha = .01, of which 6 may be lost (chance 1e-9)."""
    games = [played(shares, seed, 4000) for seed in range(30)]
    accused = [gambler for gambler in games if gambler.portfolios.claim.refuted]
    assert len(accused) > 8
    assert sum(confirmed(gambler, 5000) >= EPSILON for gambler in accused) <= 6


@pytest.mark.slow
def test_no_bound_is_larger_than_the_bets_had_it_nor_than_the_truth() -> None:
    for seed in range(10):
        gambler = played(exact, seed)
        level = CapitalRecord.of(gambler.portfolios.claim).level
        assert 0.5 < confirmed(gambler) <= min(level, 1.0)


def test_a_bound_is_that_of_the_fresh_calls_where_it_may_be_larger() -> None:
    """Its truth is 1/.6: of ten games at alpha = .01 two show more with chance 4e-3 at most."""
    larger, beyond = [], []
    for seed in range(10):
        gambler = played(too_loud, seed)
        bets = CapitalRecord.of(gambler.portfolios.claim).level
        assert confirmed(gambler) <= bets
        beyond.append(confirmed(gambler, beyond=True))
        larger.append(beyond[-1] - bets)
    assert sum(bound > 1.0 / 0.6 for bound in beyond) <= 1
    assert np.median(larger) > 0.02


def test_a_bound_of_what_stands_is_never_larger_than_the_bets_had_it() -> None:
    for seed in range(5):
        gambler = played(exact, seed)
        level = CapitalRecord.of(gambler.portfolios.claim).level
        assert confirmed(gambler, beyond=True) <= min(level, 1.0)


def test_a_failing_call_for_many_is_confirmed_one_by_one() -> None:
    fails_at_large.failing = False  # type: ignore[attr-defined]
    gambler = played(fails_at_large)
    fails_at_large.failing = True  # type: ignore[attr-defined]
    assert confirmed(gambler) >= EPSILON


def test_the_runs_are_kept_to_and_what_was_not_won_is_not_confirmed() -> None:
    gambler = played(too_loud)
    before = gambler.sampler.samples
    assert confirmed(gambler, 20) == 0.0
    assert gambler.sampler.samples <= before + 20
    assert confirmed(played(exact, runs=100)) == 0.0


def test_a_box_that_keeps_state_is_bet_on_in_blocks_of_calls() -> None:
    gambler = played(no_noise)
    gambler.sampler.stateful = True
    before = gambler.sampler.samples
    assert confirmed(gambler) >= EPSILON
    assert (gambler.sampler.samples - before) % 16 == 0


def test_calls_that_give_the_same_again_and_again_are_noticed() -> None:
    kept: dict[Any, Any] = {}

    def caches(data: Any, rng: Generator, size: int) -> Any:
        return kept.setdefault((len(data), size), too_loud(data, rng, size))

    gambler = played(too_loud)
    shares, sides = {0: (0.01, 0.01)}, [sources_of(PythonBlackBox(caches, timeout=None), PAIR)]
    confirmer = Confirmer(gambler.sampler, LocalPool(), sides, 1.0, commonest=shares)
    confirmer.confirmed(CapitalRecord.of(gambler.portfolios.claim), 10_000, 10_000)
    assert confirmer.repeating


@pytest.mark.parametrize(("kept", "alike"), [(64, True), (1, False)])
def test_calls_in_a_row_are_compared_by_all_that_they_gave(kept: int, alike: bool) -> None:
    """What is bet on is drawn anew in every call, and tells nothing of what stands beside it."""
    calls = [0]

    def beside(data: Any, rng: Generator, size: int) -> Any:
        calls[0] += 1
        drift = np.random.default_rng(calls[0] // kept).random()
        return np.column_stack([data.sum() + rng.laplace(scale=0.8, size=size), [drift] * size])

    def anew(data: Any, rng: Generator, size: int) -> Any:
        return np.column_stack([data.sum() + rng.laplace(scale=0.8, size=size), rng.random(size)])

    gambler, sides = played(anew), [sources_of(PythonBlackBox(beside, timeout=None), PAIR)]
    confirmer = Confirmer(gambler.sampler, LocalPool(), sides, 1.0)
    confirmer.confirmed(CapitalRecord.of(gambler.portfolios.claim), 60_000, 60_000)
    assert confirmer.tries
    assert confirmer.in_a_row == alike


def test_a_bound_takes_no_more_calls_where_there_are_more_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A call costs as much as hundreds of outputs of one call; runs are spent on larger calls."""
    sizes: list[int] = []
    draw = BoundFunction.draw

    def counted(bound: BoundFunction, rng: Generator, size: int) -> Any:
        sizes.append(size)
        return draw(bound, rng, size)

    monkeypatch.setattr(BoundFunction, "draw", counted)
    bounds, made = [], []
    for runs in (400_000, 4_000_000):
        sizes.clear()
        few: dict[str, Any] = {"alpha": 0.05, "max_samples": runs, "data": [1.0], "neighbors": [[]]}
        bounds.append(audit.run(exact, epsilon=1.0, **few).epsilon_lower)
        made.append(len(sizes))
    assert max(made) < 2.5 * _MOST_STANDING
    assert 0.95 < bounds[0] < bounds[1] < 1.0
