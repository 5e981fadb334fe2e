"""Selections: the largest score, a quantile, queries above a threshold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from mechanisms.parts.calibration import Pure
from mechanisms.parts.noise import SAMPLERS, Floats, Integers, NoiseName, choice, laplace
from mechanisms.parts.parameters import require_count, require_positive


@dataclass(frozen=True, slots=True)
class ExponentialMechanism(Pure):
    """P(k) proportional to exp(epsilon·score_k / (factor·sensitivity)).

    Attributes:
        epsilon: claimed epsilon.
        sensitivity: what one record is believed to change in each score.
        factor: 2 is right for general scores; 1 where all scores move in the same
            direction, or where there are only two.
    """

    sensitivity: float = 1.0
    factor: float = 2.0

    def __post_init__(self) -> None:
        require_positive("factor", self.factor)
        require_positive("sensitivity", self.sensitivity)

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Integers:
        """Indices of the chosen scores, shape (size,), one uniform each."""
        scores = np.asarray(data, dtype=np.float64)
        weights = softmax(self.epsilon * scores / (self.factor * self.sensitivity))
        return choice(weights, rng.random(size))


def softmax(exponents: Floats) -> Floats:
    """Probabilities proportional to exp(exponents), without underflow of the largest."""
    weights = np.exp(exponents - exponents.max())
    return np.asarray(weights / weights.sum())


@dataclass(frozen=True, slots=True)
class NoisyMax(Pure):
    """Noise on every query answer, then the largest.

    Attributes:
        epsilon: claimed epsilon.
        noise: Laplace, exponential (then it is permute-and-flip) or Gumbel
            (then it is the exponential mechanism).
        factor: the scale of the noise in units of sensitivity/epsilon; 2 is right
            for general queries, 1 for monotone ones.
        sensitivity: how far one record moves each answer.
        output: the index, its noisy value, or the index with its gap to the runner-up.
    """

    noise: NoiseName = "laplace"
    factor: float = 2.0
    sensitivity: float = 1.0
    output: Literal["index", "value", "gap"] = "index"

    def __post_init__(self) -> None:
        require_positive("factor", self.factor)
        require_positive("sensitivity", self.sensitivity)

    def release(self, data: ArrayLike, rng: Generator, size: int) -> NDArray[Any]:
        """Indices or values, shape (size,); with gaps rows (index, gap), shape (size, 2)."""
        answers = np.asarray(data, dtype=np.float64)
        scale = self.factor * self.sensitivity / self.epsilon
        noisy = answers + SAMPLERS[self.noise](rng, scale, (size, answers.size))
        match self.output:
            case "value":
                return np.asarray(noisy.max(axis=1))
            case "gap":
                return _with_gap(noisy)
        return np.asarray(noisy.argmax(axis=1))


def _with_gap(noisy: Floats) -> Floats:
    best = np.partition(noisy, -2, axis=1)[:, -2:]
    return np.column_stack([noisy.argmax(axis=1), best[:, 1] - best[:, 0]])


@dataclass(frozen=True, slots=True)
class ExponentialQuantile(Pure):
    """A point between two neighboring records, likelier the nearer its rank is (Smith, STOC 2011).

    Attributes:
        epsilon: claimed epsilon.
        quantile: which quantile, from 0 for the smallest record to 1 for the largest.
        lower: records are raised to this.
        upper: records are lowered to this.
        bounds: "declared" uses lower and upper, "data" the smallest and largest record.
        arithmetic: "log" shifts the exponents before exp, "naive" lets exp underflow.
    """

    quantile: float = 0.5
    lower: float = 0.0
    upper: float = 1.0
    bounds: Literal["declared", "data"] = "declared"
    arithmetic: Literal["log", "naive"] = "log"

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Floats:
        """Released points, shape (size,).

        Raises:
            ValueError: with naive arithmetic, every weight underflowed to 0.
        """
        interval, place = rng.random(size), rng.random(size)
        edges = self._edges(np.asarray(data, dtype=np.float64))
        chosen = choice(self._probabilities(edges), interval)
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


ABOVE, BELOW, STOPPED = 1, 0, -1


@dataclass(frozen=True, slots=True)
class SparseVector(Pure):
    """Comparison of queries with a noisy threshold, until the first few are above it.

    Its published variants (arXiv 1603.01699) differ in how much noise there is on the threshold
    and on the queries, whether the threshold is drawn again, when they stop, and what they release
    instead of "above".

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
        rows, count = np.arange(len(compared)), np.zeros(len(compared), np.int64)
        above = np.empty(compared.shape, dtype=np.bool_)
        for query, answers in enumerate(compared.T):
            above[:, query] = answers >= thresholds[rows, count]
            count += above[:, query]
        return above


def _stopped(above: NDArray[np.bool_], cutoff: int) -> Integers:
    """Answers as integers, STOPPED after the first `cutoff` that are above."""
    if cutoff == 0:
        return above.astype(np.int64)
    before = above.cumsum(axis=1) - above
    return np.where(before < cutoff, above, STOPPED)


def _with_values(symbols: Integers, values: Floats) -> Floats:
    return np.where(symbols == ABOVE, values, np.where(symbols == BELOW, -np.inf, np.nan))
