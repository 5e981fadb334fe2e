"""A noisy histogram whose bins are moved until they add up to a total."""

from __future__ import annotations

from dataclasses import dataclass

from numpy.random import Generator
from numpy.typing import ArrayLike

from audit.claims import Claim, PureDP
from mechanisms.parts.counts.histogram import counts_of
from mechanisms.parts.noise import Floats, child, laplace
from mechanisms.parts.parameters import require_count


@dataclass(frozen=True, slots=True)
class HistogramOfTotal:
    """Noisy counts of bins, all moved by the same step so that they add up to a total.

    Half of the budget is for the bins and half for the total, whose noise is Laplace noise, too.

    Attributes:
        epsilon: claimed epsilon.
        bins: number of bins; records are 0 ... bins - 1.
        noisy_total: whether the total has its noise; without, the noise of the bins is
            taken back where it matters: they add up to the number of records.
    """

    epsilon: float = 1.0
    bins: int = 4
    noisy_total: bool = True

    def __post_init__(self) -> None:
        require_count("bins", self.bins)

    @property
    def claim(self) -> Claim:
        return PureDP(self.epsilon)

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Floats:
        """Noisy counts, shape (size, bins)."""
        counts, scale = counts_of(data, self.bins), 2.0 / self.epsilon
        of_total = laplace(child(rng), scale, (size, 1))
        total = counts.sum() + (of_total if self.noisy_total else 0.0)
        noisy = counts + laplace(rng, scale, (size, self.bins))
        surplus = noisy.sum(axis=1, keepdims=True) - total
        moved: Floats = noisy - surplus / self.bins
        return moved
