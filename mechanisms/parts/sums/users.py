"""Counting rows when one user may own several of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from numpy.random import Generator

from audit.claims import Claim, PureDP
from mechanisms.parts.noise import Floats, laplace
from mechanisms.parts.parameters import require_count

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class RowCount:
    """Number of rows plus Laplace noise.

    Attributes:
        epsilon: claimed epsilon for a whole user.
        rows_per_user: how many rows of one user the noise hides.
        bound: whether further rows of a user are dropped.
    """

    epsilon: float = 1.0
    rows_per_user: int = 1
    bound: bool = True

    def __post_init__(self) -> None:
        require_count("rows_per_user", self.rows_per_user)

    @property
    def claim(self) -> Claim:
        return PureDP(self.epsilon)

    def release(self, data: pd.DataFrame, rng: Generator, size: int) -> Floats:
        """Noisy counts, shape (size,); the column "user" says whose a row is."""
        owned = data["user"].value_counts()
        counted = owned.clip(upper=self.rows_per_user) if self.bound else owned
        return int(counted.sum()) + laplace(rng, self.rows_per_user / self.epsilon, size)
