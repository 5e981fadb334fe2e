"""The sparse vector technique and its published variants (arXiv 1603.01699).

Queries are answered in order with "above" or "below" a noisy threshold. The
variants differ in how much noise there is on the threshold and on the queries,
whether the threshold is drawn again, when they stop, and what they release
instead of "above".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from audit.claim import Claim, PureDP
from mechanisms.noise import Floats, Integers, laplace

ABOVE, BELOW, STOPPED = 1, 0, -1


@dataclass(frozen=True, slots=True)
class SparseVector:
    """Which queries are above a threshold, up to the first few that are.

    Attributes:
        epsilon: claimed epsilon.
        threshold: what the answers are compared with.
        cutoff: how many "above" until it stops; 0 for never.
        threshold_factor: scale of the threshold's noise, in units of 1/epsilon.
        query_factor: scale of each query's noise, in units of 1/epsilon; 0 for none.
        redraw: whether the threshold's noise is drawn again after each "above".
        release_value: instead of "above", release the noisy answer that was
            "compared", or the answer with "fresh" noise.
        value_factor: scale of the fresh noise, in units of 1/epsilon.
    """

    epsilon: float = 1.0
    threshold: float = 0.0
    cutoff: int = 1
    threshold_factor: float = 2.0
    query_factor: float = 4.0
    redraw: bool = False
    release_value: Literal["none", "compared", "fresh"] = "none"
    value_factor: float = 0.0

    @property
    def claim(self) -> Claim:
        return PureDP(self.epsilon)

    def release(self, data: ArrayLike, rng: Generator, size: int) -> NDArray[Any]:
        """One row per draw, shape (size, queries).

        Integers: 1 above, 0 below, -1 after the stop. Where values are released,
        floats: the value for above, -inf for below, NaN after the stop.
        """
        answers = np.asarray(data, dtype=np.float64)
        compared = answers + self._noise(self.query_factor, rng, (size, answers.size))
        thresholds = self._noise(self.threshold_factor, rng, (size, answers.size))
        symbols = self._compared(compared, thresholds + self.threshold)
        match self.release_value:
            case "compared":
                return _with_values(symbols, compared)
            case "fresh":
                fresh = self._noise(self.value_factor, rng, (size, answers.size))
                return _with_values(symbols, answers + fresh)
        return symbols

    def _noise(self, factor: float, rng: Generator, shape: tuple[int, int]) -> Floats:
        return laplace(rng, factor / self.epsilon, shape)

    def _compared(self, noisy: Floats, thresholds: Floats) -> Integers:
        """Walk along the queries; thresholds[:, j] is the threshold after j redraws."""
        draws = np.arange(len(noisy))
        count = np.zeros(len(noisy), dtype=np.int64)
        symbols = np.empty(noisy.shape, dtype=np.int64)
        for query in range(noisy.shape[1]):
            threshold = thresholds[draws, count] if self.redraw else thresholds[:, 0]
            above = noisy[:, query] >= threshold
            running = (count < self.cutoff) | (self.cutoff == 0)
            symbols[:, query] = np.where(running, above, STOPPED)
            count += above & running
        return symbols


def _with_values(symbols: Integers, values: Floats) -> Floats:
    return np.select([symbols == ABOVE, symbols == BELOW], [values, -np.inf], np.nan)
