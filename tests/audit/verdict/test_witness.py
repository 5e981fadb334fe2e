"""What is shown breaks the claim by itself, and not only beside what won with it."""

from __future__ import annotations

import math
from itertools import permutations
from typing import Any

import numpy as np
import pytest

import audit
from audit.betting.bet import EventBet
from audit.outcomes.encoding import encode
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
