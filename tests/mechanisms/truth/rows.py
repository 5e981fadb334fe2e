"""An event of an entry with its two exact probabilities, and how draws are held against it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import default_rng
from scipy import stats

from mechanisms import CATALOG

BUDGET = 1e-9
DRAWS = 100_000


@dataclass(frozen=True, slots=True)
class Row:
    """Attributes: an entry, an event on a batch of outputs, and its probabilities.

    p is its probability on the entry's data, q on its first neighbor.
    """

    name: str
    event: Callable[[Any], Any]
    p: float
    q: float

    def __str__(self) -> str:
        return self.name


def frequencies(row: Row, draws: int = DRAWS) -> tuple[int, int]:
    """How often the event happened on D and on D1, from independent streams."""
    entry = CATALOG[row.name]
    sides = (entry.data, entry.neighbors[0])
    outputs = [
        entry.mechanism.release(data, default_rng([7, side]), draws)
        for side, data in enumerate(sides)
    ]
    first, second = (int(np.sum(row.event(output))) for output in outputs)
    return first, second


def assert_probability(count: int, probability: float, draws: int = DRAWS) -> None:
    """The count fits the probability, with an error budget of 1e-9."""
    distribution = stats.binom(draws, probability)
    tail = min(distribution.cdf(count), distribution.sf(count - 1))
    assert tail > BUDGET / 2, f"{count} of {draws} for a probability of {probability}"
