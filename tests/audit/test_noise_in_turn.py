"""Noise that is given in turn, from a table that is read again, is no ground to accuse."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle
from typing import Any

import numpy as np
import pytest

import audit

GIVEN: dict[str, Any] = {
    "epsilon": 1.0,
    "data": [1.0],
    "neighbors": [[0.0]],
    "relation": "declared",
    "name": "box",
    "max_samples": 20_000,
}


class InTurn:
    """One output a call, with noise from a table; read anew each time where it is endless."""

    def __init__(self, seed: int, size: int, scale: float = 1.0, *, endless: bool = False) -> None:
        self.rng = np.random.default_rng([17, seed])
        self.size, self.scale, self.endless = size, scale, endless
        self.table, self.calls = self.drawn(), 0

    def drawn(self) -> Any:
        return self.rng.laplace(scale=self.scale, size=self.size)

    def noise(self, size: int) -> Any:
        places = self.calls + np.arange(size)
        self.calls += size
        if self.endless and self.calls >= self.size:
            self.calls, self.table = 0, self.drawn()
        return self.table[places % self.size]

    def __call__(self, data: Any) -> float:
        return float(np.sum(data) + self.noise(1)[0])


class ManyInTurn(InTurn):
    """The same for many outputs a call."""

    def __call__(self, data: Any, size: int) -> Any:  # type: ignore[override]
        return np.sum(data) + self.noise(size)


def unseen(seed: int, size: int) -> Callable[[Any], float]:
    """The same from an iterator, where no look at the black box shows that calls change it."""
    noise = cycle(np.random.default_rng([17, seed]).laplace(size=size).tolist())
    return lambda data: float(np.sum(data) + next(noise))


@pytest.mark.parametrize("kind", [InTurn, ManyInTurn, unseen])
@pytest.mark.parametrize("size", [20, 50])
@pytest.mark.parametrize("seed", range(3))
def test_a_right_box_with_a_table_is_not_accused(
    kind: Callable[[int, int], Any], size: int, seed: int
) -> None:
    """Bets win on all of these."""
    result = audit.run(kind(seed, size), seed=seed, alpha=0.05, **GIVEN)
    assert result.verdict == "inconclusive"
    assert result.log_evalue > 10.0
    assert result.epsilon_lower == 0.0
    # A short table looks alike in a row as well now and then.
    told = "in an order that comes again", "one after the other are more alike"
    assert any(words in result.reason for words in told)


@pytest.mark.parametrize("seed", range(2))
def test_a_table_of_many_is_seen_as_well(seed: int) -> None:
    result = audit.run(InTurn(seed, 1_000), seed=seed, **GIVEN)
    assert result.verdict == "inconclusive"
    assert "in an order that comes again" in result.reason


@pytest.mark.parametrize(("scale", "verdict"), [(1.0, "not-refuted"), (0.5, "violation")])
def test_a_buffer_that_is_filled_again_is_nothing_of_the_kind(scale: float, verdict: str) -> None:
    result = audit.run(InTurn(0, 500, scale, endless=True), **GIVEN)
    assert result.verdict == verdict


@pytest.mark.parametrize("most", [2, 5])
def test_nor_are_few_outputs_that_come_at_random(most: int) -> None:
    """Half of the noise that the claim takes, for few outputs, from a box that counts its calls."""
    calls = [0]

    def box(data: Any, rng: np.random.Generator) -> int:
        calls[0] += 1
        return int(np.clip(np.sum(data) + round(rng.laplace(scale=0.5)), 0, most))

    assert audit.run(box, **GIVEN).verdict == "violation"
