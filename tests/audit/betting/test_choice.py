"""The events that are bet on are well formed, and the ones that were meant."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray

from audit.betting.event_families import Bets, bets_for
from audit.outcomes.binning import Binning
from tests import masks
from tests.bettings import bettings

exactly = settings(derandomize=True, database=None, deadline=None, max_examples=100)


@pytest.mark.slow
@exactly
@given(bettings())
def test_bets_are_well_formed(
    betting: tuple[Binning, NDArray[np.int64], NDArray[np.int64]],
) -> None:
    binning, left, right = betting
    bets = bets_for(binning, left, right)
    assert len(masks.single(bets)) + len(masks.plus(bets)) == len(bets.ranked)
    assert masks.plus(bets).shape == masks.minus(bets).shape
    assert masks.single(bets).shape[1] == binning.count
    assert not (masks.plus(bets) & masks.minus(bets)).any(), (
        "a pair may fall into one of two joined events"
    )
    assert masks.plus(bets).any(axis=1).all()
    assert masks.minus(bets).any(axis=1).all()


def has(bets: Bets, *bins: int) -> bool:
    mask = np.isin(np.arange(masks.single(bets).shape[1]), bins)
    return bool((masks.single(bets) == mask).all(axis=1).any())


def test_half_lines_single_bins_and_likely_sets_are_bet_on() -> None:
    binning = Binning.of([0.0, 1.0, 2.0], ["nan"])
    left, right = np.array([9, 1, 8, 1, 5, 0]), np.array([1, 9, 1, 8, 5, 0])
    bets = bets_for(binning, left, right)
    for half_line in [(1, 2, 3), (2, 3), (3,), (0,), (0, 1), (0, 1, 2)]:
        assert has(bets, *half_line)
    for code in range(binning.count):
        assert has(bets, code)
    assert has(bets, 0, 2)
    assert has(bets, 1, 3)


def test_bets_chosen_by_their_frequencies_are_marked() -> None:
    binning = Binning.of([0.0, 1.0, 2.0])
    left, right = np.array([9, 1, 8, 1, 0]), np.array([1, 9, 1, 8, 0])
    bets, other = bets_for(binning, left, right), bets_for(binning, right, left)
    fixed = ~bets.ranked[: len(masks.single(bets))]
    np.testing.assert_array_equal(masks.single(bets)[fixed], masks.single(other)[fixed])
    assert bets.ranked.any()
    assert not np.array_equal(masks.single(bets)[~fixed], masks.single(other)[~fixed])


@pytest.mark.slow
@exactly
@given(bettings())
def test_every_event_is_joined_with_the_largest_disjoint_one_that_weighs_no_more(
    betting: tuple[Binning, NDArray[np.int64], NDArray[np.int64]],
) -> None:
    binning, left, right = betting
    bets = bets_for(binning, left, right)
    drawn, singles = left + right, masks.single(bets)
    weights = singles @ drawn
    edges, cuts = binning.numeric - 1, binning.count - 1
    first = 2 * edges + binning.count
    expected = []
    for uppers, lowers in (
        (range(edges), range(edges, 2 * edges)),
        (range(first, first + cuts), range(first + cuts, first + 2 * cuts)),
    ):
        for upper in uppers:
            fitting = [
                int(weights[lower])
                for lower in lowers
                if not (singles[lower] & singles[upper]).any()
                and 0 < weights[lower] <= max(weights[upper], 1)
            ]
            if fitting:
                expected.append((singles[upper].tolist(), max(fitting)))
    plus, minus = masks.plus(bets), masks.minus(bets)
    assert list(zip(plus.tolist(), (minus @ drawn).tolist(), strict=True)) == expected
