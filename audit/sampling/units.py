"""Units: independent by construction, or assumed so; each counts once in the wealth.

A unit gives n outputs on D and n on D′ (a pair), or n outputs, each on D with probability
`share` and else on D′ (coins).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from audit.outcomes.encoding import Outcomes
from audit.sampling.source import Sources, Stage, separate_generators

Places = NDArray[np.intp]


LOST = "lost"
"""Kind of the missing outcomes of units that were under way when an earlier audit was killed."""


class UnitKind(StrEnum):
    """The unit of an audit."""

    LIFE = "life"
    CALL = "call"
    START = "start"
    REQUEST = "request"
    LINE = "line"


@dataclass(frozen=True, slots=True)
class UnitPlan:
    """Units that are about to be drawn.

    Attributes:
        stage: the purpose of the draws, part of their address.
        pair: index of the pair of datasets.
        first: number of the first unit on this pair.
        count: units.
        n: outputs of a unit on each dataset; for coins on both together.
        share: probability of D for coins; None for pairs.
    """

    stage: Stage
    pair: int
    first: int
    count: int
    n: int = 1
    share: float | None = None

    @property
    def runs(self) -> int:
        """Outputs of all units together."""
        return self.count * self.n * (2 if self.share is None else 1)

    def sides(self, seed: int) -> NDArray[np.bool_]:
        """True for D′: the dataset of each output of each unit of coins, shape (count, n).

        Each unit tosses coins of its own, so that they do not depend on how units are grouped.
        """
        if self.share is None:
            raise ValueError("pairs have no coins")
        return self._tosses(seed, _COINS, self.n) >= self.share

    def order(self, seed: int) -> list[tuple[bool, bool]]:
        """Order of both datasets in each unit of a pair, by a fair coin: True for D′.

        What one instance leaves to the next then favors neither dataset.
        """
        behind = self._tosses(seed, _ORDER, 1)[:, 0] >= 0.5
        return [(first, not first) for first in behind.tolist()]

    def _tosses(self, seed: int, purpose: int, size: int) -> NDArray[np.float64]:
        """Numbers below 1 by unit, shape (count, size)."""
        root = np.random.SeedSequence(seed, spawn_key=(int(self.stage), self.pair, purpose))
        numbers = range(self.first, self.first + self.count)
        return np.stack([rng.random(size) for rng in separate_generators(root, numbers)])

    def entropy(self, seed: int, number: int) -> tuple[int, ...]:
        """Words that all randomness of one unit follows from."""
        return (seed & 0xFFFFFFFF, seed >> 32, int(self.stage), self.pair, _DRAWS, number)


_COINS, _DRAWS, _ORDER = 1, 2, 3


@dataclass(frozen=True, slots=True)
class UnitBatch:
    """Units that were drawn.

    Attributes:
        sides: outputs on D and on D′.
        units: the unit of each of these outputs, counted from 0.
        count: units.
        n: outputs of a unit (see `UnitPlan`).
        share: see `UnitPlan`.
    """

    sides: tuple[Outcomes, Outcomes]
    units: tuple[Places, Places]
    count: int
    n: int
    share: float | None

    @classmethod
    def of_pairs(cls, left: Outcomes, right: Outcomes, n: int) -> UnitBatch:
        """Pairs of n outputs each, unit after unit."""
        units = np.repeat(np.arange(left.size // n), n)
        return cls((left, right), (units, units), left.size // n, n, None)

    @classmethod
    def of_coins(
        cls, left: Outcomes, right: Outcomes, sides: NDArray[np.bool_], plan: UnitPlan
    ) -> UnitBatch:
        """Units of coins, whose outputs are in order on each dataset."""
        units = np.repeat(np.arange(plan.count), plan.n)
        right_side = sides.ravel()
        places = units[~right_side], units[right_side]
        return cls((left, right), places, plan.count, plan.n, plan.share)

    @property
    def paired(self) -> bool:
        """True if output i on D and output i on D′ are a pair."""
        return self.share is None


class UnitSource(Protocol):
    """Draws units of one black box."""

    @property
    def kind(self) -> UnitKind:
        """Kind of its units."""

    @property
    def coins(self) -> bool:
        """True if units of coins can be drawn."""

    @property
    def pairs(self) -> bool:
        """True if pairs with n > 1 can be drawn."""

    @property
    def coupled(self) -> bool:
        """True if both datasets of a pair had common random numbers."""

    def costs(self) -> tuple[float, float]:
        """Seconds of a unit and of one more output, each a power of two, fixed once measured."""

    def add_pair(self, index: int, sources: Sources) -> None:
        """Units may be drawn on this pair from now on."""

    def doubt(self, *, waits: bool = True) -> str:
        """Why its units may not be independent of each other, as a clause; empty if they are.

        To find that out may take seconds. Without waiting for it, that it is not known is a doubt.
        """

    def drawn(self, plan: UnitPlan) -> UnitBatch:
        """Units of a plan.

        Raises:
            BlackBoxError: the black box cannot be run at all.
        """
