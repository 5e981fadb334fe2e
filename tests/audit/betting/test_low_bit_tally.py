"""Absences pay no bet on low bits, and no bet pays more than it did."""

from __future__ import annotations

import numpy as np
import pytest

from audit.betting.e_process import payoffs, tallies
from audit.betting.event_families import bets_for
from audit.betting.events import Bets
from audit.betting.low_bit_tally import low_bit_bets, low_bit_tallies
from audit.claim import PureDP
from audit.outcomes.binning import Binning

BINNING = Binning.of([-50.0, -45.0, -40.0], ("missing",))
NUMERIC, COUNT = BINNING.numeric, BINNING.count
PAIRS = 1_000_000
LINES = PureDP(0.5).lines(0.5)


def bets() -> Bets:
    rng = np.random.default_rng(1)
    sides = rng.integers(0, 50, (2, COUNT))
    return low_bit_bets(bets_for(BINNING, *sides), NUMERIC)


def test_no_event_holds_an_absence() -> None:
    found = bets()
    assert len(found.spans) and len(found.joined)
    assert found.weight.sum() == pytest.approx(1.0)
    assert len(found.weight) == found.size == len(found.ranked)
    for order, *ends in (*found.spans.tolist(), *found.joined.tolist()):
        for at in range(0, len(ends), 2):
            assert not found.mask(order, *ends[at : at + 2])[NUMERIC:].any()


def earned_on(joint: np.ndarray, own: bool) -> list[np.ndarray]:
    """What all bets earn on counted pairs, singles first; `own` as bets on low bits do."""
    held = low_bit_tallies(joint, bets(), NUMERIC) if own else tallies(joint, bets())
    return [part @ payoff.T for part, payoff in zip(held, payoffs(LINES), strict=True)]


def pairs_of(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Independent pairs with these laws, each as often as expected."""
    return np.round(PAIRS * np.outer(left, right)).astype(np.int64)


@pytest.mark.parametrize("present", [(1.0, 0.0), (1.0, 0.3), (0.6, 0.6), (0.2, 0.9)])
def test_absences_alone_earn_nothing(present: tuple[float, float]) -> None:
    law = np.array([0.4, 0.3, 0.2, 0.1])
    left, right = (np.array([*(p * law), 1.0 - p, 0.0]) for p in present)
    for earned in earned_on(pairs_of(left, right), own=True):
        assert (earned <= 0.0).all()
    before = [earned.max() for earned in earned_on(pairs_of(left, right), own=False)]
    assert present[0] == present[1] or max(before) > 0.0


def test_low_bits_earn_whatever_is_absent() -> None:
    left = np.array([0.8, 0.1, 0.0, 0.0, 0.1, 0.0])
    right = np.array([0.0, 0.1, 0.0, 0.8, 0.1, 0.0])
    assert max(earned.max() for earned in earned_on(pairs_of(left, right), own=True)) > 0.5 * PAIRS


def test_no_outcome_pays_more_than_it_did() -> None:
    for cell in range(COUNT * COUNT):
        joint = np.zeros(COUNT * COUNT, np.int64)
        joint[cell] = 1
        square = joint.reshape(COUNT, COUNT)
        pairs = zip(earned_on(square, own=True), earned_on(square, own=False), strict=True)
        for now, before in pairs:
            assert (now <= before + 1e-12).all()
            both = (square[:NUMERIC, :NUMERIC] > 0).any()
            assert not both or np.array_equal(now, before)
