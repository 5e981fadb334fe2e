"""The fund's money: shared out once, never made of nothing, compared with the goal."""

from __future__ import annotations

import math
from itertools import combinations_with_replacement, permutations

import numpy as np
import pytest
from numpy.typing import NDArray

from audit.betting.account import Account
from audit.betting.confirmation.leading import leading_bets
from audit.betting.e_process import stakes_for
from audit.betting.events import Bets
from audit.betting.fund import SHARES, Fund
from audit.betting.portfolio import Book, Table
from audit.claim import ApproxDP, Claim, GaussianDP, PureDP
from audit.outcomes.binning import Binning
from audit.outcomes.encoding import OUTPUT
from audit.outcomes.features import Part

Floats = NDArray[np.float64]
PAIRS = 6
OUTCOMES = ((0, 0), (0, 1), (1, 0), (1, 1))


def book_on(event: tuple[bool, bool, bool], claim: Claim, *, forward: bool = True) -> Book:
    """All money on one event of an output 0 or 1, in one direction, at two stakes."""
    binning = Binning.of([1.0])
    held = sorted(range(3), key=lambda code: not event[code])
    spans, none = np.array([[0, 0, sum(event)]]), np.empty((0, 5), np.intp)
    bets = Bets.of(np.array([held]), spans, none, np.ones(1), np.zeros(1, bool))
    stakes = stakes_for(claim.lines(claim.level))[:, [0, 3]]
    prior = np.full((2, 1, *stakes.shape), -np.inf)
    prior[0 if forward else 1] = -math.log(stakes.size)
    return Book.of((Table(Part(OUTPUT), binning, bets, prior),), stakes)


def joint_of(draws: tuple[int, ...]) -> NDArray[np.int64]:
    joint = np.zeros((3, 3), np.int64)
    for draw in draws:
        joint[OUTCOMES[draw]] += 1
    return joint


def average(fund: Fund, accounts: list[Account], chances: Floats) -> float:
    """Exact average wealth of the fund after these accounts have seen all games of six pairs."""
    mean = 0.0
    for draws in combinations_with_replacement(range(4), PAIRS):
        orders = math.factorial(PAIRS) / math.prod(math.factorial(draws.count(k)) for k in range(4))
        for account in accounts:
            account.add([joint_of(draws)])
        wealth = math.exp(fund.log_wealth(fund.claim.lines(fund.claim.level)))
        mean += orders * float(np.prod(chances[list(draws)])) * wealth
        for account in accounts:
            account.add([-joint_of(draws)])
    return mean


def response(epsilon: float, coupled: bool) -> Floats:
    """Chances of the four outcomes of randomized response that is exactly epsilon-private."""
    truth = 1.0 / (1.0 + math.exp(-epsilon))
    if coupled:
        return np.array([1 - truth, 0.0, 2 * truth - 1, 1 - truth])
    left, right = np.array([1 - truth, truth]), np.array([truth, 1 - truth])
    return np.outer(left, right).ravel()


@pytest.mark.parametrize("coupled", [False, True])
@pytest.mark.parametrize("generations", [1, 2, 4, 8])
def test_fair_bets_keep_the_average_wealth_at_exactly_one(coupled: bool, generations: int) -> None:
    claim = PureDP(0.7)
    fund = Fund(claim, 0.05)
    for _ in range(generations):
        books = {0: book_on((False, True, False), claim), 1: book_on((True, False, False), claim)}
        fund.invest(books, {0: 3.0, 1: 1.0})
    youngest = fund.open_for(0)
    assert average(fund, youngest, response(0.7, coupled)) == pytest.approx(1.0, abs=1e-12)


def test_bets_against_too_small_a_claim_gain_and_the_other_direction_loses() -> None:
    for forward, gains in ((True, True), (False, False)):
        claim = PureDP(0.3)
        fund = Fund(claim, 0.05)
        fund.invest({0: book_on((False, True, False), claim, forward=forward)}, {0: 1.0})
        assert (average(fund, fund.open_for(0), response(0.7, True)) > 1.0) is gains


def test_events_of_probability_delta_are_fair_against_approximate_claims() -> None:
    claim = ApproxDP(0.5, 0.2)
    fund = Fund(claim, 0.05)
    fund.invest({0: book_on((False, True, False), claim)}, {0: 1.0})
    chances = np.array([0.8, 0.0, 0.2, 0.0])
    assert average(fund, fund.open_for(0), chances) == pytest.approx(1.0, abs=1e-12)


def test_the_money_is_shared_out_once() -> None:
    claim = PureDP(1.0)
    fund = Fund(claim, 0.05)
    for generation in range(20):
        assert fund.cash > 0
        fund.invest({0: book_on((False, True, False), claim)}, {0: 2.0})
        shares = sum(g.share for g in fund.generations)
        assert fund.cash + shares == pytest.approx(1.0)
        assert len(fund.generations) == generation + 1
        assert math.exp(fund.log_wealth(claim.lines(1.0))) == pytest.approx(1.0)
    assert sum(SHARES) < 1.0
    weights = [account.weight for account in fund.generations[-1].accounts]
    assert sum(weights) == pytest.approx(1.0)


def grown(claim: Claim, wins: int = 40) -> Fund:
    """A fund that has won often."""
    fund = Fund(claim, 0.05)
    fund.invest({0: book_on((False, True, False), claim)}, {0: 1.0})
    fund.open_for(0)[0].add([joint_of((2,) * wins + (3,) * 20 + (0,) * 40)])
    return fund


def test_forfeited_money_is_gone_and_the_cash_stays() -> None:
    fund = grown(PureDP(0.5))
    assert fund.log_wealth(fund.claim.lines(0.5)) > 2.0
    fund.forfeit()
    assert math.exp(fund.log_wealth(fund.claim.lines(0.5))) == pytest.approx(fund.cash)
    assert fund.cash == pytest.approx(1.0 - SHARES[0])
    assert fund.open_for(0) == []
    assert leading_bets(fund, 1.0) == []
    assert not fund.look()
    fund.invest({0: book_on((False, True, False), fund.claim)}, {0: 1.0})
    assert len(fund.open_for(0)) == 1


@pytest.mark.parametrize("written_off", [True, False])
def test_only_what_is_written_off_is_fair_where_a_batch_cannot_be_read(written_off: bool) -> None:
    """It cannot be read where the bet would have lost: what was bet must not stay."""
    claim, mean = PureDP(0.7), 0.0
    for draw, chance in enumerate(response(0.7, coupled=False)):
        fund = Fund(claim, 0.05)
        fund.invest({0: book_on((False, True, False), claim)}, {0: 1.0})
        if OUTCOMES[draw] != (0, 1):
            fund.open_for(0)[0].add([joint_of((draw,))])
        elif written_off:
            fund.leave(0)
            assert fund.open_for(0) == []
        mean += chance * math.exp(fund.log_wealth(claim.lines(0.7)))
    assert bool(mean <= 1.0) is written_off


def test_the_largest_wealth_at_any_look_counts() -> None:
    fund = grown(PureDP(0.5))
    assert fund.look()
    best = fund.best
    assert best >= fund.goal == pytest.approx(math.log(20.0))
    fund.open_for(0)[0].add([joint_of((1,) * 200)])
    assert fund.look()
    assert fund.best == best
    assert fund.lower_bound() >= 0.5, "a claim refuted once stays refuted"


def test_wealth_just_below_the_goal_does_not_refute() -> None:
    fund = grown(PureDP(0.5))
    wealth = math.exp(fund.log_wealth(fund.claim.lines(0.5)))
    for alpha, refuted in ((1.001 / wealth, True), (0.999 / wealth, False)):
        other = grown(PureDP(0.5))
        other.alpha = alpha
        assert other.look() is refuted


@pytest.mark.parametrize(
    "claim", [PureDP(0.5), PureDP(3.0), ApproxDP(0.5, 0.01), GaussianDP(0.5)], ids=str
)
def test_the_lower_bound_is_where_the_wealth_meets_the_goal(claim: Claim) -> None:
    fund = grown(claim, wins=400)
    bound = fund.lower_bound()
    assert bound > 0.0
    goal = fund.goal
    assert fund.log_wealth(claim.lines(bound)) >= goal
    assert fund.log_wealth(claim.lines(bound * 1.001)) < goal
    for level in np.linspace(1e-6, bound, 20):
        assert fund.log_wealth(claim.lines(float(level))) >= goal - 1e-9
    assert fund.lower_bound() == bound


def test_without_wins_there_is_no_lower_bound() -> None:
    assert Fund(PureDP(0.5), 0.05).lower_bound() == 0.0
    assert grown(PureDP(0.5), wins=0).lower_bound() == 0.0


def test_lower_bounds_of_certain_differences_stay_finite() -> None:
    assert 1.0 < grown(PureDP(0.5), wins=100_000).lower_bound() <= 300.0
    fund = Fund(PureDP(250.0), 0.05)
    fund.invest({0: book_on((False, True, False), PureDP(0.1))}, {0: 1.0})
    fund.open_for(0)[0].add([joint_of((2,) * 10)])
    assert 0.0 < fund.lower_bound() < 250.0


def test_the_event_that_earned_most_leads() -> None:
    claim = PureDP(0.5)
    fund = Fund(claim, 0.05)
    fund.invest(
        {
            3: book_on((True, False, False), claim, forward=False),
            5: book_on((False, True, False), claim),
        },
        {3: 1.0, 5: 1.0},
    )
    fund.open_for(3)[0].add([joint_of((2,) * 9)])
    fund.open_for(5)[0].add([joint_of((2,) * 5)])
    best = leading_bets(fund, claim.level)[0]
    assert (best.pair, best.forward, best.line) == (3, False, 0)
    assert best.plus.tolist() == [True, False, False]
    assert best.counts == (9, 0, 9)


def test_counts_add_up_in_any_order() -> None:
    claim = PureDP(0.5)
    batches = [joint_of((2, 2, 0)), joint_of((1,)), joint_of((3, 3, 3, 2))]
    worth = []
    for order in permutations(batches):
        account = Account.of(0, 1.0, book_on((False, True, False), claim))
        for batch in order:
            account.add([batch])
            account.log_wealth(claim.lines(0.5))
        worth.append(account.log_wealth(claim.lines(0.5)))
    assert len(set(worth)) == 1
