"""Outputs of one unit may be one and the same: they do not choose and judge together."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from audit.betting.bet import Design
from audit.betting.past import PairPast
from audit.case import Until
from audit.claims import PureDP
from audit.outcomes.fitted_features import SeenBefore
from audit.sampling.source import Stage
from audit.sampling.units import UnitKind, UnitPlan

from .simulated import Law, Sides, Simulated, bettor_on, response

_KNOWN = np.random.default_rng(7).normal(size=(2, 20))


def _kept(rng: Generator, sides: Sides) -> NDArray[np.float64]:
    """Noise that an instance keeps, for each dataset."""
    return np.asarray(rng.laplace(size=2)[sides.astype(int)])


def _recurring(rng: Generator, sides: Sides) -> NDArray[np.float64]:
    """One of twenty numbers, others on each dataset."""
    return np.asarray(_KNOWN[sides.astype(int), rng.integers(0, 20, len(sides))])


def _studied(law: Law, n: int, share: float | None) -> PairPast:
    source, past = Simulated([law], kind=UnitKind.LIFE, coins=True), PairPast(0)
    for first, count in ((0, 31), (31, 90)):
        (batch,) = source.drawn([UnitPlan(Stage.BET, 0, first, count, n, share)])
        past.add(batch)
    past.study(PureDP(1.0), Design(n, share), low_bits=False)
    return past


def test_a_number_that_an_instance_keeps_is_not_taken_for_one_that_comes_again() -> None:
    for share in (None, 0.5):
        kept, recurring = (_studied(law, 8, share) for law in (_kept, _recurring))
        assert not any(isinstance(r.feature, SeenBefore) for r in kept.screen.readings)
        assert any(isinstance(r.feature, SeenBefore) for r in recurring.screen.readings)


def test_units_that_judge_a_fitted_feature_did_not_choose_it() -> None:
    """Units of a batch are told apart by their number, not by that of the output."""
    for n, share in ((1, None), (8, None), (5, 0.5)):
        past = _studied(_recurring, n, share)
        for reading in past.screen.readings:
            counts = reading.joint if share is None else reading.single[:, 0]
            chosen, judged = counts.reshape(2, -1).sum(axis=1)
            whole = sum(b.sides[0].size for b in past.held)
            assert chosen + judged == whole
            units = [b.units[0] + first for b, first in zip(past.held, (0, 31), strict=True)]
            assert judged == np.sum(np.concatenate(units) % 2)


def test_a_kept_noise_that_is_too_small_is_refuted() -> None:
    """Bets went to numbers seen before, which come again within an instance alone."""

    def half(rng: Generator, sides: Sides) -> NDArray[np.float64]:
        return np.asarray(rng.laplace(0.0, 0.5, 2)[sides.astype(int)] + sides)

    for seed in range(4):
        source = Simulated([half], UnitKind.LIFE, coins=True, seed=seed, cost=(0.003, 1e-5))
        bettor = bettor_on(source, PureDP(1.0), alpha=1e-6)
        bettor.prepare(6000)
        bettor.play(6000)
        assert bettor.claim.refuted


def test_the_correlation_within_instances_is_told_at_the_level_that_bets_are_chosen_at() -> None:
    """A bracket varies more at the level of the claim than at the lower one of an early bet."""

    def fresh(rng: Generator, sides: Sides) -> NDArray[np.float64]:
        return np.asarray(rng.laplace(0.0, 1.0, len(sides)) + sides)

    def alike(law: Law, seed: int) -> float:
        source = Simulated([law], UnitKind.LIFE, coins=True, seed=seed, cost=(0.003, 1e-5))
        bettor = bettor_on(source, PureDP(1.0), alpha=1e-3, until=Until.BUDGET)
        bettor.prepare(4000)
        bettor.play(4000)
        return bettor.pasts[0].screen.alike

    found = {law: [alike(law, seed) for seed in range(4)] for law in (fresh, _kept)}
    assert max(found[fresh]) < 0.04
    assert min(found[_kept]) > 0.5


def test_outputs_of_one_instance_count_as_alike_until_they_are_seen_not_to_be() -> None:
    """Stakes of the first units were those of independent outputs: answers that an instance keeps
    took half as many runs again."""
    for permanent, most in ((True, 2_800), (False, 2_400)):
        runs = []
        for seed in range(12):
            law = response(2.0, permanent=permanent)
            source = Simulated([law], UnitKind.LIFE, coins=True, seed=seed, cost=(0.003, 1e-5))
            bettor = bettor_on(source, PureDP(1.0), alpha=1e-3)
            bettor.prepare(40_000)
            bettor.play(40_000)
            assert bettor.claim.refuted
            runs.append(bettor.runs)
        assert np.median(runs) <= most
