"""The wealth: fair at the levels kept, growing below the loss, bounds by level intervals."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from audit.betting.bet import EventBet
from audit.betting.portfolio import CASH, Expert, Portfolio, Tally, growths
from audit.betting.wealth import Interval, Wealth, feed
from audit.claims import ZCDP, ApproxDP, Claim, GaussianDP, PureDP, RenyiDP
from audit.outcomes.binning import Binning
from audit.outcomes.encoding import OUTPUT
from audit.outcomes.features import Part
from tests.audit.betting.stakes import largest_stake

MASK = np.array([False, True])
BET = EventBet.of(0, Part(OUTPUT), Binning.of([0.5]), (MASK, ~MASK & False), 0)
CLAIMS: list[Claim] = [
    PureDP(1.0),
    PureDP(0.0),
    PureDP(30.0),
    ApproxDP(1.0, 1e-5),
    ZCDP(0.5),
    GaussianDP(1.0),
    RenyiDP(2.0, 1.0),
]


def tally(gain: list[float], cost: list[float], share: float | None = None) -> Tally:
    found = Tally(BET, share)
    found.add(np.array(gain), np.array(cost))
    return found


def portfolio(held: Tally, stake: float, part: float = 0.3) -> Portfolio:
    return Portfolio([Expert(held, stake, 1.0 - CASH)], part)


def test_a_tally_counts_equal_units_together() -> None:
    held = tally([1.0, 0.0, 1.0], [0.0, 1.0, 0.0])
    held.add(np.array([1.0]), np.array([0.0]))
    assert held.units == 4
    assert dict(zip(held.gain.tolist(), held.count.tolist(), strict=True)) == {0.0: 1.0, 1.0: 3.0}


def test_the_growth_of_a_portfolio_is_cash_and_products_of_factors() -> None:
    stake, claim = 0.2, PureDP(1.0)
    held = tally([1.0, 0.0], [0.0, 0.5])
    product = (1.0 + stake) * (1.0 - stake * math.e * 0.5)
    grown = math.exp(growths([portfolio(held, stake)], claim, 1.0)[0])
    assert grown == pytest.approx(CASH + (1.0 - CASH) * product)


def test_what_is_not_fed_is_never_lost() -> None:
    held = tally([0.0] * 50, [1.0] * 50)
    interval = Interval(0.9, 1.0, [portfolio(held, 0.36)])
    lost = math.exp(interval.log_wealth(PureDP(1.0), 1.0))
    assert lost == pytest.approx(0.7 + 0.3 * CASH, abs=1e-6)


def test_what_a_portfolio_became_goes_into_the_next() -> None:
    claim, stake = PureDP(1.0), 0.2
    first, second = (portfolio(tally([1.0], [0.0]), stake) for _ in range(2))
    grown = CASH + (1.0 - CASH) * (1.0 + stake)
    expected = (0.3 * grown + 0.3 * 0.7) * grown + 0.49
    interval = Interval(0.9, 1.0, [first, second])
    assert math.exp(interval.log_wealth(claim, 1.0)) == pytest.approx(expected)


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_intervals_have_no_gaps_and_the_claim_is_an_end(claim: Claim) -> None:
    intervals = Wealth.against(claim, 0.05).intervals
    assert intervals[0].low == 0.0
    assert all(a.high == b.low for a, b in pairwise(intervals))
    assert any(held.high == claim.level for held in intervals)
    assert intervals[-1].high > claim.level


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_the_wealth_falls_with_the_level(claim: Claim) -> None:
    rng = np.random.default_rng(3)
    gain = (rng.random(200) < 0.7).astype(float)
    cost = (rng.random(200) < 0.2).astype(float)
    held = Interval(0.8 * claim.level, claim.level)
    stake = 0.5 * largest_stake(BET, claim, held.high, None)
    held.past.append(portfolio(tally(gain.tolist(), cost.tolist()), stake))
    levels = np.linspace(held.low, held.high, 7)[1:]
    logs = [held.log_wealth(claim, float(level)) for level in levels]
    assert all(a >= b - 1e-12 for a, b in pairwise(logs))


def test_a_bound_needs_all_levels_below_it() -> None:
    wealth = Wealth(PureDP(1.0), 0.05, [Interval(0.0, 0.5), Interval(0.5, 1.0)])
    strong = tally([1.0] * 60, [0.0] * 60)
    wealth.intervals[1].past.append(portfolio(strong, 0.3))
    wealth.look()
    assert wealth.bound == 0.0
    assert not wealth.refuted
    wealth.intervals[0].past.append(portfolio(strong, 0.3))
    wealth.look()
    assert wealth.refuted
    assert wealth.bound == 1.0


def test_what_was_refuted_once_stays_so() -> None:
    wealth = Wealth(PureDP(1.0), 0.05, [Interval(0.0, 1.0)])
    held = tally([1.0] * 60, [0.0] * 60)
    wealth.intervals[0].past.append(portfolio(held, 0.3))
    wealth.look()
    best = wealth.best
    held.add(np.zeros(500), np.ones(500))
    wealth.look()
    assert wealth.refuted
    assert wealth.best == best
    assert wealth.last < best


def test_the_goal_is_minus_the_log_of_the_level() -> None:
    """One unit short of the goal refutes nothing, the next one does."""
    claim, stake = PureDP(1.0), 0.3
    wealth = Wealth(claim, 0.01, [Interval(0.0, 1.0)])
    held = tally([], [])
    wealth.intervals[0].past.append(portfolio(held, stake))
    reached = None
    for units in range(1, 60):
        held.add(np.array([1.0]), np.array([0.0]))
        wealth.look()
        if wealth.refuted:
            reached = units
            break
    grown = [0.7 + 0.3 * (CASH + (1 - CASH) * 1.3**n) for n in range(60)]
    assert reached == next(n for n, w in enumerate(grown) if w >= 100.0)


def test_cutting_leaves_both_parts_their_past() -> None:
    held = tally([1.0] * 5, [0.0] * 5)
    interval = Interval(0.5, 1.0, [portfolio(held, 0.3)], reached=0.6)
    low, high = interval.cut(0.8)
    assert (low.low, low.high, low.reached) == (0.5, 0.8, 0.6)
    assert (high.low, high.high, high.reached) == (0.8, 1.0, 0.8)
    claim = PureDP(1.0)
    assert low.log_wealth(claim, 0.8) == high.log_wealth(claim, 0.8)


def test_refining_cuts_at_what_is_refuted() -> None:
    wealth = Wealth(PureDP(1.0), 0.05, [Interval(0.0, 1.0, reached=0.4)])
    wealth.refine(wealth.intervals)
    assert [held.low for held in wealth.intervals] == [0.0, 0.4, 0.7]


@pytest.mark.parametrize(("growth", "before"), [(0.0, 0), (7.0, 0), (100.0, 9)])
def test_a_part_of_the_reserve_is_fed(growth: float, before: int) -> None:
    assert 0.0 < feed(growth, 7.0, before) < 0.5


def test_expected_wealth_is_at_most_one_at_the_claim() -> None:
    """A permanent answer exactly at its claim: mean of the final wealth over many audits."""
    rng = np.random.default_rng(11)
    p = math.e / (1.0 + math.e)
    ends: dict[float, list[float]] = {1.0: [], 1.6: []}
    for true, found in ends.items():
        chance = math.exp(true) / (1.0 + math.exp(true))
        for _ in range(2000):
            gain = (rng.random(12) < chance).astype(float)
            cost = (rng.random(12) < 1.0 - chance).astype(float)
            held = portfolio(tally(gain.tolist(), cost.tolist()), 0.25)
            found.append(math.exp(Interval(0.0, 1.0, [held]).log_wealth(PureDP(1.0), 1.0)))
    assert p == pytest.approx(0.731, abs=1e-3)
    spread = np.std(ends[1.0]) / math.sqrt(2000)
    assert np.mean(ends[1.0]) < 1.0 + 4.0 * spread
    assert np.mean(ends[1.6]) > 1.0 + 4.0 * spread


@pytest.mark.parametrize("claim", [PureDP(1.0), ApproxDP(1.0, 0.05)], ids=str)
@pytest.mark.parametrize("share", [None, 0.2])
def test_the_growth_is_the_product_of_the_factors_of_all_units(
    claim: Claim, share: float | None
) -> None:
    rng = np.random.default_rng(5)
    gain, cost = rng.random(40), rng.random(40)
    held = tally(gain.tolist(), cost.tolist(), share)
    slope, offset = claim.lines(0.8)[0]
    stake = 0.7 * largest_stake(BET, claim, 1.0, share)
    factors = 1.0 + stake * (gain - slope * cost - offset)
    expected = CASH + (1.0 - CASH) * float(np.prod(factors))
    assert math.exp(growths([portfolio(held, stake)], claim, 0.8)[0]) == pytest.approx(expected)


def test_what_is_refuted_in_an_interval_are_the_levels_below_a_root() -> None:
    claim, goal = PureDP(1.0), math.log(100.0)
    held = tally([1.0] * 30 + [0.0] * 2, [0.0] * 30 + [1.0] * 2)
    interval = Interval(0.0, 1.0, [portfolio(held, 0.3)])
    interval.look(claim, goal)
    root = interval.reached
    assert 0.0 < root < 1.0
    assert interval.log_wealth(claim, root) >= goal
    assert interval.log_wealth(claim, root + 1e-3) < goal


def test_several_portfolios_of_one_reserve_add_up_to_one_at_first() -> None:
    """Feeds are parts of what is left, so that no money is invested twice."""
    nothing = [portfolio(tally([], []), 0.1, part) for part in (0.5, 0.5, 0.9)]
    assert Interval(0.5, 1.0, nothing).log_wealth(PureDP(1.0), 1.0) == pytest.approx(0.0)


@pytest.mark.parametrize(("bound", "refuted"), [(0.95, False), (1.0, True)])
def test_the_claim_is_refuted_at_its_own_level(bound: float, refuted: bool) -> None:
    assert Wealth(PureDP(1.0), 0.05, bound=bound).refuted is refuted
