"""Pearson's correlation of pairs in [-1, 1] x [-1, 1] from six noisy sums."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from mechanisms.parts.calibration import Pure
from mechanisms.parts.noise import Floats
from mechanisms.parts.parameters import require_positive
from mechanisms.systems.primer.sums import Sampler, at_least_one, noisy_sum


@dataclass(frozen=True, slots=True)
class Correlation(Pure):
    """Correlation coefficient, epsilon/6 for each of the sums of 1, x, y, x², y² and xy.

    What the formula leaves undefined is post-processing of the noisy sums: a noisy
    count below 1 is read as 1, a variance below 0 as 0, a quotient outside of
    [-1, 1] as the nearer end, and with a variance of 0 the answer is 0. The bare
    formula has a negative number under its root then, or two that cancel.

    Attributes:
        epsilon: claimed epsilon.
        sampler: "right" for Laplace noise, "printed" for the one with a hole.
    """

    sampler: Sampler = "right"

    def __post_init__(self) -> None:
        require_positive("epsilon", self.epsilon)

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Floats:
        """Noisy correlations.

        Args:
            data: pairs, shape (records, 2); an empty array of any shape is no record.
            rng: source of the noise.
            size: draws.

        Returns:
            Shape (size,), in [-1, 1].

        Raises:
            ValueError: the records are not pairs.
        """
        records = np.asarray(data, dtype=np.float64)
        if records.size and (records.ndim != 2 or records.shape[1] != 2):
            raise ValueError(f"records of shape {records.shape[1:]} are no pairs")
        x, y = np.clip(records.reshape(-1, 2), -1.0, 1.0).T
        terms = (np.ones_like(x), x, y, x * x, y * y, x * y)
        noisy = [noisy_sum(t, self.epsilon / 6, rng, size, self.sampler) for t in terms]
        count = at_least_one(noisy[0])
        return coefficient(*(total / count for total in noisy[1:]))


def coefficient(x: Floats, y: Floats, x2: Floats, y2: Floats, xy: Floats) -> Floats:
    """Correlation from the means of x, y, x², y² and xy, shape (draws,) each and returned.

    Defined for any finite means, also for those that no data have.
    """
    spread = np.sqrt(np.maximum(x2 - x**2, 0.0)) * np.sqrt(np.maximum(y2 - y**2, 0.0))
    quotient = np.divide(xy - x * y, spread, out=np.zeros_like(spread), where=spread > 0)
    return np.asarray(np.clip(quotient, -1.0, 1.0))
