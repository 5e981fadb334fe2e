"""Outputs of the search: learned from, never bet on, and no part of the power."""

from __future__ import annotations

import pytest

from audit.betting.bettor import Bettor
from audit.betting.power import detectable
from audit.case import Until
from audit.claims import PureDP
from tests.audit.betting.simulated import Simulated, bettor_on, response


def played(learned: int) -> tuple[Bettor, Simulated]:
    """A bettor that learned from so many outputs of the same law, and then bet on 600."""
    search = bettor_on(Simulated([response(1.0)], seed=9), PureDP(1.0), until=Until.BUDGET)
    source = Simulated([response(1.0)])
    bettor = bettor_on(source, PureDP(1.0), until=Until.BUDGET)
    if learned:
        search.play(learned)
        for batch in search.pasts[0].held:
            bettor.pasts[0].learn(batch)
    bettor.play(600)
    return bettor, source


def test_they_are_learned_from_and_no_unit_is_of_them() -> None:
    bettor, source = played(6_000)
    (past,) = bettor.pasts
    drawn = sum(plan.count for plan in source.plans)
    assert past.runs > 6_000 > bettor.runs
    assert past.units == bettor.units == drawn
    assert (past.made - past.searched).total() == drawn
    assert source.plans[0].first == 0
    tallies = [
        expert.tally
        for wealth in bettor.wealths.values()
        for held in wealth.intervals
        for portfolio in held.past
        for expert in portfolio.experts
    ]
    assert tallies and all(tally.units <= drawn for tally in tallies)


def test_the_power_does_not_count_them() -> None:
    (bare, _), (learned, _) = played(0), played(20_000)
    few, many = detectable(bare), detectable(learned)
    assert few is not None and many is not None
    # As if they were bet on, 40 times the units would detect a loss hardly above the claim.
    assert many.best == pytest.approx(few.best, rel=0.1)
    assert many.best > 1.3
