"""Cumulative counts: records below any threshold, from counts at many scales.

Each scale cuts [-1, 1] into twice as many bins as the one before. The bins of one
scale are disjoint, so a scale costs what one count costs (parallel composition);
the scales share epsilon equally (sequential composition). A threshold is the end of
at most one left-hand bin per scale, so its answer adds up at most `scales` counts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from mechanisms.parts.calibration import Pure
from mechanisms.parts.noise import Floats, laplace
from mechanisms.parts.parameters import require_count, require_positive
from mechanisms.systems.primer.integers import limits, to_integers


@dataclass(frozen=True, slots=True)
class CumulativeCounts(Pure):
    """Noisy numbers of records below 2^scales - 1 evenly spaced thresholds.

    Attributes:
        epsilon: claimed epsilon.
        scales: how often [-1, 1] is halved; every scale gets epsilon/scales.
    """

    scales: int = 4

    def __post_init__(self) -> None:
        require_positive("epsilon", self.epsilon)
        require_count("scales", self.scales, 1, 16)

    @property
    def thresholds(self) -> Floats:
        """Thresholds of the answers, ascending, shape (2^scales - 1,)."""
        return np.arange(1, 1 << self.scales) / (1 << (self.scales - 1)) - 1.0

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Floats:
        """Noisy counts below each of `thresholds`, shape (size, 2^scales - 1).

        Records are held to [-1, 1], 1 itself to the last bin; NaN is no record.
        """
        bins = (to_integers(data, 32) - limits(32)[0]) >> (32 - self.scales)
        noise = laplace(rng, self.scales / self.epsilon, (size, (1 << self.scales) - 1))
        below = np.zeros((size, 1))
        for scale in range(1, self.scales + 1):
            counts = np.bincount(bins >> (self.scales - scale), minlength=1 << scale)
            left = counts[::2] + noise[:, (1 << (scale - 1)) - 1 : (1 << scale) - 1]
            below = np.stack([below, below + left], axis=2).reshape(size, -1)
        return below[:, 1:]
