"""A black box may follow another law where one output is asked for than where many are."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

import audit
from audit.betting.capital import Capital
from audit.betting.single_calls import one_by_one, worth_single_calls
from audit.blackbox.python import PythonBlackBox
from audit.claim import PureDP
from audit.neighbors import neighboring
from audit.relation import Relation
from audit.sampling.pair_draws import PairDraws
from audit.sampling.sampler import Sampler
from audit.sampling.source import sources_of
from tests.games import gambler_of
from tests.timeless import timeless

PAIR: dict[str, Any] = {"relation": "declared", "data": [1.0], "neighbors": [[0.0]]}
MANY = 100
Crowd = Callable[[Any, Generator, int], Any]


def noisy(data: Any, rng: Generator, size: int) -> Any:
    return np.sum(data) + rng.laplace(size=size)


def bare(data: Any, rng: Generator, size: int) -> Any:
    return np.full(size, np.sum(data))


def quiet(data: Any, rng: Generator, size: int) -> Any:
    return np.sum(data) + rng.laplace(scale=0.5, size=size)


def named(data: Any, rng: Generator, size: int) -> Any:
    """Randomized response at epsilon 1, in words."""
    says = rng.random(size) < math.e / (1.0 + math.e)
    return ["yes" if told == (np.sum(data) > 0.5) else "no" for told in says.tolist()]


def one(law: Crowd) -> Crowd:
    return lambda data, rng, size: (law if size == 1 else noisy)(data, rng, size)


def several(law: Crowd, above: int = 1) -> Crowd:
    return lambda data, rng, size: (law if size > above else noisy)(data, rng, size)


SLOW = ((bare, 1), (bare, MANY), (quiet, 1))


def audited(function: Callable[..., Any], **more: Any) -> audit.AuditResult:
    settings: dict[str, Any] = {"epsilon": 1.0, "alpha": 0.05, "max_samples": 200_000}
    return audit.run(function, name="box", **PAIR, **(settings | more))


@pytest.mark.parametrize("law", [bare, quiet])
def test_what_leaks_where_one_output_is_asked_for_is_caught(law: Crowd) -> None:
    result = audited(one(law))
    assert result.verdict == "violation"
    assert result.witness is not None and result.witness.pair == "D1 singly"
    assert any("was won on D1 singly" in note for note in result.notes)
    table = next(pair for pair in result.pairs if pair.name == "D1 singly")
    assert table.max_ratio > math.e
    assert result.samples <= 200_000 and sum(result.effort.values()) == result.samples


@pytest.mark.parametrize(
    ("law", "above"),
    [(quiet, MANY), *(pytest.param(*case, marks=pytest.mark.slow) for case in SLOW)],
)
def test_what_leaks_where_many_are_asked_for_is_caught(law: Crowd, above: int) -> None:
    result = audited(several(law, above), max_samples=300_000)
    assert result.verdict == "violation"
    assert result.epsilon_lower >= 1.0
    if above == MANY:
        assert any("depends on how many outputs are asked for" in note for note in result.notes)


@pytest.mark.parametrize("law", [noisy, named])
@pytest.mark.parametrize("seed", range(3))
def test_what_keeps_its_claim_at_every_size_is_not_accused(law: Crowd, seed: int) -> None:
    result = audited(law, seed=seed, max_samples=40_000)
    assert result.verdict == "not-refuted"
    assert result.epsilon_lower <= 1.0


class Keeping:
    """Laplace noise that is kept for calls of some sizes."""

    def __init__(self, kept: Callable[[int], bool]) -> None:
        self.kept, self.held = kept, {}  # type: ignore[var-annotated]

    def __call__(self, data: Any, size: int) -> Any:
        key = float(np.sum(data)), size
        fresh = np.random.default_rng().laplace(size=1 if self.kept(size) else size)
        noise = self.held.setdefault(key, fresh) if self.kept(size) else fresh
        return np.broadcast_to(key[0] + noise, (size,))


def is_one(size: int) -> bool:
    return size == 1


def is_many(size: int) -> bool:
    return size > MANY


@pytest.mark.parametrize("kept", [is_one, pytest.param(is_many, marks=pytest.mark.slow)])
def test_noise_that_is_kept_at_some_sizes_is_no_violation(kept: Callable[[int], bool]) -> None:
    """Each call has the law that it should have: only draws of several calls do not.

    Its noise is the system's, and calls of other sizes are independent draws of a right law, on
    which bets may win with probability alpha. What is kept wins at every alpha.
    """
    kept_at_some = audited(Keeping(kept), max_samples=100_000, alpha=1e-6)
    assert kept is is_one or kept_at_some.log_evalue >= math.log(1e6)
    assert kept_at_some.verdict == "inconclusive"


def played(function: Crowd, seed: int, alpha: float, runs: int) -> tuple[Capital, int | None]:
    """A game on calls for one output, and whether a look would have been followed by it."""
    sampler = Sampler.of(PythonBlackBox(function, timeout=None), seed)
    pair = neighboring("D1", np.array([1.0]), np.empty(0), Relation.ADD_REMOVE)
    sides = sources_of(sampler.box, pair)
    gambler = gambler_of(sampler, Capital(PureDP(1.0), alpha), [PairDraws(0, *sides)])
    place = worth_single_calls(gambler, [sides], 1 << 20)
    gambler.play_aside(one_by_one(sampler, 1, sides), sampler.samples + runs)
    return gambler.portfolios.claim, place


def test_games_on_single_calls_keep_their_level() -> None:
    """Laplace exactly at its claim: of 40 games at alpha = .02, nine are lost with chance 8e-8."""
    games = [played(noisy, seed, 0.02, 1200) for seed in range(40)]
    assert sum(capital.refuted for capital, _ in games) <= 8
    assert sum(place is not None for _, place in games) <= 6


def test_games_on_single_calls_are_won_where_they_leak() -> None:
    games = [played(one(quiet), seed, 0.02, 1200) for seed in range(20)]
    assert sum(capital.refuted for capital, _ in games) >= 18
    assert sum(place is not None for _, place in games) >= 18


def test_outputs_of_a_look_come_one_by_one() -> None:
    sizes: list[int] = []

    def counted(data: Any, rng: Generator, size: int) -> Any:
        sizes.append(size)
        return noisy(data, rng, size)

    played(counted, 0, 0.05, 400)
    assert set(sizes) == {1}


def test_calls_that_start_something_up_are_not_made_for_it() -> None:
    class Started(PythonBlackBox):
        starts = True

    sampler = Sampler.of(Started(one(bare), timeout=None), 0)
    pair = neighboring("D1", np.array([1.0]), np.empty(0), Relation.ADD_REMOVE)
    sides = sources_of(sampler.box, pair)
    gambler = gambler_of(sampler, Capital(PureDP(1.0), 0.05), [PairDraws(0, *sides)])
    assert worth_single_calls(gambler, [sides], 1 << 20) is None
    assert sampler.samples == 0


def test_a_store_goes_on_with_what_was_asked_one_by_one(tmp_path: Any) -> None:
    """Single calls of a smaller budget are part of the wealth of a larger one."""
    store = {"store": tmp_path / "audit.db"}
    small, large = (audited(half_bare, max_samples=n, **store) for n in (20_000, 60_000))
    again = audited(half_bare, max_samples=60_000, **store)
    assert [found.verdict for found in (small, large)] == ["violation"] * 2
    assert timeless(large) == timeless(again)


def half_bare(data: Any, rng: Generator, size: int) -> Any:
    return (bare if size == 1 else noisy)(data, rng, size)
