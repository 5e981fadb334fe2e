"""The capital's money: shared out once, never made of nothing, compared with the goal."""

from __future__ import annotations

import math
from itertools import combinations_with_replacement, permutations

import numpy as np
import pytest
from numpy.typing import NDArray

from audit.betting.capital import SHARES, Capital
from audit.betting.confirmation.event_bet import EventBet
from audit.betting.confirmation.leading import leading_bets
from audit.betting.e_process import stakes_for
from audit.betting.events import Bets
from audit.betting.inequalities import Inequalities
from audit.betting.portfolio import Portfolio, Table
from audit.betting.position import Position
from audit.claim import ApproxDP, Claim, GaussianDP, PureDP
from audit.outcomes.binning import Binning
from audit.outcomes.encoding import OUTPUT
from audit.outcomes.features import Part

Floats = NDArray[np.float64]
PAIRS = 6
OUTCOMES = ((0, 0), (0, 1), (1, 0), (1, 1))


def portfolio_on(
    event: tuple[bool, bool, bool], claim: Claim, *, forward: bool = True
) -> Portfolio:
    """All money on one event of an output 0 or 1, in one direction, at two stakes."""
    binning = Binning.of([1.0])
    held = sorted(range(3), key=lambda code: not event[code])
    spans, none = np.array([[0, 0, sum(event)]]), np.empty((0, 5), np.intp)
    bets = Bets.of(np.array([held]), spans, none, np.ones(1), np.zeros(1, bool))
    stakes = stakes_for(claim.lines(claim.level))[:, [0, 3]]
    prior = np.full((2, 1, *stakes.shape), -np.inf)
    prior[0 if forward else 1] = -math.log(stakes.size)
    return Portfolio.of((Table(Part(OUTPUT), binning, bets, prior),), stakes)


def joint_of(draws: tuple[int, ...]) -> NDArray[np.int64]:
    joint = np.zeros((3, 3), np.int64)
    for draw in draws:
        joint[OUTCOMES[draw]] += 1
    return joint


def average(capital: Capital, positions: list[Position], chances: Floats) -> float:
    """Exact average wealth after these positions have seen all games of six pairs."""
    mean = 0.0
    for draws in combinations_with_replacement(range(4), PAIRS):
        orders = math.factorial(PAIRS) / math.prod(math.factorial(draws.count(k)) for k in range(4))
        for position in positions:
            position.add([joint_of(draws)])
        wealth = math.exp(capital.log_wealth(capital.claim.level))
        mean += orders * float(np.prod(chances[list(draws)])) * wealth
        for position in positions:
            position.add([-joint_of(draws)])
    return mean


def response(epsilon: float, coupled: bool) -> Floats:
    """Chances of the four outcomes of randomized response that is exactly epsilon-private."""
    truth = 1.0 / (1.0 + math.exp(-epsilon))
    if coupled:
        return np.array([1 - truth, 0.0, 2 * truth - 1, 1 - truth])
    left, right = np.array([1 - truth, truth]), np.array([truth, 1 - truth])
    return np.outer(left, right).ravel()


@pytest.mark.parametrize("coupled", [False, True])
@pytest.mark.parametrize("epochs", [1, 2, 4, 8])
def test_fair_bets_keep_the_average_wealth_at_exactly_one(coupled: bool, epochs: int) -> None:
    claim = PureDP(0.7)
    capital = Capital(claim, 0.05)
    for _ in range(epochs):
        portfolios = {
            0: portfolio_on((False, True, False), claim),
            1: portfolio_on((True, False, False), claim),
        }
        capital.invest(portfolios, {0: 3.0, 1: 1.0})
    youngest = capital.betting_on(0)
    assert average(capital, youngest, response(0.7, coupled)) == pytest.approx(1.0, abs=1e-12)


def test_bets_against_too_small_a_claim_gain_and_the_other_direction_loses() -> None:
    for forward, gains in ((True, True), (False, False)):
        claim = PureDP(0.3)
        capital = Capital(claim, 0.05)
        capital.invest({0: portfolio_on((False, True, False), claim, forward=forward)}, {0: 1.0})
        assert (average(capital, capital.betting_on(0), response(0.7, True)) > 1.0) is gains


def test_events_of_probability_delta_are_fair_against_approximate_claims() -> None:
    claim = ApproxDP(0.5, 0.2)
    capital = Capital(claim, 0.05)
    capital.invest({0: portfolio_on((False, True, False), claim)}, {0: 1.0})
    chances = np.array([0.8, 0.0, 0.2, 0.0])
    assert average(capital, capital.betting_on(0), chances) == pytest.approx(1.0, abs=1e-12)


def test_the_money_is_shared_out_once() -> None:
    claim = PureDP(1.0)
    capital = Capital(claim, 0.05)
    for epoch in range(20):
        assert capital.cash > 0
        capital.invest({0: portfolio_on((False, True, False), claim)}, {0: 2.0})
        shares = sum(g.share for g in capital.epochs)
        assert capital.cash + shares == pytest.approx(1.0)
        assert len(capital.epochs) == epoch + 1
        assert math.exp(capital.log_wealth(1.0)) == pytest.approx(1.0)
    assert sum(SHARES) < 1.0
    weights = [position.weight for position in capital.epochs[-1].positions]
    assert sum(weights) == pytest.approx(1.0)


def grown(claim: Claim, wins: int = 40) -> Capital:
    """Capital that has grown."""
    capital = Capital(claim, 0.05)
    capital.invest({0: portfolio_on((False, True, False), claim)}, {0: 1.0})
    capital.betting_on(0)[0].add([joint_of((2,) * wins + (3,) * 20 + (0,) * 40)])
    return capital


def test_forfeited_money_is_gone_and_the_cash_stays() -> None:
    capital = grown(PureDP(0.5))
    assert capital.log_wealth(0.5) > 2.0
    capital.forfeit()
    assert math.exp(capital.log_wealth(0.5)) == pytest.approx(capital.cash)
    assert capital.cash == pytest.approx(1.0 - SHARES[0])
    assert capital.betting_on(0) == []
    assert leading_bets(capital, 1.0) == []
    assert not capital.look()
    capital.invest({0: portfolio_on((False, True, False), capital.claim)}, {0: 1.0})
    assert len(capital.betting_on(0)) == 1


@pytest.mark.parametrize("written_off", [True, False])
def test_only_what_is_written_off_is_fair_where_a_batch_cannot_be_read(written_off: bool) -> None:
    """It cannot be read where the bet would have lost: what was bet must not stay."""
    claim, mean = PureDP(0.7), 0.0
    for draw, chance in enumerate(response(0.7, coupled=False)):
        capital = Capital(claim, 0.05)
        capital.invest({0: portfolio_on((False, True, False), claim)}, {0: 1.0})
        if OUTCOMES[draw] != (0, 1):
            capital.betting_on(0)[0].add([joint_of((draw,))])
        elif written_off:
            capital.leave(0)
            assert capital.betting_on(0) == []
        mean += chance * math.exp(capital.log_wealth(0.7))
    assert bool(mean <= 1.0) is written_off


def test_the_largest_wealth_at_any_look_counts() -> None:
    capital = grown(PureDP(0.5))
    assert capital.look()
    best = capital.best
    assert best >= capital.goal == pytest.approx(math.log(20.0))
    capital.betting_on(0)[0].add([joint_of((1,) * 200)])
    assert capital.look()
    assert capital.best == best
    assert capital.lower_bound() >= 0.5, "a claim refuted once stays refuted"


def test_wealth_just_below_the_goal_does_not_refute() -> None:
    capital = grown(PureDP(0.5))
    wealth = math.exp(capital.log_wealth(0.5))
    for alpha, refuted in ((1.001 / wealth, True), (0.999 / wealth, False)):
        other = grown(PureDP(0.5))
        other.alpha = alpha
        assert other.look() is refuted


@pytest.mark.parametrize(
    "claim", [PureDP(0.5), PureDP(3.0), ApproxDP(0.5, 0.01), GaussianDP(0.5)], ids=str
)
def test_the_lower_bound_is_where_the_wealth_meets_the_goal(claim: Claim) -> None:
    capital = grown(claim, wins=400)
    bound = capital.lower_bound()
    assert bound > 0.0
    goal = capital.goal
    assert capital.log_wealth(bound) >= goal
    assert capital.log_wealth(bound * 1.001) < goal
    for level in np.linspace(1e-6, bound, 20):
        assert capital.log_wealth(float(level)) >= goal - 1e-9
    assert capital.lower_bound() == bound


def test_without_wins_there_is_no_lower_bound() -> None:
    assert Capital(PureDP(0.5), 0.05).lower_bound() == 0.0
    assert grown(PureDP(0.5), wins=0).lower_bound() == 0.0


def test_lower_bounds_of_certain_differences_stay_finite() -> None:
    assert 1.0 < grown(PureDP(0.5), wins=100_000).lower_bound() <= 300.0
    capital = Capital(PureDP(250.0), 0.05)
    capital.invest({0: portfolio_on((False, True, False), PureDP(0.1))}, {0: 1.0})
    capital.betting_on(0)[0].add([joint_of((2,) * 10)])
    assert 0.0 < capital.lower_bound() < 250.0


def test_the_event_that_earned_most_leads() -> None:
    claim = PureDP(0.5)
    capital = Capital(claim, 0.05)
    capital.invest(
        {
            3: portfolio_on((True, False, False), claim, forward=False),
            5: portfolio_on((False, True, False), claim),
        },
        {3: 1.0, 5: 1.0},
    )
    capital.betting_on(3)[0].add([joint_of((2,) * 9)])
    capital.betting_on(5)[0].add([joint_of((2,) * 5)])
    best = leading_bets(capital, claim.level)[0]
    assert isinstance(best, EventBet)
    assert (best.pair, best.forward, best.place) == (3, False, 0)
    assert best.plus.tolist() == [True, False, False]
    assert best.counts == (9, 0, 9)


def test_counts_add_up_in_any_order() -> None:
    claim = PureDP(0.5)
    batches = [joint_of((2, 2, 0)), joint_of((1,)), joint_of((3, 3, 3, 2))]
    worth = []
    for order in permutations(batches):
        position = Position.of(0, 1.0, portfolio_on((False, True, False), claim))
        for batch in order:
            position.add([batch])
            position.log_wealth(Inequalities.at(claim, 0.5))
        worth.append(position.log_wealth(Inequalities.at(claim, 0.5)))
    assert len(set(worth)) == 1


def test_wealth_handed_on_is_won_twice_and_lost_half() -> None:
    """What six epochs have become: half stays, half goes on with the seventh."""
    claim = PureDP(0.3)
    event = (False, True, False)
    capital = Capital(claim, 0.05)
    for _ in range(6):
        capital.invest({0: portfolio_on(event, claim)}, {0: 1.0})
    capital.betting_on(0)[-1].add([joint_of((2,) * 30)])
    won = math.exp(capital.log_wealth(0.3)) - capital.cash
    assert won > 1.0
    capital.invest({0: portfolio_on(event, claim)}, {0: 1.0})
    assert math.exp(capital.log_wealth(0.3)) - capital.cash == pytest.approx(
        won + capital.epochs[-1].share
    )
    (youngest,) = capital.betting_on(0)
    youngest.add([joint_of((2,) * 30)])
    growth = math.exp(capital.log_worth(youngest))
    expected = won / 2 + (won / 2 + capital.epochs[-1].share) * growth
    assert math.exp(capital.log_wealth(0.3)) - capital.cash == pytest.approx(expected)


def test_positions_whose_wealth_was_handed_on_count_no_draws() -> None:
    claim = PureDP(0.3)
    capital = Capital(claim, 0.05)
    for _ in range(7):
        capital.invest({0: portfolio_on((False, True, False), claim)}, {0: 1.0})
    old = capital.epochs[-2].positions[0]
    with pytest.raises(RuntimeError, match="bets no more"):
        old.add([joint_of((1,))])
