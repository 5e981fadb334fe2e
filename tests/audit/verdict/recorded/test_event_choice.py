"""Events that are chosen for exact tests: few tails, the best of all others, shares of alpha."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

from audit.betting.event_families import Reading
from audit.claims import PureDP
from audit.outcomes.encoding import encode
from audit.verdict.recorded.event_choice import _LADDER, Ahead, Candidate, Candidates

AHEAD: Ahead = (PureDP(1.0).lines(1.0), 0.04)


def candidates(
    draw: Callable[[int, Generator], Any], ahead: Ahead = AHEAD, lines: int = 800
) -> Candidates:
    sides = [draw(data, np.random.default_rng([4, data])) for data in (1, 0)]
    left, right = (encode(side, len(side)) for side in sides)
    return Candidates.of([(0, (left, right), lines)], ahead)


def laplace(data: int, rng: Generator) -> Any:
    return data + rng.laplace(0.0, 0.25, 500)


def span(candidate: Candidate) -> tuple[Reading, int, int]:
    order, start, stop = candidate.events.bets.spans[candidate.event].tolist()
    assert order == 0
    return candidate.reading, start, stop


def test_tails_are_half_lines_whose_shares_nobody_chose() -> None:
    found = candidates(laplace).tails
    assert len(found) > 10
    for tail in found:
        reading, start, stop = span(tail)
        assert (start == 0) != (stop == reading.binning.numeric)
        both, own, other = tail.seen
        share = (2.0 * both + own + other) / 1000.0
        assert np.abs(np.log(share / _LADDER)).min() < 0.3


def test_most_of_alpha_goes_to_few_tails_where_they_tell_the_sides_apart() -> None:
    shared = candidates(laplace).shared()
    shares = [share for _, share in shared]
    assert sum(shares) == pytest.approx(1.0)
    assert shares == sorted(shares, reverse=True)
    assert sum(shares[:8]) > 0.6
    keys = [candidate.key for candidate, _ in shared]
    assert len(set(keys)) == len(keys)
    # Above on D, below on the neighbor: the two that break the claim.
    ways = {(c.side, span(c)[1] == 0) for c, _ in shared[:2]}
    assert ways <= {(0, False), (1, True)}


def test_labels_have_no_tails_and_all_of_alpha() -> None:
    def labels(data: int, rng: Generator) -> Any:
        return [f"{bool(u < 0.7) == bool(data)}" for u in rng.random(200)]

    found = candidates(labels)
    assert found.tails == ()
    assert sum(share for _, share in found.shared()) == pytest.approx(1.0)


def test_others_have_more_where_half_lines_say_little() -> None:
    """A value in the middle that is common on D alone, beside noise."""

    def middle(data: int, rng: Generator) -> Any:
        noise = rng.normal(size=500)
        return np.where(rng.random(500) < 0.3 * data, 0.125, noise)

    def of_others(found: Candidates) -> float:
        tails = {tail.key for tail in found.tails}
        return sum(share for candidate, share in found.shared() if candidate.key not in tails)

    assert of_others(candidates(middle)) > 2.0 * of_others(candidates(laplace))


def test_nothing_is_chosen_of_nothing() -> None:
    assert Candidates.of([], AHEAD).shared() == []


def test_a_smaller_alpha_prefers_events_that_are_less_rare() -> None:
    def gaussian(data: int, rng: Generator) -> Any:
        return data + rng.normal(size=2000)

    def usual(alpha: float) -> float:
        shared = candidates(gaussian, (AHEAD[0], alpha)).shared()
        return sum(share * math.log(sum(c.seen)) for c, share in shared)

    assert usual(1e-8) > usual(0.05)
