"""What comes in turn is seen, and independent draws keep the level whatever their law."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from numpy.random import Generator

from audit.outcomes.column import Integers
from audit.sampling.heads import log_wealth_on_heads
from audit.sampling.in_turn import _coins, codes_of, come_in_turn

LAWS: dict[str, Callable[[Generator], Integers]] = {
    "two": lambda rng: rng.integers(2, size=600),
    "seldom": lambda rng: (rng.random(600) < 0.1).astype(np.int64),
    "thirty": lambda rng: rng.integers(30, size=600),
    "geometric": lambda rng: rng.geometric(0.2, size=600),
    "never twice": lambda rng: np.arange(600),
}


@pytest.mark.parametrize("law", LAWS)
def test_independent_draws_keep_the_level(law: str) -> None:
    """Of 400 tests at .05, 36 are failed with a chance of 6e-4 at most."""
    rng = np.random.default_rng(3)
    assert sum(come_in_turn(LAWS[law](rng), 0.05) for _ in range(400)) <= 35


@pytest.mark.parametrize("context", [1, 2])
@pytest.mark.parametrize("chance", [0.2, 0.5])
def test_the_wealth_is_fair_for_every_law_of_two_outputs(context: int, chance: float) -> None:
    """All sequences of ten, each with its probability."""
    mean = sum(
        math.prod(chance if bit else 1.0 - chance for bit in bits)
        * math.exp(log_wealth_on_heads(*_coins(bits, context)))
        for bits in product((0, 1), repeat=10)
    )
    assert mean == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("size", [5, 50, 1_000])
@pytest.mark.parametrize("side", [1, 2, 64])
def test_a_table_that_is_read_again_is_seen(size: int, side: int) -> None:
    """Also where every second run, or every second batch of 64, is one on the other dataset."""
    table = np.random.default_rng(5).permutation(size)
    place = np.arange(8_000)
    held = table[place[(place // side) % 2 == 0] % size] if side > 1 else table[place % size]
    assert come_in_turn(held, 1e-6)


def test_few_outputs_in_turn_are_seen_by_what_stood_before_them() -> None:
    table = np.random.default_rng(5).integers(2, size=40)
    assert come_in_turn(np.tile(table, 60), 1e-6)


def test_a_table_that_is_read_at_random_is_not() -> None:
    rng = np.random.default_rng(5)
    assert not come_in_turn(rng.permutation(50)[rng.integers(50, size=8_000)], 1e-6)


@pytest.mark.parametrize("runs", range(5))
def test_a_few_runs_show_nothing(runs: int) -> None:
    assert not come_in_turn(np.zeros(runs, np.int64), 0.5)


def test_rows_are_told_apart_bit_by_bit() -> None:
    table = np.array([[0.0, 1.0], [np.nan, 1.0], [0.0, 2.0], [np.nan, 1.0], [0.0, 1.0]])
    assert codes_of(table).tolist() == [0, 1, 2, 1, 0]
