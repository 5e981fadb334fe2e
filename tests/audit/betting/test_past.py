"""Outputs of one unit may be one and the same: how alike they are, and that they judge together."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from numpy.random import Generator
from numpy.typing import NDArray

from audit.betting.bet import Design
from audit.betting.past import PairPast
from audit.claims import PureDP
from audit.outcomes.encoding import encode
from audit.outcomes.fitted_features import SeenBefore
from audit.sampling.source import Stage
from audit.sampling.units import UnitBatch, UnitKind, UnitPlan
from tests.audit.betting.simulated import Law, Sides, Simulated, bettor_on, response

_KNOWN = np.random.default_rng(7).normal(size=(2, 1000))


def _kept(rng: Generator, sides: Sides) -> NDArray[np.float64]:
    """Noise that an instance keeps, for each dataset."""
    return np.asarray(rng.laplace(size=2)[sides.astype(int)])


def _recurring(rng: Generator, sides: Sides) -> NDArray[np.float64]:
    """One of a thousand numbers, others on each dataset."""
    return np.asarray(_KNOWN[sides.astype(int), rng.integers(0, 1000, len(sides))])


def _studied(law: Law, n: int, share: float | None) -> PairPast:
    source, past = Simulated([law], kind=UnitKind.LIFE, coins=True), PairPast(0)
    for first, count in ((0, 31), (31, 90)):
        batch = source.drawn(UnitPlan(Stage.BET, 0, first, count, n, share))
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


def _kept_in(part: float) -> Law:
    """A normal number, in a part of the answers that which the instance keeps."""

    def answers(rng: Generator, sides: Sides) -> NDArray[np.float64]:
        kept, fresh = rng.normal(size=2)[sides.astype(int)], rng.normal(size=len(sides))
        return np.asarray(np.where(rng.random(len(sides)) < part, kept, fresh))

    return answers


def test_outputs_of_one_unit_are_correlated_as_often_as_both_are_what_it_keeps() -> None:
    for share, part in product((None, 0.5), (0.0, 0.5, 1.0)):
        past = _studied(_kept_in(part), 8, share)
        assert past.screen.readings[0].alike == pytest.approx(part**2, abs=0.06)
    # Nothing is known of units of one output; a unit that chose a feature finds itself in it.
    assert _studied(_kept_in(1.0), 1, None).screen.readings[0].alike == 0.0
    found = {type(r.feature): r.alike for r in _studied(_recurring, 8, None).screen.readings}
    assert found[SeenBefore] < 0.05


def test_the_pilot_shows_how_alike_outputs_of_one_instance_are() -> None:
    """Learned from bets, the correlation came late, and units of one output said nothing of it."""
    for permanent, runs, units in ((True, 2_400, 300), (False, 2_600, 160)):
        found = []
        for seed in range(12):
            law = response(2.0, permanent=permanent)
            source = Simulated([law], UnitKind.LIFE, coins=True, seed=seed, cost=(0.003, 1e-5))
            bettor = bettor_on(source, PureDP(1.0), alpha=1e-3)
            bettor.prepare(40_000)
            bettor.play(40_000)
            assert bettor.claim.refuted
            found.append((bettor.runs, bettor.units))
        assert (np.median(found, axis=0) <= (runs, units)).all()


def test_each_kind_of_reading_is_kept_before_a_second_one_of_any() -> None:
    """The luckiest of many coordinates crowded out the only score of all, which shows the shift."""
    rng, past = np.random.default_rng(0), PairPast(0)
    for count in (600, 17_000):
        noise = rng.laplace(size=(2, count, 12))
        sides = encode(noise[0], count), encode(noise[1] + 0.01, count)
        past.add(UnitBatch.of_pairs(*sides, 1))
        past.study(PureDP(1.0), Design(), low_bits=False)
        kinds = [type(reading.feature) for reading in past.screen.readings]
        assert len(set(kinds[:4])) == 4
    assert len(kinds) == 4
