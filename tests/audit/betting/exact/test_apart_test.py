"""Exact tests of sides drawn apart: their level by enumeration, and what they see."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest
from scipy.stats import binom, multinomial, nchypergeom_fisher

from audit.betting.exact.apart_test import OneEventTest, TwoEventTest, _log_tail

LINES = ((math.e, 0.0), (1.2, 0.0), (20.0, 0.0), (math.e, 0.1), (1.0, 0.02))


def refuted(test: OneEventTest, p: float, q: float) -> float:
    """Chance that the line is refuted where these are the chances of the event."""
    counts = np.arange(test.runs + 1)
    chances = np.outer(binom.pmf(counts, test.runs, p), binom.pmf(counts, test.runs, q))
    wins = [[test.refutes(here, there) for there in counts.tolist()] for here in counts.tolist()]
    return float(chances[np.array(wins)].sum())


@pytest.mark.parametrize("line", LINES, ids=str)
@pytest.mark.parametrize("level", [0.03, 0.2])
def test_one_event_that_keeps_its_line_is_refuted_with_at_most_the_level(
    line: tuple[float, float], level: float
) -> None:
    slope, offset = line
    test = OneEventTest(24, slope, offset, level)
    chances = []
    for q in np.linspace(0.0, 1.0, 21):
        promised = min(1.0, slope * float(q) + offset)
        chances += [refuted(test, part * promised, float(q)) for part in (1.0, 0.9)]
    assert max(chances) <= level
    assert (np.diff(test.least) >= 0).all()


def test_one_event_spends_most_of_the_level_and_sees_what_breaks_its_line() -> None:
    test = OneEventTest(200, math.e, 0.0, 0.03)
    chances = [test._chance(test.least, math.e * q, q) for q in np.linspace(0.02, 1 / math.e, 30)]
    assert 0.024 < max(chances) <= 0.03
    assert test._chance(test.least, 0.6, 0.1) > 0.98
    assert not test.refutes(0, 0)
    assert not OneEventTest(3, math.e, 0.0, 1e-9).refutes(3, 0)


@pytest.mark.parametrize("level", [0.5, 0.52])
@pytest.mark.parametrize("runs", [33, 400])
def test_one_event_at_a_level_of_a_half_is_tested_too(level: float, runs: int) -> None:
    test = OneEventTest(runs, math.e, 0.0, level)
    for q in np.linspace(0.01, 1.0 / math.e, 20):
        assert test._chance(test.least, math.e * q, q) <= level


def outcomes(runs: int) -> Iterator[tuple[int, int, int]]:
    for first in range(runs + 1):
        for second in range(runs + 1 - first):
            yield first, second, runs - first - second


def alarm(test: TwoEventTest, own: tuple[float, float], other: tuple[float, float]) -> float:
    """Chance that two events are refuted, with their chances on both sides."""
    held = list(outcomes(test.runs))
    laws = [multinomial.pmf(held, test.runs, (*side, 1.0 - sum(side))) for side in (own, other)]
    wins = [[test.refutes(here[:2], there[:2]) for there in held] for here in held]
    return float(np.outer(*laws)[np.array(wins)].sum())


@pytest.mark.parametrize("line", [(1.5, 0.0), (math.e, 0.0), (1.5, 0.1), (1.2, 0.3)], ids=str)
def test_two_events_that_keep_their_line_are_refuted_with_at_most_the_level(
    line: tuple[float, float],
) -> None:
    slope, offset = line
    for level in (0.05, 0.3):
        test = TwoEventTest(6, slope, offset, level)
        for wrong, against in ((0.1, 0.1), (0.25, 0.25), (0.05, 0.2)):
            own = slope * wrong + offset, against
            other = wrong, slope * against + offset
            if max(sum(own), sum(other)) <= 1.0:
                assert alarm(test, own, other) <= level + 1e-12


def test_two_events_that_break_their_line_are_seen() -> None:
    test = TwoEventTest(7, 1.5, 0.0, 0.3)
    assert 0.05 < alarm(test, (0.375, 0.25), (0.25, 0.375)) <= 0.3
    assert alarm(test, (0.9, 0.05), (0.05, 0.9)) > 0.95
    assert TwoEventTest(40, 1.5, 0.01, 0.05).refutes((30, 2), (2, 30))
    assert not TwoEventTest(40, 1.5, 0.3, 0.05).refutes((20, 2), (2, 20))


def test_the_tail_is_that_of_fishers_law() -> None:
    for first, own, other, firsts, odds in ((5, 9, 12, 8, 3), (0, 4, 4, 4, 1.5), (7, 20, 6, 9, 9)):
        tail = nchypergeom_fisher.sf(first - 1, own + other, own, firsts, odds)
        found = math.exp(_log_tail(first, own, other, firsts, odds))
        assert found == pytest.approx(tail, rel=1e-6)
