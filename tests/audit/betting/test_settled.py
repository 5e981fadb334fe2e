"""The stopping rule of the bound, and the level that an event would refute without end."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from audit.betting.bet import EventBet
from audit.betting.epoch import settled
from audit.betting.screening import Offer
from audit.betting.wealth import Wealth
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
