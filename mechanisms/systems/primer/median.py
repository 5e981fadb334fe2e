"""The median by the exponential mechanism over all integers of 32 bits, sampled exactly.

Between two neighboring records all candidates have the same score, so the choice
is made in two steps: one of at most 2·records + 1 segments, then a candidate of it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from mechanisms.parts.calibration import Pure
from mechanisms.parts.noise import Floats, Integers, choice
from mechanisms.parts.parameters import require_positive
from mechanisms.parts.selection import softmax
from mechanisms.systems.primer.integers import limits, require_bits, to_integers, to_numbers


@dataclass(frozen=True, slots=True)
class Segments:
    """Runs of candidates with one score, in ascending order, none of them empty.

    Attributes:
        starts: first candidate of each, shape (segments,).
        sizes: number of candidates of each.
        scores: -| records above - records below | of its candidates.
    """

    starts: Integers
    sizes: Integers
    scores: NDArray[np.float64]

    def probabilities(self, epsilon: float) -> Floats:
        """Probability that the chosen candidate lies in each, shape (segments,).

        A candidate is chosen with probability proportional to e^(epsilon·score/2), where
        one record moves each score by at most 1 (McSherry and Talwar 2007).
        """
        return softmax(0.5 * epsilon * self.scores + np.log(self.sizes))


def segments(records: Integers, bits: int) -> Segments:
    """Split all integers of that many bits by their score for the median.

    Args:
        records: shape (records,), ascending.
        bits: width of the candidates.
    """
    low, high = limits(bits)
    points, counts = np.unique(records, return_counts=True)
    until = np.concatenate([[0], np.cumsum(counts)])
    gap_starts = np.concatenate([[low], points + 1])
    starts = np.concatenate([points, gap_starts])
    sizes = np.concatenate([np.ones_like(points), np.append(points, high + 1) - gap_starts])
    below = np.concatenate([until[:-1], until])
    above = records.size - np.concatenate([until[1:], until])
    order = np.argsort(starts, kind="stable")
    kept = order[sizes[order] > 0]
    return Segments(starts[kept], sizes[kept], -np.abs(above - below)[kept].astype(np.float64))


@dataclass(frozen=True, slots=True)
class Median(Pure):
    """Median of numbers in [-1, 1], chosen among all integers of `bits` bits.

    One record changes the number of records above or below a candidate by one, so
    the scores move by at most 1.

    Attributes:
        epsilon: claimed epsilon.
        bits: width of the integers that stand for [-1, 1].
    """

    bits: int = 32

    def __post_init__(self) -> None:
        require_positive("epsilon", self.epsilon)
        require_bits(self.bits)

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Floats:
        """Private medians, shape (size,), in [-1, 1); NaN records count for nothing."""
        parts = segments(to_integers(data, self.bits), self.bits)
        chosen = choice(parts.probabilities(self.epsilon), rng.random(size))
        offset = np.floor(rng.random(size) * parts.sizes[chosen]).astype(np.int64)
        return to_numbers(parts.starts[chosen] + offset, self.bits)
