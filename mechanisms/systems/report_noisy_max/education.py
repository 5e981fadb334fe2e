"""Report noisy max over the education levels of the Adult data."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from mechanisms.parts.adult import education_levels
from mechanisms.parts.calibration import Pure
from mechanisms.parts.noise import child
from mechanisms.parts.parameters import require_positive
from mechanisms.systems.report_noisy_max.largest_score import Noise, ReportNoisyMax, true_epsilon


@dataclass(frozen=True, slots=True)
class EducationMax(Pure):
    """The most frequent education level, from scores count/divisor.

    Counts all move one way when a record is added, so noise of scale
    sensitivity/epsilon is enough. With the default sensitivity of 1 for scores
    that one record moves by 1/1000 it is a thousand times more than that.

    Attributes:
        epsilon: claimed epsilon.
        noise: distribution of the noise.
        output: name of the largest noisy score, names of the best two, or name of
            the "kth-smallest".
        k: which smallest score; used by that output only.
        sensitivity: how far the noise believes one record moves a score.
        divisor: what the counts are divided by to give the scores.
        candidates: "listed" names any of the sixteen levels; "observed" names only
            those that the data hold, which betrays a level that one record alone has.
    """

    noise: Noise = "laplace"
    output: Literal["index", "top-two", "kth-smallest"] = "index"
    k: int = 1
    sensitivity: float = 1.0
    divisor: float = 1000.0
    candidates: Literal["listed", "observed"] = "listed"

    def __post_init__(self) -> None:
        require_positive("divisor", self.divisor)
        self._selection()

    @property
    def spent(self) -> float:
        """The epsilon truly spent under add-remove with listed candidates."""
        return true_epsilon(self.epsilon, self.sensitivity, 1.0 / self.divisor)

    def release(self, data: Any, rng: Generator, size: int) -> NDArray[np.str_]:
        """Name education levels.

        Args:
            data: one education level per record, or the counts of the sixteen
                levels in the order of `education_levels()`; other names are ignored.
            rng: source of the noise.
            size: draws.

        Returns:
            Names, shape (size,); (size, 2) for the best two.

        Raises:
            ValueError: there are fewer candidates than the answer has to name, or
                counts of another number of levels.
        """
        names = np.array(education_levels())
        counts = _counts(data, names)
        if self.candidates == "observed":
            seen = counts > 0
            return np.take(names[seen], self._chosen(counts[seen], child(rng), size))
        return np.take(names, self._chosen(counts, rng, size))

    def _chosen(self, counts: NDArray[np.float64], rng: Generator, size: int) -> NDArray[Any]:
        return self._selection().release(counts / self.divisor, rng, size)

    def _selection(self) -> ReportNoisyMax:
        return ReportNoisyMax(
            self.epsilon, self.noise, self.output, self.k, "monotone", self.sensitivity
        )


def _counts(data: Any, names: NDArray[np.str_]) -> NDArray[np.float64]:
    """Records of each level, shape (16,)."""
    if not isinstance(data, list) and np.asarray(data).dtype.kind in "iuf" and len(data):
        counts = np.asarray(data, dtype=np.float64)
        if counts.shape != names.shape:
            raise ValueError(f"{counts.size} counts do not fit {names.size} education levels")
        return counts
    tally = Counter(data)
    return np.array([float(tally[name]) for name in names.tolist()])
