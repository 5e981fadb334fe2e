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

from audit.claims import Claim, PureDP
from mechanisms.parts.noise import Floats, Integers, laplace
from mechanisms.parts.parameters import require_count, require_positive

ABOVE, BELOW, STOPPED = 1, 0, -1


@dataclass(frozen=True, slots=True)
class SparseVector:
    """Comparison of queries with a noisy threshold, until the first few are above it.

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

    def __post_init__(self) -> None:
        require_count("cutoff", self.cutoff, least=0)
        require_positive("threshold_factor", self.threshold_factor)

    @property
    def claim(self) -> Claim:
        return PureDP(self.epsilon)

    def release(self, data: ArrayLike, rng: Generator, size: int) -> NDArray[Any]:
        """One row per draw, shape (size, queries).

        Integers: 1 above, 0 below, -1 after the stop. Where values are released,
        floats: the value for above, -inf for below, NaN after the stop.
        """
        answers = np.asarray(data, dtype=np.float64)
        shape = (size, answers.size)
        compared = answers + self._noise(self.query_factor, rng, shape)
        draws = shape if self.redraw else (size, 1)
        thresholds = self.threshold + self._noise(self.threshold_factor, rng, draws)
        above = self._walked(compared, thresholds) if self.redraw else compared >= thresholds
        symbols = _stopped(above, self.cutoff)
        match self.release_value:
            case "compared":
                return _with_values(symbols, compared)
            case "fresh":
                return _with_values(symbols, answers + self._noise(self.value_factor, rng, shape))
        return symbols

    def _noise(self, factor: float, rng: Generator, shape: tuple[int, int]) -> Floats:
        return laplace(rng, factor / self.epsilon, shape) if factor else np.zeros(shape)

    def _walked(self, compared: Floats, thresholds: Floats) -> NDArray[np.bool_]:
        """Queries above, as booleans; thresholds[:, j] is the threshold after j redraws."""
        count = np.zeros((len(compared), 1), dtype=np.int64)
        above = np.empty(compared.shape, dtype=np.bool_)
        for query in range(compared.shape[1]):
            threshold = np.take_along_axis(thresholds, count, axis=1)
            above[:, [query]] = compared[:, [query]] >= threshold
            count += above[:, [query]]
        return above


def _stopped(above: NDArray[np.bool_], cutoff: int) -> Integers:
    """Answers as integers, STOPPED after the first `cutoff` that are above."""
    if cutoff == 0:
        return above.astype(np.int64)
    before = above.cumsum(axis=1) - above
    return np.where(before < cutoff, above, STOPPED)


def _with_values(symbols: Integers, values: Floats) -> Floats:
    return np.select([symbols == ABOVE, symbols == BELOW], [values, -np.inf], np.nan)
