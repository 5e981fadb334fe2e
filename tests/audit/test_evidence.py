"""Evidence: witnesses on fresh draws, the self-check, leaks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

from audit.blackbox.python import PythonBlackBox
from audit.case import Settings
from audit.claim import Claim, PureDP
from audit.declaration import Relation
from audit.evidence import (
    drawn_afresh,
    fresh_draws,
    independent,
    leaks_of,
    samples_left,
    witness_of,
)
from audit.exhibits import tables_of
from audit.fund import Fund
from audit.gambler import Gambler
from audit.neighbors import Pair, neighboring
from audit.outcomes import OUTPUT
from audit.sampling import Address, Sampler, Stage
from audit.track import Track

ONE: list[Pair] = [neighboring("D1", np.array([1.0]), np.empty(0), Relation.ADD_REMOVE)]
SETTINGS = Settings(alpha=0.01, max_samples=20_000)


def noisy(data: Any, rng: Generator, size: int) -> Any:
    return data.sum() + rng.laplace(scale=0.4, size=size)


def played(
    function: Callable[..., Any] = noisy, claim: Claim | None = None, samples: int = 10_000
) -> Gambler:
    sampler = Sampler.of(PythonBlackBox(function, timeout=None), 4)
    tracks = [Track(i, pair.dataset, pair.neighbor) for i, pair in enumerate(ONE)]
    claim = PureDP(1.0) if claim is None else claim
    gambler = Gambler(sampler, Fund(claim, 0.01), tracks, leaks=Fund(claim, 0.01))
    gambler.play(samples)
    return gambler


def test_a_witness_is_judged_on_draws_made_after_it_was_chosen() -> None:
    gambler = played()
    assert gambler.fund.refuted
    before = gambler.sampler.samples
    witness = witness_of(gambler, ONE, SETTINGS)
    assert witness is not None
    assert gambler.sampler.samples == before + 2 * witness.draws
    assert witness.p.low > witness.slope * witness.q.high + witness.offset
    assert witness.pair == "D1"
    sides = {"D over D1": ([1.0], []), "D1 over D": ([], [1.0])}[witness.direction]
    assert (list(witness.dataset), list(witness.neighbor)) == sides


def test_the_sides_of_a_witness_are_drawn_independently() -> None:
    """Its intervals are for two independent samples, even where the bets were coupled."""
    sampler = Sampler.of(PythonBlackBox(lambda data, rng, size: rng.random(size)), 0)
    address = Address(Stage.WITNESS, 0, 0)
    left, right = (drawn_afresh(sampler, address, None, 40, side) for side in (0, 1))
    assert not set(left.column(OUTPUT).values) & set(right.column(OUTPUT).values)


def test_a_black_box_that_cannot_draw_many_is_drawn_afresh_one_by_one() -> None:
    def fails(data: Any, rng: Generator, size: int) -> Any:
        if size > 1:
            raise MemoryError
        return rng.random(1)

    sampler = Sampler.of(PythonBlackBox(fails), 0)
    assert drawn_afresh(sampler, Address(Stage.TABLE, 0, 0), None, 30, 0).size == 30


def test_few_fresh_draws_where_runs_are_slow() -> None:
    quick = Sampler.of(PythonBlackBox(noisy), 0)
    slow = Sampler.of(PythonBlackBox(lambda data: 1.0), 0)
    assert fresh_draws(quick) == 2000
    assert fresh_draws(slow) == 100
    slow.samples = 2000
    assert fresh_draws(slow) == 500
    slow.samples = 10**6
    assert fresh_draws(slow) == 1000


@pytest.mark.parametrize("budget", [10, 1000, 20_000, 10**6])
def test_a_fifth_of_the_budget_at_most_is_kept_back(budget: int) -> None:
    sampler = Sampler.of(PythonBlackBox(noisy), 0)
    assert 0.8 * budget <= samples_left(sampler, budget, 3) <= budget
    sampler.samples = budget
    assert samples_left(sampler, budget, 3) == 0


def test_independent_draws_pass_the_self_check() -> None:
    gambler = played()
    before = gambler.sampler.samples
    assert independent(gambler, ONE, 60_000)
    assert gambler.sampler.samples > before


def test_shared_noise_fails_the_self_check() -> None:
    def shared(data: Any, rng: Generator, size: int) -> Any:
        return data.sum() + np.full(size, rng.laplace()) + 1e-3 * rng.random(size)

    gambler = played(shared)
    assert not independent(gambler, ONE, 60_000)


def test_nothing_bet_nothing_to_check() -> None:
    gambler = played(samples=0)
    assert witness_of(gambler, ONE, SETTINGS) is None
    assert independent(gambler, ONE, 1000)
    assert leaks_of(gambler, ONE) == ()


def test_low_bits_that_give_the_data_away_are_a_leak_and_no_violation() -> None:
    def leaking(data: Any, rng: Generator, size: int) -> Any:
        return data.sum() + rng.laplace(size=size)

    gambler = played(leaking)
    assert not gambler.fund.refuted
    (leak,) = leaks_of(gambler, ONE)
    assert leak.kind == "floating-point"
    assert "multiple of 2^" in leak.event.description
    assert leak.log_evalue >= gambler.fund.goal


def test_tables_have_rows_for_every_pair_and_keep_the_budget() -> None:
    pairs = [
        ONE[0],
        neighboring("D2", ONE[0].dataset, np.array([1.0, 0.5]), Relation.ADD_REMOVE),
    ]
    gambler = played()
    before = gambler.sampler.samples
    tables = tables_of(gambler, pairs, SETTINGS)
    assert [table.name for table in tables] == ["D1", "D2", "pooled"]
    assert gambler.sampler.samples <= SETTINGS.max_samples
    assert gambler.sampler.samples > before
    assert sum(row.p.estimate for row in tables[0].bins) == pytest.approx(1.0)
    left, right = tables[2].draws
    assert right == 2 * left
