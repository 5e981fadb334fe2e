"""Noisy counts of records: a flat histogram, its prefix sums, and a tree of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from audit.claims import Claim, PureDP
from audit.errors import InputError
from mechanisms.parts.noise import Floats, Integers, laplace
from mechanisms.parts.parameters import require_count, require_positive


@dataclass(frozen=True, slots=True)
class NoisyHistogram:
    """Counts of the records in each bin plus Laplace noise.

    Attributes:
        epsilon: claimed epsilon.
        bins: number of bins; records are 0 ... bins - 1.
        sensitivity: what one record is believed to change: 1 when it comes or
            goes, 2 when it moves to another bin.
        cumulative: whether prefix sums of the noisy counts are released.
    """

    epsilon: float = 1.0
    bins: int = 2
    sensitivity: float = 1.0
    cumulative: bool = False

    def __post_init__(self) -> None:
        require_count("bins", self.bins)
        require_positive("sensitivity", self.sensitivity)

    @property
    def claim(self) -> Claim:
        return PureDP(self.epsilon)

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Floats:
        """Noisy counts, shape (size, bins)."""
        noise = laplace(rng, self.sensitivity / self.epsilon, (size, self.bins))
        noisy = counts_of(data, self.bins) + noise
        return noisy.cumsum(axis=1) if self.cumulative else noisy


@dataclass(frozen=True, slots=True)
class TreeCounts:
    """Noisy counts at all nodes of a complete binary tree over the leaves.

    Attributes:
        epsilon: claimed epsilon.
        leaves: number of leaves, a power of two; records are 0 ... leaves - 1.
        levels: levels among which the budget is split; right is log2(leaves) + 1.
    """

    epsilon: float = 1.0
    leaves: int = 8
    levels: int = 4

    def __post_init__(self) -> None:
        require_count("leaves", self.leaves)
        require_count("levels", self.levels)
        if self.leaves & (self.leaves - 1):
            raise InputError(
                f"leaves {self.leaves!r} is not a power of two; use for example 8", self.leaves
            )

    @property
    def claim(self) -> Claim:
        return PureDP(self.epsilon)

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Floats:
        """Noisy counts, shape (size, 2·leaves - 1), from the root down to the leaves."""
        noise = laplace(rng, self.levels / self.epsilon, (size, 2 * self.leaves - 1))
        return tree_of(counts_of(data, self.leaves)) + noise


def counts_of(records: ArrayLike, bins: int) -> Integers:
    """Numbers of records equal to 0, 1, ... bins - 1; records outside count as the nearest."""
    kept = np.clip(np.asarray(records).astype(np.int64), 0, bins - 1)
    return np.bincount(kept, minlength=bins)


def tree_of(counts: Integers) -> Integers:
    """All nodes of the tree over the counts, level by level from the root."""
    levels = [counts]
    while levels[0].size > 1:
        levels.insert(0, levels[0].reshape(-1, 2).sum(axis=1))
    return np.concatenate(levels)
