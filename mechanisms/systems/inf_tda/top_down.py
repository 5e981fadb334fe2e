"""InfTDA: counts of a hierarchy released from the top down (arXiv 2412.09256, arXiv 2505.05347).

Every level gets discrete Gaussian noise and an equal share of the budget; the
children of a node are then fitted to what their parent was released as. Only the
noisy counts touch the data, so the cost in zero-concentrated differential privacy
is the sum over levels of (distance of the level's counts)²/(2 sigma²).

How far one user with m tuples moves the counts of a level, in the l2 norm:

    tuples     substituted (bounded)   added (unbounded)
    distinct   sqrt(2m)                sqrt(m)
    any        sqrt(2)·m               m

The row of distinct tuples holds for the tuples themselves. One level up, all m of
them may lie below one node, whose count then moves by m: there, and at the root of
an unbounded release for any user with m > 1, the distance is that of the second
row. Noise by the table is too small by a factor of up to sqrt(m) on these levels.

A bounded release tells the total exactly. That is private only while every user has
exactly m tuples: one with m in the place of one with fewer changes the total.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.random import Generator

from audit.claims import ApproxDP, Claim
from mechanisms.parts.noise import Integers, discrete_gaussian
from mechanisms.parts.parameters import require_count, require_positive, require_probability
from mechanisms.systems.inf_tda.fit import nearest_with_sum
from mechanisms.systems.inf_tda.hierarchy import Level, hierarchy, keyed_counts

if TYPE_CHECKING:
    import pandas as pd


def rho_of(epsilon: float, delta: float) -> float:
    """The zCDP that implies (epsilon, delta): rho + 2 sqrt(rho ln(1/delta)) = epsilon.

    Source: arXiv 1605.02065, Proposition 1.3.
    """
    logarithm = math.log(1.0 / delta)
    return (math.sqrt(logarithm + epsilon) - math.sqrt(logarithm)) ** 2


@dataclass(frozen=True, slots=True)
class InfTda:
    """Consistent, non-negative whole counts of all tuples of an index.

    Attributes:
        epsilon: claimed epsilon about one user.
        delta: claimed delta.
        contribution: tuples of one user, m.
        privacy_type: "bounded" when a user is substituted (the total is public then),
            "unbounded" when a user is added or removed (the total gets noise too).
        distinct_tuples: whether the m tuples of a user are all different.
        sensitivity: "table" takes the same distance for all levels, "exchanged" does
            so with its two rows mixed up, "levels" takes the true one of each level.
        output: "tuples" in the order of the index, or the whole "hierarchy": the total,
            then the counts of every level from the top.
    """

    epsilon: float = 1.0
    delta: float = 1e-6
    contribution: int = 1
    privacy_type: Literal["bounded", "unbounded"] = "bounded"
    distinct_tuples: bool = True
    sensitivity: Literal["table", "exchanged", "levels"] = "table"
    output: Literal["tuples", "hierarchy"] = "tuples"

    def __post_init__(self) -> None:
        require_positive("epsilon", self.epsilon)
        require_probability("delta", self.delta)
        require_count("contribution", self.contribution)

    @property
    def claim(self) -> Claim:
        return ApproxDP(self.epsilon, self.delta)

    @property
    def table_sensitivity(self) -> float:
        """The entry of the table: sqrt(2m), sqrt(m), sqrt(2)·m or m."""
        distinct = self.distinct_tuples != (self.sensitivity == "exchanged")
        return self._moved(self.contribution if distinct else self.contribution**2)

    def level_sensitivity(self, sizes: Integers) -> float:
        """Largest l2 distance of a level whose nodes hold so many tuples, shape (nodes,).

        Distinct tuples fill the largest nodes first; others all go to one node. Under
        substitution both users do so, in different nodes: an upper bound.
        """
        rest = self.contribution
        if not self.distinct_tuples:
            return self._moved(rest**2)
        square = 0
        for size in sorted(sizes.tolist(), reverse=True):
            square += min(size, rest) ** 2
            rest -= min(size, rest)
        return self._moved(square)

    def sigmas(self, levels: Sequence[Level]) -> list[float]:
        """Noise of every noisy level from the top: first the root, if unbounded, then `levels`."""
        sizes = [level.sizes for level in levels]
        if self.privacy_type == "unbounded":
            sizes.insert(0, sizes[0].sum(keepdims=True))
        share = rho_of(self.epsilon, self.delta) / len(sizes)
        table = self.sensitivity != "levels"
        moved = [self.table_sensitivity if table else self.level_sensitivity(s) for s in sizes]
        return [distance / math.sqrt(2.0 * share) for distance in moved]

    def release(self, data: pd.Series[Any] | pd.DataFrame, rng: Generator, size: int) -> Integers:
        """Release the counts.

        Args:
            data: counts as a series whose (multi-)index holds the tuples, or a frame of
                key columns with the counts in the last one. All possible tuples must be
                there, with count 0 where nobody has them: which they are is public.
            rng: source of the noise; how much is drawn depends on the tuples alone.
            size: draws.

        Returns:
            Shape (size, tuples), or with output "hierarchy" (size, 1 + nodes of all
            levels). The cost is size·nodes·log(nodes) with a loop over the levels and
            the different numbers of children in them.

        Raises:
            ValueError: a tuple occurs twice, or a count is no whole number from 0 on.
        """
        keys, counts = keyed_counts(data)
        levels = hierarchy(keys)
        sigmas = self.sigmas(levels)
        released = [self._total(int(counts.sum()), sigmas, rng, size)]
        for level, sigma in zip(levels, sigmas[-len(levels) :], strict=True):
            noise = discrete_gaussian(rng, sigma, (size, level.nodes))
            released.append(_fitted(level, level.sums(counts) + noise, released[-1]))
        return released[-1] if self.output == "tuples" else np.concatenate(released, axis=1)

    def _total(self, total: int, sigmas: Sequence[float], rng: Generator, size: int) -> Integers:
        """The root, shape (size, 1): as it is, or noisy and not negative."""
        if self.privacy_type == "bounded":
            return np.full((size, 1), total)
        return np.asarray(np.maximum(total + discrete_gaussian(rng, sigmas[0], (size, 1)), 0))

    def _moved(self, square: int) -> float:
        """l2 distance from the square of what one user holds; a substitution moves two."""
        return math.sqrt(2 * square if self.privacy_type == "bounded" else square)


def _fitted(level: Level, noisy: Integers, above: Integers) -> Integers:
    """Counts of a level that add up to those of the level above, shape (size, nodes)."""
    result = np.empty_like(noisy)
    for group in level.siblings:
        totals = above[:, group.parents]
        result[:, group.children] = nearest_with_sum(noisy[:, group.children], totals)
    return result
