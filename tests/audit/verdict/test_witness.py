"""What is shown breaks the claim by itself, and not only beside what won with it."""

from __future__ import annotations

import math
from itertools import permutations
from typing import Any

import numpy as np
import pytest

import audit
from audit.betting.bet import EventBet
from audit.claims import PureDP
from audit.outcomes.binning import Binning
from audit.outcomes.encoding import OUTPUT, encode
from audit.outcomes.features import Part
from audit.verdict import witness
from audit.verdict.witness import Seen


def even(order: Any) -> bool:
    """Whether so many are in the wrong order, two by two, that the number is even."""
    size = len(order)
    wrong = sum(order[i] > order[j] for i in range(size) for j in range(i + 1, size))
    return bool(wrong % 2 == 0)


def parity(data: Any, rng: np.random.Generator) -> list[int]:
    """An even permutation of four where there is a record, else an odd one."""
    while True:
        order = rng.permutation(4)
        if even(order) == bool(len(data)):
            return [int(place) for place in order]


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[Seen]:
    """What witnesses were made from."""
    kept: list[Seen] = []

    made = witness._witness

    def spy(seen: Seen, *held: Any) -> Any:
        kept.append(seen)
        return made(seen, *held)

    monkeypatch.setattr(witness, "_witness", spy)
    return kept


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 35, 42, 72, 81, 91])
def test_an_event_that_won_by_luck_is_not_shown(shown: list[Seen], seed: int) -> None:
    """Of the 24 outputs each side has 12: single values and differences prove little or nothing."""
    result = audit.run(
        parity,
        epsilon=1.0,
        data=[1],
        neighbors=[[]],
        alpha=0.05,
        seed=seed,
        max_samples=40_000,
        until="violation",
    )
    assert result.verdict == "violation"
    bet = shown[0].bet
    assert isinstance(bet, EventBet)
    sides = [[p for p in permutations(range(4)) if even(p) is kind] for kind in (True, False)]
    outputs = [encode([list(order) for order in side], len(side)) for side in sides]
    bins = [bet.binning.code(bet.feature.read(read)) for read in outputs]
    chances = [float(bet.plus[held].mean()) for held in bins]
    p, q = chances if bet.forward else chances[::-1]
    assert p > math.e * q


@pytest.mark.slow
def test_all_looks_at_fresh_units_share_one_level(monkeypatch: pytest.MonkeyPatch) -> None:
    """If no look suffices, the other bets share the rest of it with all places to end."""
    plain, levels = Seen.of, list[tuple[int, float]]()

    def noted(bet: Any, claim: Any, counts: Any, alpha: float) -> Seen:
        levels.append((id(bet), alpha))
        return plain(bet, claim, counts, alpha)

    monkeypatch.setattr(Seen, "of", noted)
    monkeypatch.setattr(Seen, "excess", property(lambda seen: -1.0))
    monkeypatch.setattr(Seen, "excess_of", lambda seen, draws: 1.0)

    def noisy(data: Any, rng: np.random.Generator, size: int) -> Any:
        return len(data) + rng.laplace(scale=0.4, size=(size, 2))

    alpha = 0.05
    result = audit.run(
        noisy, epsilon=1.0, data=[1], neighbors=[[]], alpha=alpha, max_samples=40_000,
        until="violation",
    )  # fmt: skip
    assert result.verdict == "violation"
    first = levels[0][0]
    looks = [level for bet, level in levels if bet == first]
    others = [level for bet, level in levels if bet != first]
    assert len(looks) > 2
    assert others
    assert 0.9 * alpha < sum(looks) + len(looks) * sum(others) <= alpha * (1.0 + 1e-9)


def test_more_units_are_expected_to_narrow_intervals_and_no_more() -> None:
    binning = Binning.of([0.5])
    event = np.arange(binning.count) == 1
    bet = EventBet.of(0, Part(OUTPUT), binning, (event, np.zeros_like(event)), 0)
    for often, clear in ((60, True), (52, False)):  # of 100, beside 20 e = 54 that are allowed
        counts = np.zeros((2, binning.count), np.int64)
        for side, seen in enumerate((often, 20)):
            counts[side, :2] = 100 - seen, seen
        found = Seen.of(bet, PureDP(1.0), counts, 0.05)
        assert found.excess == found.excess_of(100) < 0.0
        assert (found.excess_of(1_000_000) > 0.0) is clear


def test_intervals_of_the_witness_hold() -> None:
    """At level .05 each; more than 20 misses in 100 happen with probability below 1e-7."""
    rng, claim, p, q = np.random.default_rng(0), PureDP(1.0), 0.3, 0.05
    binning = Binning.of([0.5])
    event = np.arange(binning.count) == 1
    bet = EventBet.of(0, Part(OUTPUT), binning, (event, np.zeros_like(event)), 0)
    missed = 0
    for _ in range(100):
        counts = np.zeros((2, binning.count), np.int64)
        for side, chance in enumerate((p, q)):
            seen = rng.binomial(200, chance)
            counts[side, :2] = 200 - seen, seen
        found = Seen.of(bet, claim, counts, 0.05)
        missed += not (found.p.low <= p <= found.p.high and found.q.low <= q <= found.q.high)
    assert missed <= 20
