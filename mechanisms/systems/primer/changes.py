"""Any statistic by the exponential mechanism: how many records must change to reach a value?

The score of a candidate is minus that number. Counted under the relation that
makes datasets neighbors it moves by at most 1, whatever the statistic. Here a
change replaces a record, which bounds the score under substitution; for the mean
and the median it does so under add-remove as well: to follow an added record, give
it the value of the candidate; to follow a removed one, move what it contributed to
one of the others, which always has room for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from mechanisms.parts.calibration import Pure
from mechanisms.parts.noise import Floats, Integers, choice
from mechanisms.parts.parameters import require_count, require_positive
from mechanisms.parts.selection import softmax
from mechanisms.systems.primer.integers import limits, require_bits, to_integers, to_numbers

Statistic = Literal["median", "mean"]


def changes_to_mean(records: Integers, candidates: Integers, bits: int) -> Integers:
    """Fewest records to replace so that the mean is exactly each candidate.

    Replacing those with the most room first, c of them move the sum by the c
    largest rooms together. With no record every candidate needs no change.

    Args:
        records: shape (records,).
        candidates: integers of the same width, shape (candidates,).
        bits: that width; replaced records stay in its limits.

    Returns:
        Shape (candidates,).
    """
    low, high = limits(bits)
    needed = records.size * candidates - records.sum()
    upward = np.searchsorted(_reach(high - records), needed)
    downward = np.searchsorted(_reach(records - low), -needed)
    return np.asarray(np.where(needed > 0, upward, downward))


def changes_to_median(records: Integers, candidates: Integers, bits: int) -> Integers:
    """Fewest records to replace so that at most half lie on either side of each candidate.

    Args:
        records: shape (records,), ascending.
        candidates: shape (candidates,).
        bits: not used; any candidate can be reached.

    Returns:
        Shape (candidates,).
    """
    below = np.searchsorted(records, candidates, side="left")
    above = records.size - np.searchsorted(records, candidates, side="right")
    return np.asarray(np.maximum(np.maximum(below, above) - records.size // 2, 0))


CHANGES: Mapping[Statistic, Callable[[Integers, Integers, int], Integers]] = {
    "mean": changes_to_mean,
    "median": changes_to_median,
}


@dataclass(frozen=True, slots=True)
class FewestChanges(Pure):
    """A statistic of numbers in [-1, 1], by how few records would have to change.

    Attributes:
        epsilon: claimed epsilon.
        statistic: what is chosen.
        points: candidates, evenly spaced over [-1, 1].
        bits: width of the integers that stand for [-1, 1].
    """

    statistic: Statistic = "mean"
    points: int = 201
    bits: int = 32

    def __post_init__(self) -> None:
        require_positive("epsilon", self.epsilon)
        require_bits(self.bits)
        require_count("points", self.points, 2, 1_000_000)

    @property
    def candidates(self) -> Integers:
        """The values to choose from, as integers, shape (points,)."""
        low, high = limits(self.bits)
        return np.floor(np.linspace(low, high, self.points)).astype(np.int64)

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Floats:
        """Private values of the statistic, shape (size,); NaN records count for nothing."""
        records = to_integers(data, self.bits)
        changes = CHANGES[self.statistic](records, self.candidates, self.bits)
        chosen = choice(softmax(np.asarray(-0.5 * self.epsilon * changes)), rng.random(size))
        return to_numbers(self.candidates[chosen], self.bits)


def _reach(room: Integers) -> Integers:
    """Largest change of the sum by 0, 1, 2, ... replacements, shape (records + 1,)."""
    return np.concatenate([[0], np.cumsum(np.sort(room)[::-1])])
