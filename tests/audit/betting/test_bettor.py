"""The bettor: bets fixed before their units, budgets kept, level and power."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator
from numpy.typing import NDArray
from scipy import stats

from audit.betting import epoch
from audit.betting.bet import Design, EventBet
from audit.betting.bettor import Bettor
from audit.betting.portfolio import CASH, Portfolio, Tally
from audit.betting.wealth import Interval
from audit.case import Until
from audit.claims import ZCDP, ApproxDP, Claim, GaussianDP, PureDP
from audit.errors import OutcomeError
from audit.progress import Deadline
from audit.sampling.units import UnitKind, UnitPlan
from tests.audit.betting.simulated import Law, Sides, Simulated, bettor_on, response
from tests.audit.betting.stakes import largest_stake

ERROR = 1e-9
LIFE: dict[str, Any] = {"kind": UnitKind.LIFE, "cost": (2.0**-9, 2.0**-20)}
COINS: dict[str, Any] = {**LIFE, "coins": True, "pairs": False, "cost": (2.0**-9, 2.0**-15)}
ALONE: dict[str, Any] = {"coins": True, "pairs": False}
SOURCES = {"calls for many": {}, "calls for one": ALONE, "lives": LIFE, "lives by coins": COINS}


def gaussian(distance: float) -> Law:
    def answers(rng: Generator, sides: Sides) -> NDArray[np.float64]:
        return np.asarray(rng.normal(size=len(sides)) + distance * ~sides)

    return answers


def portfolios(bettor: Bettor) -> list[tuple[Interval, Portfolio]]:
    return [
        (held, portfolio)
        for wealth in bettor.wealths.values()
        for held in wealth.intervals
        for portfolio in held.past
    ]


def played(source: Simulated, claim: Claim, runs: int, **more: Any) -> Bettor:
    bettor = bettor_on(source, claim, **more)
    bettor.play(runs)
    return bettor


@pytest.mark.slow
@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
@pytest.mark.parametrize("claim", [PureDP(1.0), ZCDP(0.2)], ids=str)
def test_bets_stakes_and_weights_are_fixed_before_their_units(
    source: dict[str, Any], claim: Claim
) -> None:
    """No portfolio counts a unit that was drawn when it was made, or changes afterwards."""
    seen: dict[int, tuple[Portfolio, dict[int, int], list[Any]]] = {}
    simulated = Simulated([response(1.2, permanent=True), response(0.8)], **source)
    bettor = bettor_on(simulated, claim, until=Until.BUDGET)
    drawn = {0: 0, 1: 0}

    def noted(portfolio: Portfolio) -> list[Any]:
        return [(e.tally.bet.key, e.stake, e.weight, e.tally.share) for e in portfolio.experts]

    def watch(plan: UnitPlan) -> None:
        for _, portfolio in portfolios(bettor):
            if id(portfolio) not in seen:
                seen[id(portfolio)] = portfolio, dict(drawn), noted(portfolio)
        drawn[plan.pair] += plan.count

    simulated.watch = watch
    bettor.play(2_000)
    assert len(seen) > 5
    for portfolio, before, fixed in seen.values():
        assert noted(portfolio) == fixed
        for expert in portfolio.experts:
            pair = expert.tally.bet.pair
            assert expert.tally.units <= drawn[pair] - before[pair]
    # The last epoch may end before all pairs had units.
    units = [expert.tally.units for portfolio, *_ in seen.values() for expert in portfolio.experts]
    assert np.mean(np.array(units) > 0) > 0.9


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
@pytest.mark.parametrize("claim", [PureDP(2.0), ApproxDP(1.0, 0.01)], ids=str)
def test_stakes_are_valid_at_the_upper_end_of_every_interval(
    source: dict[str, Any], claim: Claim
) -> None:
    bettor = played(Simulated([response(2.5)], **source), claim, 2_000, until=Until.BUDGET)
    found = portfolios(bettor)
    assert len({(held.low, held.high) for held, _ in found}) > 2
    for held, portfolio in found:
        weights = [expert.weight for expert in portfolio.experts]
        assert math.fsum(weights) <= 1.0 - CASH + 1e-9
        assert 0.0 < portfolio.feed < 1.0
        for expert in portfolio.experts:
            most = largest_stake(expert.tally.bet, claim, held.high, expert.tally.share)
            assert 0.0 < expert.stake <= most * (1.0 + 1e-9)


def test_a_portfolio_stakes_on_a_bet_once() -> None:
    """A smaller stake beside the best one would divide the wealth anew in every epoch."""
    bettor = played(Simulated([response(2.5)]), PureDP(2.0), 2_000, until=Until.BUDGET)
    found = [[e.tally.bet.key for e in held.experts] for _, held in portfolios(bettor)]
    assert found
    assert all(len(keys) == len(set(keys)) for keys in found)


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
@pytest.mark.parametrize(("ends", "runs"), [(math.inf, None), (25.0, 2)])
def test_under_a_time_limit_one_small_unit_comes_first(
    source: dict[str, Any], ends: float, runs: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It shows what a unit costs; its pace, with all that starts, would end the audit."""
    clock = [1000.0]

    def watch(_: UnitPlan) -> None:
        clock[0] += 1.0

    simulated = Simulated([response(1.0)], **source, watch=watch)
    monkeypatch.setattr("audit.betting.bettor.perf_counter", lambda: clock[0])
    bettor = bettor_on(simulated, PureDP(1.0))
    bettor.deadline = Deadline(1000.0 + ends, lambda: clock[0])
    bettor.prepare(20_000)
    first, *others = (plan.runs for plan in simulated.plans)
    assert (first == runs) if runs else first > 2
    assert sum(others) >= 24 or runs is None
    assert not bettor.deadline.met
    used = [plan.count for plan in simulated.plans if plan.first < 2**31]
    assert bettor.pasts[0].units == sum(used) == bettor.units
    assert len(simulated.plans) - len(used) == bool(runs)


@pytest.mark.parametrize("source", [LIFE, COINS], ids=["lives", "lives by coins"])
def test_a_unit_is_the_mean_over_its_outputs(source: dict[str, Any]) -> None:
    """Gains and costs of an event are divided by n, whatever it is, and by the coin's chance."""
    simulated = Simulated([response(1.5, permanent=True)], **source)
    bettor = played(simulated, PureDP(1.0), 3_000, until=Until.BUDGET)
    design = Design(8, 0.2 if source is COINS else None)
    bets = {e.tally.bet.key: e.tally.bet for _, held in portfolios(bettor) for e in held.experts}
    tallies = [Tally(bet, design.share) for bet in bets.values()]
    bettor._bet(bettor.pasts[0], 40, design, tallies)
    alike: list[Tally] = []
    for tally in tallies:
        assert isinstance(tally.bet, EventBet)
        assert tally.units == 40
        if tally.share is None and tally.bet.events == 1:
            alike.append(tally)
        assert tally.cost.max() <= tally.bet.largest_cost(tally.share) * (1.0 + 1e-12)
        most = 2.0 if tally.share is None else max(1 / tally.share, 1 / (1 - tally.share))
        assert tally.gain.max() <= most * (1.0 + 1e-12)
    # An instance whose answers are all alike counts once, as one answer does.
    assert source is COINS or {*np.concatenate([t.gain for t in alike]).tolist()} == {0.0, 1.0}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
@pytest.mark.parametrize("limit", [1, 2, 10, 64, 200, 1_001])
def test_no_more_outputs_are_drawn_than_allowed(source: dict[str, Any], limit: int) -> None:
    simulated = Simulated([response(1.0), response(1.0)], **source)
    bettor = played(simulated, PureDP(1.0), limit, until=Until.BUDGET)
    assert sum(plan.runs for plan in simulated.plans) == bettor.runs <= limit
    assert bettor.runs > 0.8 * limit - 40


@pytest.mark.slow
@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_a_larger_budget_goes_on_from_where_a_smaller_one_ends(source: dict[str, Any]) -> None:
    """With pilots of the same size; so it never shows less."""
    found = []
    for limit in (1_500, 3_000, 6_000):
        simulated = Simulated([response(1.5)], **source)
        bettor = bettor_on(simulated, PureDP(1.0), until=Until.BUDGET)
        bettor.prepare(20_000)
        bettor.play(limit)
        designs = [(p.n, p.share) for plan in simulated.plans for p in [plan] * plan.count]
        found.append((designs, bettor.claim.bound, bettor.claim.best))
    for (less, bound, best), (more, larger, better) in itertools.pairwise(found):
        assert more[: len(less)] == less
        assert larger >= bound
        assert better >= best
    assert found[-1][1] > 1.0


@pytest.mark.slow
def test_units_have_numbers_of_their_own() -> None:
    simulated = Simulated([response(1.0), response(1.0)])
    played(simulated, PureDP(1.0), 3_000, until=Until.BUDGET)
    for pair in (0, 1):
        own = [plan for plan in simulated.plans if plan.pair == pair]
        assert [p.first for p in own] == np.cumsum([0, *(p.count for p in own)])[:-1].tolist()


@pytest.mark.slow
def test_most_units_go_to_the_pair_with_the_largest_loss() -> None:
    simulated = Simulated([response(0.5), response(2.0), response(0.5)])
    played(simulated, PureDP(1.0), 6_000, until=Until.BUDGET)
    units = [sum(p.count for p in simulated.plans if p.pair == pair) for pair in range(3)]
    assert units[1] > 2 * max(units[0], units[2])
    assert min(units) > 20


@pytest.mark.slow
def test_a_pair_without_growth_is_only_explored() -> None:
    """One that loses as much as the other leads as often, whichever it is called."""

    def part(loss: float, seed: int) -> float:
        simulated = Simulated([response(2.0), response(loss)], seed=seed)
        played(simulated, PureDP(1.0), 6_000, until=Until.BUDGET)
        runs = [sum(p.runs for p in simulated.plans if p.pair == pair) for pair in range(2)]
        return runs[1] / sum(runs)

    alone, beside = ([part(loss, seed) for seed in range(8)] for loss in (0.0, 2.0))
    assert 0.02 < min(alone) <= max(alone) < 0.1
    assert 0.25 < np.mean(beside) < 0.75


@pytest.mark.parametrize("seconds", [2.0**-14, 2.0**-3])
def test_units_give_several_outputs(seconds: float) -> None:
    """Those that take time from the start, quick ones once that loses no growth."""
    simulated = Simulated([response(1.0)], kind=UnitKind.START, cost=(seconds, 2.0**-20))
    (past,) = played(simulated, PureDP(1.0), 3_000, until=Until.BUDGET).pasts
    assert (simulated.plans[0].n > 1) is (seconds > 0.1)
    assert simulated.plans[-1].n > 1
    assert sum(units * design.runs for design, units in past.made.items()) == past.runs
    assert {design.n for design in past.made} == {plan.n for plan in simulated.plans}
    assert sum(plan.count for plan in simulated.plans) < 1_000


def test_several_outputs_of_quick_units_cost_the_bound_next_to_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def played_with(part: float) -> tuple[float, int]:
        monkeypatch.setattr(epoch, "_ALMOST", part)
        sources = [Simulated([response(1.0)], seed=seed) for seed in range(5)]
        bettors = [played(each, PureDP(1.0), 40_000, until=Until.BUDGET) for each in sources]
        calls = sum(plan.count for each in sources for plan in each.plans)
        return float(np.mean([each.claim.bound for each in bettors])), calls

    (several, fewer), (alone, calls) = played_with(epoch._ALMOST), played_with(1.0)
    assert fewer < calls / 2
    assert several > alone - 0.01 > 0.9


def test_the_time_ends_the_bets_between_units() -> None:
    seconds = iter(np.arange(0.0, 1e6))
    simulated = Simulated([response(1.0)])
    bettor = bettor_on(simulated, PureDP(1.0), until=Until.BUDGET)
    bettor.deadline = Deadline(40.0, lambda: float(next(seconds)))
    bettor.play(10_000)
    assert 0 < bettor.runs < 10_000
    assert bettor.deadline.met


def unreadable(after: int) -> Any:
    """A source whose second pair cannot be read from one unit on."""
    simulated = Simulated([response(1.0), response(1.5)])

    def watch(plan: UnitPlan) -> None:
        if plan.pair == 1 and plan.first + plan.count > after:
            raise OutcomeError("an odd output")

    simulated.watch = watch
    return simulated


@pytest.mark.slow
def test_a_pair_of_the_search_that_cannot_be_read_is_left_out() -> None:
    bettor = played(unreadable(100), PureDP(1.0), 2_000, until=Until.BUDGET, optional=(1,))
    assert str(bettor.left_out[1]) == "an odd output"
    assert bettor.runs > 1_900
    with pytest.raises(OutcomeError, match="an odd output"):
        played(unreadable(100), PureDP(1.0), 2_000, until=Until.BUDGET)


@pytest.mark.slow
def test_units_that_cannot_be_read_count_as_the_worst_there_are() -> None:
    """Otherwise a mechanism could hide what speaks for it behind what cannot be read."""
    before: dict[int, float] = {}
    source = unreadable(100)
    fails = source.watch
    bettor = bettor_on(source, PureDP(1.0), until=Until.BUDGET, optional=(1,))

    def watch(plan: UnitPlan) -> None:
        if not bettor.left_out:
            bettor.claim.look()
            before.update(worth())
        fails(plan)

    def worth() -> dict[int, float]:
        return {
            id(portfolio): own
            for _, portfolio in portfolios(bettor)
            if (own := sum(e.tally.units for e in portfolio.experts if e.tally.bet.pair == 1))
        }

    source.watch = watch
    bettor.play(2_000)
    after = worth()
    lost = [
        expert.tally
        for _, portfolio in portfolios(bettor)
        for expert in portfolio.experts
        if expert.tally.bet.pair == 1 and after.get(id(portfolio), 0) > before.get(id(portfolio), 0)
    ]
    assert lost
    for tally in lost:
        worst = tally.cost >= tally.bet.largest_cost(tally.share) * (1.0 - 1e-12)
        assert tally.count[worst & (tally.gain == 0.0)].sum() >= 1.0


NULLS: dict[str, tuple[Claim, Law, Law]] = {
    "response": (PureDP(1.0), response(1.0), response(1.9)),
    "permanent response": (
        PureDP(1.0),
        response(1.0, permanent=True),
        response(1.9, permanent=True),
    ),
    "Gaussian": (GaussianDP(1.0), gaussian(1.0), gaussian(2.0)),
    "Gaussian, zCDP": (ZCDP(0.5), gaussian(1.0), gaussian(2.5)),
    "nothing": (PureDP(0.0), response(0.0), response(0.8)),
}


def refuted(claim: Claim, law: Law, source: dict[str, Any], seeds: Sequence[int], runs: int) -> int:
    games = (played(Simulated([law], **source, seed=s), claim, runs, bound=False) for s in seeds)
    return sum(bettor.claim.refuted for bettor in games)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["response", "permanent response"])
@pytest.mark.parametrize("source", [LIFE, COINS], ids=["lives", "lives by coins"])
def test_what_keeps_its_claim_is_seldom_refuted_and_what_breaks_it_is(
    kind: str, source: dict[str, Any]
) -> None:
    claim, right, wrong = NULLS[kind]
    assert refuted(claim, right, source, range(10), 600) <= stats.binom.isf(ERROR, 10, 0.05)
    assert refuted(claim, wrong, source, range(4), 3_000) >= 3


def test_outputs_of_one_call_may_share_their_noise() -> None:
    """A unit counts once, however many outputs it gives, and whatever these have in common."""
    claim, right, wrong = NULLS["permanent response"]
    several = []

    def refuted_by(law: Law, seed: int) -> bool:
        simulated = Simulated([law], seed=seed)
        bettor = played(simulated, claim, 4_000, until=Until.BUDGET, bound=False)
        several.append(any(plan.n > 1 for plan in simulated.plans))
        return bettor.claim.refuted

    false = sum(refuted_by(right, seed) for seed in range(30))
    assert false <= stats.binom.isf(ERROR, 30, 0.05)
    assert sum(several) > 20
    assert sum(refuted_by(wrong, seed) for seed in range(5)) == 5


KEPT = [
    (kind, source)
    for kind in NULLS
    for source in SOURCES.values()
    if kind != "permanent response" or source not in ({}, ALONE)
]
"""Calls of a permanent response are not independent."""


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "source"), KEPT)
def test_many_audits_keep_their_level(kind: str, source: dict[str, Any]) -> None:
    claim, right, wrong = NULLS[kind]
    audits = 150
    most = stats.binom.isf(ERROR, audits, 0.05)
    assert refuted(claim, right, source, range(audits), 400) <= most
    assert refuted(claim, wrong, source, range(10), 4_000) >= 8


@pytest.mark.slow
@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_bounds_exceed_the_truth_as_seldom_as_they_may(source: dict[str, Any]) -> None:
    law, rounds = response(1.0, permanent="kind" in source), 100
    bounds = [
        played(
            Simulated([law], **source, seed=s), PureDP(0.5), 1_500, until=Until.BUDGET
        ).claim.bound
        for s in range(rounds)
    ]
    assert sum(bound > 1.0 for bound in bounds) <= stats.binom.isf(ERROR, rounds, 0.05)
    assert np.median(bounds) > 0.5


@pytest.mark.slow
def test_units_are_designed_for_the_claim_if_a_violation_is_all_that_is_wanted() -> None:
    """Not for the levels below it, which mechanisms that keep the claim refute as well."""
    units = []
    for seed in range(15):
        simulated = Simulated([response(1.2)], seed=seed, **COINS)
        bettor = played(simulated, PureDP(1.0), 400_000, until=Until.VIOLATION, bound=True)
        assert bettor.claim.refuted
        units.append(bettor.units)
    assert np.median(units) < 270


@pytest.mark.slow
def test_slow_units_do_not_earn_the_last_hundredth_of_a_bound_below_the_claim() -> None:
    """Instances of one output each show a little more a run, and take ten times as long."""
    found = []
    for seed in range(6):
        simulated = Simulated([response(1.0)], seed=seed, **LIFE)
        bettor = played(simulated, PureDP(1.0), 40_000, until=Until.BOUND)
        assert not bettor.claim.refuted
        found.append((bettor.units, bettor.claim.bound))
    units, bounds = np.median(found, axis=0)
    assert units < 4_000
    assert bounds > 0.9
