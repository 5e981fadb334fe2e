"""A quantile by the exponential mechanism (Smith, STOC 2011)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from audit.claims import Claim, PureDP
from mechanisms.parts.noise import Floats
from mechanisms.parts.selection.exponential import softmax


@dataclass(frozen=True, slots=True)
class ExponentialQuantile:
    """A point between two neighboring records, likelier the nearer its rank is.

    Attributes:
        epsilon: claimed epsilon.
        quantile: which quantile, from 0 for the smallest record to 1 for the largest.
        lower: records are raised to this.
        upper: records are lowered to this.
        bounds: "declared" uses lower and upper, "data" the smallest and largest record.
        arithmetic: "log" shifts the exponents before exp, "naive" lets exp underflow.
    """

    epsilon: float = 1.0
    quantile: float = 0.5
    lower: float = 0.0
    upper: float = 1.0
    bounds: Literal["declared", "data"] = "declared"
    arithmetic: Literal["log", "naive"] = "log"

    @property
    def claim(self) -> Claim:
        return PureDP(self.epsilon)

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Floats:
        """Released points, shape (size,).

        Raises:
            ValueError: with naive arithmetic, every weight underflowed to 0.
        """
        interval, place = rng.random(size), rng.random(size)
        edges = self._edges(np.asarray(data, dtype=np.float64))
        cumulative = np.cumsum(self._probabilities(edges))
        cumulative[-1] = 1.0
        chosen = np.searchsorted(cumulative, interval, side="right")
        return edges[chosen] + place * np.diff(edges)[chosen]

    def _edges(self, records: Floats) -> Floats:
        if self.bounds == "data" and records.size:
            return np.sort(np.concatenate([records, [records.min(), records.max()]]))
        kept = np.clip(records, self.lower, self.upper)
        return np.concatenate([[self.lower], np.sort(kept), [self.upper]])

    def _probabilities(self, edges: Floats) -> Floats:
        """Probability of each interval; interval i has i records below it."""
        lengths = np.diff(edges)
        records = lengths.size - 1
        target = max(1.0, np.ceil(self.quantile * records))
        scores = -np.abs(np.arange(lengths.size) - target)
        if not lengths.any():
            return np.full(lengths.size, 1.0 / lengths.size)
        if self.arithmetic == "log":
            with np.errstate(divide="ignore"):
                return softmax(self.epsilon * scores / 2.0 + np.log(lengths))
        return _naive(lengths * np.exp(self.epsilon * scores / 2.0))


def _naive(weights: Floats) -> Floats:
    total = weights.sum()
    if total == 0.0:
        raise ValueError("probabilities contain NaN")
    return np.asarray(weights / total)
