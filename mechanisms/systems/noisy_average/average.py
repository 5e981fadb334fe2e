"""The average age of the records above 25 with Laplace noise, three ways to scale it.

One record can move this average by at most (largest - smallest age)/m when m, the
number of records above 25, does not change. Reading m and the range from the
data makes the noise itself depend on the data, which no epsilon survives: with a
single record left the noise has scale 0, and with none there is no answer at all.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from audit.claims import Claim, PureDP
from audit.errors import InputError
from mechanisms.parts.noise import laplace
from mechanisms.parts.parameters import require_positive

_ABOVE = 25.0
_OLDEST = 100.0


@dataclass(frozen=True, slots=True)
class NoisyAverage:
    """Average age above 25 plus Laplace noise of scale sensitivity/epsilon.

    Attributes:
        epsilon: claimed epsilon.
        sensitivity: "observed" reads (largest - smallest)/m from the data,
            "global" takes 100/m with m from the data, "clamped" divides a noisy
            sum of ages held to 0..100 by a noisy count, epsilon/2 each.
    """

    epsilon: float = 0.5
    sensitivity: Literal["observed", "global", "clamped"] = "observed"

    def __post_init__(self) -> None:
        require_positive("epsilon", self.epsilon)

    @property
    def claim(self) -> Claim:
        return PureDP(self.epsilon)

    def release(self, data: ArrayLike, rng: Generator, size: int) -> NDArray[np.float64]:
        """Noisy averages, in years.

        Args:
            data: ages, shape (records,); those that are not finite are no records.
            rng: source of the noise.
            size: draws.

        Returns:
            Shape (size,).

        Raises:
            ValueError: nobody is above 25; "clamped" answers even then.
        """
        records = np.asarray(data, dtype=np.float64)
        chosen = records[(records > _ABOVE) & np.isfinite(records)]
        if self.sensitivity == "clamped":
            return self._sum_over_count(np.minimum(chosen, _OLDEST), rng, size)
        if chosen.size == 0:
            raise ValueError("no record has an age above 25")
        width = float(np.ptp(chosen)) if self.sensitivity == "observed" else _OLDEST
        return float(chosen.mean()) + laplace(rng, width / chosen.size / self.epsilon, size)

    def _sum_over_count(
        self, chosen: NDArray[np.float64], rng: Generator, size: int
    ) -> NDArray[np.float64]:
        """Noisy sum over noisy count; a count below 1 is read as 1, which costs no privacy."""
        half = self.epsilon / 2
        total = float(chosen.sum()) + laplace(rng, _OLDEST / half, size)
        count = chosen.size + laplace(rng, 1.0 / half, size)
        return np.asarray(total / np.maximum(count, 1.0))


def classic_neighbors(
    records: ArrayLike,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """D1, D2 and D3 of this query.

    D1 lacks one of the oldest, D2 one aged 26 (one of the youngest above 25 where
    nobody is 26), D3 one of the youngest above 25. On the Adult data the last two
    are the same dataset.

    Args:
        records: ages, shape (records,).

    Returns:
        Three arrays, shape (records - 1,) each.

    Raises:
        InputError: nobody is above 25.
    """
    values = np.asarray(records, dtype=np.float64)
    youngest = np.min(values[values > _ABOVE], initial=math.inf)
    if not np.any(values == youngest):
        raise InputError("no age is above 25; D1, D2 and D3 need at least one", records)
    second = 26.0 if np.any(values == 26.0) else youngest
    oldest = values.max()
    d1, d2, d3 = (np.delete(values, np.argmax(values == age)) for age in (oldest, second, youngest))
    return d1, d2, d3
