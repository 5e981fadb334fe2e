"""Wrong mechanisms of known loss, most of which only large records show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from audit.relation import Relation

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Sold:
    """A mechanism that is sold as ε = 1.

    Attributes:
        release: f(data, rng, size).
        domain: of a record, in the notation of `--domain`.
        epsilon: the smallest that holds; if that takes rarer events, what an oracle shows that
            knows the best event, with the default budget.
        relation: what makes two datasets neighbors.
    """

    release: Callable[[Any, Generator, int], Any]
    domain: str
    epsilon: float
    relation: Relation = Relation.ADD_REMOVE


def clipped_sum(data: ArrayLike, rng: Generator, size: int, *, epsilon: float) -> Numbers:
    """A sum of values up to 100 with noise for this ε."""
    return float(np.clip(data, 0, 100).sum()) + rng.laplace(0.0, 100.0 / epsilon, size)


def squares(data: ArrayLike, rng: Generator, size: int) -> Numbers:
    """A sum of squares of values up to 10 with noise for 30 instead of 100."""
    return float(np.square(data, dtype=np.float64).sum()) + rng.laplace(0.0, 30.0, size)


def rows(data: pd.DataFrame, rng: Generator, size: int) -> Numbers:
    """A count of rows, of which a user has up to three, with noise for one."""
    return len(data) + rng.laplace(0.0, 1.0, size)


def best_of_ten(data: ArrayLike, rng: Generator, size: int) -> Numbers:
    """The best of ten noisy scores and its number; a record of 10 raises all ten by one."""
    scores = np.array([np.sum(np.asarray(data) >= level) for level in range(1, 11)])
    noisy = scores + rng.laplace(0.0, 5.0, (size, 10))
    best = noisy.argmax(axis=1)
    return np.column_stack([best, noisy[np.arange(size), best]])


SOLD = {
    **{
        f"sum of ε = {epsilon:g}": Sold(partial(clipped_sum, epsilon=epsilon), "int:0:100", epsilon)
        for epsilon in (1.2, 1.5, 2.0, 3.0, 5.0)
    },
    "squares": Sold(squares, "int:0:10", 100 / 30),
    "rows of users": Sold(rows, "who=user:3,price=float:0:50", 3.0, Relation.USER),
    "best of ten": Sold(best_of_ten, "int:0:10", 1.45),
}
"""By name; found by search, from no data."""
