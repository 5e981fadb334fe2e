"""The stopping rule of the bound, and the level that an event would refute without end."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from audit.betting.bet import Design, EventBet
from audit.betting.epoch import Allotment, Choices, most_outputs, settled
from audit.betting.screening import Offer
from audit.betting.wealth import Interval, Wealth
from audit.case import Until
from audit.claims import LARGEST_EPSILON, ApproxDP, Claim, PureDP
from audit.outcomes.binning import Binning
from audit.outcomes.encoding import OUTPUT
from audit.outcomes.features import Part
from audit.sampling.units import UnitKind
from tests.audit.betting.simulated import Simulated, response

BINNING = Binning.of([0.5])
EVENT = np.arange(BINNING.count) == 1
PAIRS = 100_000


def offer(own: float, other: float, claim: Claim) -> Offer:
    counts = round(own * PAIRS), round(other * PAIRS), PAIRS
    bet = EventBet.of(0, Part(OUTPUT), BINNING, (EVENT, np.zeros_like(EVENT)), 0, counts)
    return Offer(0.1, 0.1, 0.1, 0.1, lambda: bet, claim.level)


def wealth(claim: Claim, bound: float) -> Wealth:
    return replace(Wealth.against(claim, 0.05), bound=bound)


@pytest.mark.parametrize(("own", "other"), [(0.6, 0.1), (0.02, 0.005), (0.5, 0.49)])
def test_the_limit_of_an_event_is_the_log_of_its_odds(own: float, other: float) -> None:
    claim = PureDP(0.5)
    assert offer(own, other, claim).limit(claim) == pytest.approx(math.log(own / other), rel=1e-3)


def test_delta_is_taken_off() -> None:
    claim = ApproxDP(0.5, 0.1)
    found = offer(0.6, 0.1, claim).limit(claim)
    assert found == pytest.approx(math.log(0.5 / 0.1), rel=1e-3)


def test_delta_is_taken_off_once_for_each_of_two_events() -> None:
    claim = ApproxDP(0.5, 0.1)
    one = offer(0.6, 0.1, claim)
    counts = round(0.6 * PAIRS), round(0.1 * PAIRS), PAIRS
    bet = EventBet.of(0, Part(OUTPUT), BINNING, (EVENT, ~EVENT), 0, counts)
    assert bet.events == 2
    assert replace(one, make=lambda: bet).limit(claim) == one.limit(claim)


def test_an_event_that_never_happened_on_the_other_side_has_no_limit() -> None:
    claim = PureDP(1.0)
    assert offer(0.6, 0.0, claim).limit(claim) == LARGEST_EPSILON


QUICK = Simulated([response(1.0)])
SLOW = Simulated([response(1.0)], cost=(0.1, 0.0))
LIFE = Simulated([response(1.0)], kind=UnitKind.LIFE)


@pytest.mark.parametrize(("bound", "enough"), [(1.5, False), (1.69, False), (1.71, True)])
def test_a_bound_near_the_limit_is_enough(bound: float, enough: bool) -> None:
    claim = PureDP(1.0)
    leading = [offer(0.6, 0.1, claim)]  # ln 6 = 1.79
    assert settled(wealth(claim, bound), leading, QUICK, 1000, 900) is enough


@pytest.mark.parametrize(("level", "enough"), [(1.75, True), (1.85, False), (1.0, True)])
def test_a_rarer_event_at_a_higher_level_is_worth_more_units(level: float, enough: bool) -> None:
    """It counts up to its level, not to its own limit of ln 20; at the frontier by its limit."""
    claim = PureDP(1.0)
    rarer = replace(offer(0.02, 0.001, claim), level=level)
    leading = [offer(0.6, 0.1, claim), rarer] if level > 1.0 else [offer(0.6, 0.1, claim)]
    assert settled(wealth(claim, 1.71), leading, QUICK, 1000, 900) is enough


def test_the_best_offer_of_each_higher_level_is_kept_behind_those_of_the_lowest() -> None:
    choices, claim = Choices([], {}, {}), PureDP(1.0)
    low, high = [offer(0.6, 0.1, claim), offer(0.5, 0.1, claim)], [offer(0.02, 0.001, claim)] * 2
    for offers in (low, high, high):
        choices.note("claim", [(1.0, one) for one in offers])
    assert choices.leading["claim"] == [*low, high[0], high[0]]


@pytest.mark.parametrize(
    ("step", "claimed", "n"),
    [(2_000, 1.0, 1), (40_000, 1.0, 16), (40_000, 0.5, 1)],
)
def test_dear_units_below_the_claim_have_ten_seconds(step: int, claimed: float, n: int) -> None:
    """A pair of units of 2 ms for one output each says most a run, at 20 times the seconds."""
    source = Simulated([response(1.0)], cost=(2.0**-9, 0.0))
    held = Interval(0.5, 0.6)
    allotment = Allotment(source, wealth(PureDP(claimed), 0.0), [], {}, Until.BOUND, 0, 400_000)
    dear, cheap = Design(1, None), Design(16, 0.5)
    found = [
        (each, rate, rate * each.runs / (2.0**-9 * (2 if each.share is None else 1)))
        for each, rate in ((dear, 1e-5), (cheap, 2e-6))
    ]
    assert allotment._best(found, held, step)[0].n == n


@pytest.mark.parametrize(
    ("seconds", "rates", "n"),
    [
        (2.0**-10, (1.0, 0.96, 0.94), 4),
        (2.0**-10, (1.0, 0.9, 0.8), 1),
        (2.0**-10, (0.9, 1.0, 0.98), 16),
        (2.0**-9, (1.0, 0.9, 0.8), 16),
    ],
)
def test_quick_units_give_several_outputs_that_lose_no_growth(
    seconds: float, rates: tuple[float, float, float], n: int
) -> None:
    """Of units that take longer, the most growth a second is enough."""
    source = Simulated([response(1.0)], cost=(seconds, 2.0**-20))
    allotment = Allotment(source, wealth(PureDP(1.0), 0.0), [], {}, Until.BOUND, 0, 400_000)
    found = [
        (Design(each, None), rate, rate * each)
        for each, rate in zip((1, 4, 16), rates, strict=True)
    ]
    assert allotment._best(found, Interval(0.9, 1.0), 1_000)[0].n == n


@pytest.mark.parametrize(("claimed", "budget", "most"), [(4.0, 4_000, 4), (0.5, 4_000, 8)])
def test_units_are_as_many_as_a_refutation_takes(claimed: float, budget: int, most: int) -> None:
    """An epsilon of 4 takes 235 units at least: 500 of eight outputs would leave little room."""
    source = Simulated([response(1.0)], kind=UnitKind.LIFE, cost=(2.0**-6, 2.0**-20))
    claim = PureDP(claimed)
    against = wealth(claim, 0.0)
    allowed = most_outputs(against, budget)
    allotment = Allotment(source, against, [], {}, Until.BOUND, 0, budget, allowed)
    best = offer(0.6, 0.1, claim)
    assert max(allotment._sizes(best, Design(8, 0.5), 0.5)) == most


@pytest.mark.parametrize(
    ("source", "claimed", "bound", "enough"),
    [
        (QUICK, 1.0, 5.9, False),
        (QUICK, 1.0, 6.1, True),
        (LIFE, 1.0, 4.9, False),
        (LIFE, 1.0, 5.0, True),
        (QUICK, 8.0, 8.7, False),
        (QUICK, 8.0, 8.9, True),
    ],
)
def test_a_loss_without_an_end_is_large_enough_somewhere(
    source: Simulated, claimed: float, bound: float, enough: bool
) -> None:
    claim = PureDP(claimed)
    assert settled(wealth(claim, bound), [offer(0.6, 0.0, claim)], source, 1000, 900) is enough


@pytest.mark.parametrize(("runs", "enough"), [(399, False), (400, True)])
def test_slow_units_end_sooner(runs: int, enough: bool) -> None:
    claim = PureDP(1.0)
    assert settled(wealth(claim, 1.0), [offer(0.6, 0.1, claim)], SLOW, runs, 100) is enough
    assert not settled(wealth(claim, 1.0), [offer(0.6, 0.1, claim)], QUICK, runs, 100)


def test_without_an_offer_nothing_is_settled() -> None:
    assert not settled(wealth(PureDP(1.0), 2.0), [], QUICK, 10**6, 10)


def test_an_offer_that_grows_slowly_and_goes_further_counts() -> None:
    claim = PureDP(1.0)
    near, far = offer(0.6, 0.1, claim), offer(0.05, 0.005, claim)  # ln 6 = 1.79, ln 10 = 2.30
    assert settled(wealth(claim, 1.8), [near], QUICK, 1000, 900)
    assert not settled(wealth(claim, 1.8), [near, far], QUICK, 1000, 900)
