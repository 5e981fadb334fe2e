"""Counts of one feature: laws of pairs and of coins, halves, and the candidates from them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from audit.betting.event_families import Reading
from audit.claims import ZCDP, PureDP
from audit.outcomes.binning import Binning
from audit.outcomes.encoding import OUTPUT
from audit.outcomes.features import Feature, LowBits, Part

BINNING = Binning.of([0.5, 1.5], ["None"])
BINS = BINNING.count
PURE = PureDP(1.0).divergences(1.0)
CODES = st.lists(st.integers(0, BINS - 1), min_size=1, max_size=30).map(np.array)


def empty(feature: Feature | None = None) -> Reading:
    counts = np.zeros((2, BINS, BINS)), np.zeros((2, 2, BINS))
    return Reading(feature or Part(OUTPUT), BINNING, *counts)


@given(CODES, st.integers(0, 1))
def test_pairs_are_counted_jointly(left: NDArray[np.int64], half: int) -> None:
    reading, right = empty(), (left * 2 + 1) % BINS
    reading.count((left, right), True, half)
    table = np.zeros((BINS, BINS))
    for one, other in zip(left, right, strict=True):
        table[one, other] += 1
    np.testing.assert_array_equal(reading.joint[half], table)
    assert reading.joint[1 - half].sum() == reading.single.sum() == 0
    np.testing.assert_array_equal(reading.marginals()[0], table.sum(axis=1))
    np.testing.assert_array_equal(reading.marginals()[1], table.sum(axis=0))


@given(CODES, CODES)
def test_coins_are_counted_apart(left: NDArray[np.int64], right: NDArray[np.int64]) -> None:
    reading = empty()
    reading.count((left, right), False, 1)
    for side, codes in enumerate((left, right)):
        np.testing.assert_array_equal(reading.single[1, side], np.bincount(codes, minlength=BINS))
        np.testing.assert_array_equal(reading.marginals()[side], np.bincount(codes, minlength=BINS))
    assert reading.joint.sum() == 0


@given(st.lists(st.integers(1, 9), min_size=BINS * (BINS + 2), max_size=BINS * (BINS + 2)))
def test_the_law_mixes_pairs_and_coins_by_their_numbers(cells: list[int]) -> None:
    reading, numbers = empty(), np.array(cells, float)
    reading.joint[0] = numbers[: BINS * BINS].reshape(BINS, BINS)
    reading.single[1] = numbers[BINS * BINS :].reshape(2, BINS)
    left, right = reading.single[1]
    pairs, coins = reading.joint[0].sum(), min(left.sum(), right.sum())
    law, total = reading.law()
    apart = np.outer(left / left.sum(), right / right.sum())
    expected = (reading.joint[0] + coins * apart) / (pairs + coins)
    np.testing.assert_allclose(law, expected)
    assert law.sum() == pytest.approx(1.0)
    assert total == pairs + coins
    first, count = reading.law((0,))
    np.testing.assert_allclose(first, reading.joint[0] / pairs)
    assert count == pairs


def test_without_counts_the_law_is_nothing() -> None:
    law, total = empty().law()
    assert (law.sum(), total) == (0.0, 0.0)


def counted(seed: int = 0, feature: Feature | None = None) -> Reading:
    """Halves with laws of their own."""
    rng, reading = np.random.default_rng(seed), empty(feature)
    for half, law in enumerate(([0.5, 0.2, 0.1, 0.1, 0.1], [0.2, 0.1, 0.3, 0.3, 0.1])):
        left = rng.choice(BINS, 400, p=law)
        reading.count((left, rng.choice(BINS, 400, p=law[::-1])), True, half)
    return reading


def test_candidates_have_the_frequencies_of_their_masks() -> None:
    """Those that were chosen by frequencies are judged on the second half alone."""
    reading = counted()
    reading.study(PURE)
    events = reading.events
    assert events is not None
    whole, half = reading.law()[0], reading.law((1,))[0]
    seen = set()
    for place in range(len(events.bets.ranked)):
        plus, minus = events.bets.masks(place)
        ranked = bool(events.bets.ranked[place])
        law = half if ranked else whole
        assert events.pairs[place] == (400 if ranked else 800)
        seen.add(ranked)
        parts = [plus, ~plus] if place < events.single.shape[1] else [plus, minus, ~plus & ~minus]
        held = events.single if len(parts) == 2 else events.double
        at = place if len(parts) == 2 else place - events.single.shape[1]
        expected = [float(one @ law @ other) for one in parts for other in parts]
        np.testing.assert_allclose(held[0, at], expected, atol=1e-12)
        # In the other direction the datasets change places.
        turned = np.array(expected).reshape(len(parts), len(parts)).T.ravel()
        np.testing.assert_allclose(held[1, at], turned, atol=1e-12)
    assert seen == {True, False}


def test_functions_are_candidates_against_divergences_alone() -> None:
    reading = counted()
    reading.study(PURE)
    assert reading.functions is None
    claim = ZCDP(0.5)
    reading.study(claim.divergences(0.5))
    assert reading.functions is not None
    reading.study(PURE)
    assert reading.functions is None


def test_events_of_low_order_bits_hold_numbers_alone() -> None:
    reading = counted(feature=LowBits(OUTPUT))
    reading.study(PURE)
    assert reading.events is not None
    bets = reading.events.bets
    assert len(bets.ranked) > 0
    assert not len(bets.joined)
    numbers = np.arange(BINS) < BINNING.numeric
    masks = [bets.masks(place)[0] for place in range(len(bets.ranked))]
    assert all(not (mask & ~numbers).any() for mask in masks)
    assert any(mask.any() for mask in masks)
    plain = counted()
    plain.study(PURE)
    assert plain.events is not None
    others = [plain.events.bets.masks(place)[0] for place in range(len(plain.events.bets.ranked))]
    assert any((mask & ~numbers).any() for mask in others)
