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
from audit.verdict.witness import Seen, clearest


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


@pytest.mark.parametrize("count", [1, 2, 6])
def test_all_bets_share_one_level(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    """Whichever of them becomes the witness, its intervals hold."""
    plain, levels = Seen.of, list[float]()

    def noted(bet: Any, claim: Any, counts: Any, alpha: float) -> Seen:
        levels.append(alpha)
        return plain(bet, claim, counts, alpha)

    monkeypatch.setattr(Seen, "of", noted)
    bets, counts = (list(part) for part in zip(*[measured(20, 20)] * count, strict=True))
    clearest(bets, counts, PureDP(1.0), 0.05)
    assert len(levels) == count
    assert sum(levels) == pytest.approx(0.05)


def test_the_first_bet_is_shown_if_it_excludes_the_claim_else_the_clearest() -> None:
    """Of 100 outputs, beside 5 e = 14 that are allowed on average."""
    for first, shown in ((70, 0), (20, 1)):
        bets, counts = zip(measured(first, 5), measured(95, 5), measured(80, 5), strict=True)
        seen = clearest(bets, counts, PureDP(1.0), 0.05)
        assert seen.bet is bets[shown]
        assert (seen.excess > 0.0) is True


def measured(own: int, other: int) -> tuple[EventBet, Any]:
    """A bet on "at least .5", and its counts: so many of 100 on D and on D′."""
    binning = Binning.of([0.5])
    event = np.arange(binning.count) == 1
    counts = np.zeros((2, binning.count), np.int64)
    for side, seen in enumerate((own, other)):
        counts[side, :2] = 100 - seen, seen
    return EventBet.of(0, Part(OUTPUT), binning, (event, np.zeros_like(event)), 0), counts


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
