"""The last bet: fair on average, of fresh draws, of money that no other bet has."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from audit.betting.capital import Capital
from audit.betting.confirmation.event_bet import EventBet
from audit.betting.exact.last_bet import LastBet
from audit.betting.exact.last_runs import SHARE, LastRuns
from audit.betting.exact.likeliest import likeliest
from audit.betting.gambler import Gambler
from audit.betting.portfolios import Portfolios, Role
from audit.betting.position import Position
from audit.betting.record import BettingRecord
from audit.betting.schedule import Schedule
from audit.blackbox.python import PythonBlackBox
from audit.blackbox.state import Watch
from audit.claim import ApproxDP, Claim, PureDP
from audit.outcomes.binning import Binning
from audit.outcomes.encoding import OUTPUT
from audit.outcomes.features import Part
from audit.sampling.sampler import Sampler
from tests.audit.betting.test_capital import OUTCOMES, joint_of, portfolio_on
from tests.games import gambler_of
from tests.sources import pair_draws

ZERO, ONE = [True, False, False], [False, True, False]
"""Bins of an output 0 or 1."""


def event(*, two: bool = False, forward: bool = True) -> EventBet:
    """The output is 1; and that it is 0, in the other direction."""
    minus = np.array(ZERO if two else [False] * 3)
    joint = np.full((3, 3), 1000)
    return EventBet(
        0, Part(OUTPUT), Binning.of([1.0]), forward, joint, plus=np.array(ONE), minus=minus, place=0
    )


def bet_of(
    claim: Claim, pairs: int, stake: float = 1.0, alpha: float = 0.3, **more: bool
) -> LastBet:
    return LastBet.of(event(**more), pairs, claim.lines(claim.level), stake, alpha)


def mean_of(claim: Claim, p: float, q: float, pairs: int, **more: bool) -> float:
    """What a stake becomes on average where 1 has these chances on D and on D'."""
    chances = np.outer([1 - p, p], [1 - q, q]).ravel()
    mean, bet = 0.0, bet_of(claim, pairs, **more)
    for counts in product(range(pairs + 1), repeat=3):
        rest = pairs - sum(counts)
        if rest >= 0:
            every = (*counts, rest)
            ways = math.factorial(pairs) / math.prod(map(math.factorial, every))
            joint = sum(n * joint_of((draw,)) for draw, n in enumerate(every))
            bet.event = replace(bet.event, joint=np.asarray(joint))
            chance = ways * float(np.prod(chances ** np.array(every)))
            mean += chance * math.exp(bet.log_wealth(claim.level, claim.level))
    return mean


@pytest.mark.parametrize("two", [False, True])
@pytest.mark.parametrize("claim", [PureDP(0.7), ApproxDP(0.5, 0.1)], ids=str)
def test_a_claim_that_is_kept_makes_no_money_and_one_that_is_broken_does(
    two: bool, claim: Claim
) -> None:
    slope, offset = map(float, claim.lines(claim.level)[0])
    kept = 0.0
    for q in (0.2, (1.0 - offset) / (1.0 + slope)):
        p = min(1.0 - q, slope * q + offset)
        kept = max(kept, mean_of(claim, p, q, 6, two=two))
    assert 0.02 < kept <= 1.0 + 1e-9
    assert mean_of(claim, 0.95, 0.05, 6, two=two) > 1.5
    assert mean_of(claim, 0.05, 0.95, 6, two=two, forward=False) > 1.5


def test_it_is_open_until_all_of_its_draws_are_there_and_lost_with_one_more() -> None:
    bet = bet_of(PureDP(0.5), 40)
    assert bet.drawn == 0
    assert bet.open
    bet.add([joint_of((2,) * 39)])
    assert bet.open
    assert not bet.won
    bet.add([joint_of((2,))])
    assert not bet.open
    assert bet.won
    bet.add([joint_of((2,))])
    assert not bet.won


def capital_that_bets(pairs: int = 40) -> Capital:
    capital = Capital(PureDP(0.5), 0.05)
    capital.invest({0: portfolio_on((False, True, False), capital.claim)}, {0: 1.0})
    capital.bet_last(event(), pairs)
    return capital


def test_what_is_won_reaches_the_goal_and_no_level_beyond_the_claim() -> None:
    capital = capital_that_bets()
    before = capital.cash + sum(g.share for g in capital.epochs) + capital.last[0].stake
    assert before == pytest.approx(1.0)
    assert not capital.look()
    capital.last[0].add([joint_of((2,) * 40)])
    assert capital.log_wealth(0.5) >= capital.goal
    assert capital.log_wealth(0.5) < capital.goal + 0.1
    assert capital.log_wealth(0.1) >= capital.goal
    assert capital.log_wealth(0.51) < 0.0
    assert capital.look()
    assert capital.lower_bound() == pytest.approx(0.5, rel=1e-4)


def test_what_is_lost_is_gone_and_no_more_is_ever_bet_than_there_is() -> None:
    capital = capital_that_bets()
    capital.last[0].add([joint_of((3,) * 40)])
    assert not capital.look()
    for _ in range(3):
        capital.invest({0: portfolio_on((False, True, False), capital.claim)}, {0: 1.0})
        assert capital.cash > 0.0
        capital.bet_last(event(), 40)
    staked = sum(g.share for g in capital.epochs) + sum(bet.stake for bet in capital.last)
    assert capital.cash + staked == pytest.approx(1.0)
    assert sum(bet.level for bet in capital.last) < 0.05


@pytest.mark.parametrize("how", ["forfeit", "leave"])
def test_a_bet_on_draws_that_cannot_be_trusted_is_lost(how: str) -> None:
    capital = capital_that_bets()
    capital.forfeit() if how == "forfeit" else capital.leave(0)
    capital.last[0].add([joint_of((2,) * 40)])
    assert capital.won_at_last is None
    assert not capital.look()


def test_what_is_common_is_chosen_rather_than_what_was_lucky() -> None:
    claim = PureDP(1.0)
    both = OUTCOMES.index((1, 1)), OUTCOMES.index((1, 0)), OUTCOMES.index((0, 1))
    lucky, common = (3, (5, 60, 12)), (4, (0, 3, 0))
    positions = []
    for pair, counts in (lucky, common):
        position = Position.of(pair, 1.0, portfolio_on((False, True, False), claim))
        draws = tuple(d for d, n in zip(both, counts, strict=True) for _ in range(n))
        position.add([joint_of(draws + (0,) * (150 - len(draws)))])
        positions.append(position)
    power, chosen = likeliest(positions, claim.lines(1.0), 600, 0.03)
    assert 0.06 < power <= 1.0
    assert chosen is not None
    assert chosen.pair == 3
    nothing = Position.of(0, 1.0, portfolio_on((False, True, False), claim))
    nothing.add([joint_of((1, 2) * 200)])
    assert likeliest([nothing], claim.lines(1.0), 600, 0.03)[1] is None


class Unseen(Watch):
    """Sees no change of the black box."""

    def changed(self, box: Any) -> bool:
        return False


def game(
    epsilon: float, seed: int, *, runs: int = 1728, pairs: int = 1, last: bool = True
) -> Gambler:
    """Bets on Laplace noise with a generator of its own, against epsilon = 1."""
    rng = np.random.default_rng([seed, 7])

    def release(data: float) -> float:
        return float(data + rng.laplace(0.0, 1.0 / epsilon))

    sampler = Sampler.of(PythonBlackBox(release), seed)
    sampler.watch = Unseen()
    draws = [pair_draws(sampler.box, 1.0, 0.0, place) for place in range(pairs)]
    gambler = gambler_of(sampler, Capital(PureDP(1.0), 0.05), draws)
    if last:
        gambler.last = LastRuns(sampler, gambler.portfolios, gambler.schedule)
    gambler.play(runs)
    return gambler


@pytest.mark.parametrize(("pairs", "seed"), [(864, 3), (1050, 4)])
def test_the_last_runs_are_kept_and_all_of_them_count(pairs: int, seed: int) -> None:
    """Also where what is kept begins between the opening of an epoch and the next look."""
    gambler = game(1.2, seed, runs=2 * pairs)
    (bet,) = gambler.portfolios.claim.last
    assert bet.pairs == bet.drawn == int(SHARE * pairs)
    assert gambler.pairs[0].drawn == pairs
    assert not game(1.2, seed, runs=2 * pairs, last=False).portfolios.claim.last


def test_several_pairs_share_what_is_left() -> None:
    gambler = game(1.2, 4, pairs=3)
    bets = gambler.portfolios.claim.last
    assert all(bet.drawn == bet.pairs < SHARE * 864 / 2 for bet in bets)
    assert sum(draws.drawn for draws in gambler.pairs) <= 864


def test_there_is_none_where_draws_may_hang_together() -> None:
    box = SimpleNamespace(many=False)
    schedule = Schedule()
    schedule.begin(0, 1728, 1728)
    capital = Capital(PureDP(1.0), 0.05)
    portfolios = Portfolios({Role.CLAIM: capital})
    free = {"samples": 0, "lasting": False, "shares_randomness": False, "box": box}
    for changed in ({}, {"lasting": True}, {"shares_randomness": True}, {"many": True}):
        many = changed.pop("many", False)
        sampler: Any = SimpleNamespace(**{**free, **changed}, many_on=lambda pair, m=many: m)
        plan = LastRuns(sampler, portfolios, schedule)
        assert plan.likely([pair_draws(box, 0, 1)]) is (not changed and not many)
    capital.bet_last(event(), 40)
    sampler = SimpleNamespace(**{**free, "lasting": True})
    LastRuns(sampler, portfolios, schedule).check()
    assert capital.last[0].lost


def test_less_is_staked_on_a_test_that_is_likelier_to_be_lost() -> None:
    stakes = []
    for power in (0.9, 0.1):
        capital = Capital(PureDP(1.0), 0.05)
        capital.bet_last(event(), 40, power)
        assert capital.cash == pytest.approx(1.0 - capital.last[0].stake)
        stakes.append(capital.last[0].stake)
    assert 1.0 > stakes[0] > stakes[1] > 0.0


@pytest.mark.slow
def test_an_excess_of_a_fifth_is_refuted_in_time_and_none_is_where_the_claim_holds() -> None:
    """864 pairs that share nothing, at level .05; without a last bet it is 4 of 40."""
    games = [game(1.2, seed) for seed in range(40)]
    refuted = [g for g in games if g.portfolios.claim.refuted]
    assert len(refuted) >= 14
    by_last = [g for g in refuted if g.portfolios.claim.won_at_last]
    assert len(by_last) >= 10
    for gambler in by_last:
        record = BettingRecord.of(gambler)
        assert "last bet" in record.notes[-1]
        best: Any = record.claim.best
        assert best.counts[2] == gambler.portfolios.claim.last[0].pairs
        assert record.claim.level >= 1.0 - 1e-4
    # Each with probability at most .05: more than 14 of 100 have probability 1e-4.
    kept = sum(game(1.0, seed).portfolios.claim.refuted for seed in range(100))
    assert kept <= 14
