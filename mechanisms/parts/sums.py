"""Sums, means and moments of clamped records."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from audit.claims import ZCDP, Claim, GaussianDP, PureDP, RenyiDP
from mechanisms.parts.calibration import Calibration, Pure, claim_of, scale_of
from mechanisms.parts.noise import (
    SAMPLERS,
    Floats,
    NoiseName,
    child,
    discrete_gaussian,
    gaussian,
    laplace,
)
from mechanisms.parts.parameters import require_count, require_positive, require_probability

_INTEGER_NOISE = ("geometric", "geometric-from-one", "discrete-gaussian")


@dataclass(frozen=True, slots=True)
class NoisySum:
    """sum(clamp(records)) + noise.

    Attributes:
        epsilon: claimed epsilon.
        delta: claimed delta, 0 for a pure claim.
        noise: distribution of the noise.
        calibration: rule that turns epsilon, delta and sensitivity into the noise's scale.
        sensitivity: what the code believes one record can change.
        lower: records are raised to this.
        upper: records are lowered to this.
        clamp: False where the code forgets to use the clamped records.
        accumulator: type in which the sum is kept; integers wrap around.
        finish: what is done with the noisy sum before it is released.
    """

    epsilon: float = 1.0
    delta: float = 0.0
    noise: NoiseName = "laplace"
    calibration: Calibration = "pure"
    sensitivity: float = 1.0
    lower: float = 0.0
    upper: float = 1.0
    clamp: bool = True
    accumulator: Literal["float64", "int64", "int8"] = "float64"
    finish: Literal["none", "round", "not-negative", "clamp"] = "none"

    @property
    def claim(self) -> Claim:
        return claim_of(self.epsilon, self.delta)

    @property
    def scale(self) -> float:
        """Scale of the noise, in units of the records."""
        return scale_of(self.calibration, self.epsilon, self.delta, self.sensitivity)

    def release(self, data: ArrayLike, rng: Generator, size: int) -> NDArray[Any]:
        """Noisy sums, shape (size,); integers when the noise is integer."""
        noise = SAMPLERS[self.noise](rng, self.scale, size)
        return self._finished(self._total(np.asarray(data)) + noise)

    def _total(self, records: NDArray[Any]) -> Any:
        kept = np.clip(records, self.lower, self.upper) if self.clamp else records
        total = kept.astype(self.accumulator).sum(dtype=self.accumulator)
        return int(np.floor(total)) if self.noise in _INTEGER_NOISE else float(total)

    def _finished(self, noisy: NDArray[Any]) -> NDArray[Any]:
        match self.finish:
            case "round":
                return np.asarray(np.rint(noisy))
            case "not-negative":
                return np.asarray(np.maximum(noisy, 0))
            case "clamp":
                return np.asarray(np.clip(noisy, self.lower, self.upper))
        return noisy


@dataclass(frozen=True, slots=True)
class NoisyMean(Pure):
    """Mean of records clamped to [lower, upper], where their number is private too.

    Attributes:
        epsilon: claimed epsilon.
        lower: records are raised to this.
        upper: records are lowered to this.
        method: "ratio" divides a noisy sum by a noisy count, at half the budget
            each; "range-over-size" takes the noise's scale from the number of
            records, which is right only where that number is public.
    """

    lower: float = 0.0
    upper: float = 1.0
    method: Literal["ratio", "range-over-size"] = "ratio"

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Floats:
        """Noisy means, shape (size,)."""
        kept = np.clip(np.asarray(data, dtype=np.float64), self.lower, self.upper)
        if self.method == "ratio":
            return self._ratio(kept, rng, size)
        records = max(1, kept.size)
        scale = (self.upper - self.lower) / (records * self.epsilon)
        return float(kept.sum()) / records + laplace(rng, scale, size)

    def _ratio(self, kept: Floats, rng: Generator, size: int) -> Floats:
        largest = max(abs(self.lower), abs(self.upper))
        total = float(kept.sum()) + laplace(rng, 2.0 * largest / self.epsilon, size)
        count = kept.size + laplace(rng, 2.0 / self.epsilon, size)
        return np.clip(total / np.maximum(count, 1.0), self.lower, self.upper)


@dataclass(frozen=True, slots=True)
class SampledSum:
    """A noisy sum of part of the records, claiming amplification by sampling.

    Attributes:
        base_epsilon: epsilon of the noisy sum without sampling.
        rate: share of the records that is used.
        sampling: "poisson" draws every record by itself; "head" takes the first
            rows, which is no sampling at all.
    """

    base_epsilon: float = 1.0
    rate: float = 0.1
    sampling: Literal["poisson", "head"] = "poisson"

    def __post_init__(self) -> None:
        require_probability("rate", self.rate)

    @property
    def claim(self) -> Claim:
        """Amplification by Poisson sampling (Balle, Barthe, Gaboardi 2018, Theorem 8)."""
        return PureDP(math.log1p(self.rate * math.expm1(self.base_epsilon)))

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Floats:
        """Noisy sums, shape (size,)."""
        records = np.clip(np.asarray(data, dtype=np.float64), 0.0, 1.0)
        noise = laplace(rng, 1.0 / self.base_epsilon, size)
        return self._part(records, child(rng), size) + noise

    def _part(self, records: Floats, rng: Generator, size: int) -> Floats:
        if self.sampling == "head":
            return np.full(size, records[: math.ceil(self.rate * records.size)].sum())
        chosen = rng.random((records.size, size)) < self.rate
        return np.asarray(records @ chosen)


@dataclass(frozen=True, slots=True)
class GaussianReleases:
    """A sum of records in [0, 1], released several times with Gaussian noise.

    Attributes:
        sigma: standard deviation of the noise.
        repeats: number of releases.
        discrete: whether the noise is a whole number; the claims stay the same.
        notion: the kind of claim.
        order: the order of a Rényi claim.
        sensitivity: what the code believes one record can change; 1 is right.
    """

    sigma: float = 1.0
    repeats: int = 1
    discrete: bool = False
    notion: Literal["gaussian", "zcdp", "renyi"] = "gaussian"
    order: float = 2.0
    sensitivity: float = 1.0

    def __post_init__(self) -> None:
        require_positive("sigma", self.sigma)
        require_positive("sensitivity", self.sensitivity)
        require_count("repeats", self.repeats)

    @property
    def claim(self) -> Claim:
        mu = math.sqrt(self.repeats) * self.sensitivity / self.sigma
        match self.notion:
            case "zcdp":
                return ZCDP(mu**2 / 2.0)
            case "renyi":
                return RenyiDP(self.order, self.order * mu**2 / 2.0)
        return GaussianDP(mu)

    def release(self, data: ArrayLike, rng: Generator, size: int) -> NDArray[Any]:
        """Noisy sums, shape (size, repeats), or (size,) when there is one."""
        exact = np.clip(np.asarray(data, dtype=np.float64), 0.0, 1.0).sum()
        noisy: NDArray[Any]
        shape = (size, self.repeats)
        if self.discrete:
            noisy = int(exact) + discrete_gaussian(rng, self.sigma, shape)
        else:
            noisy = float(exact) + gaussian(rng, self.sigma, shape)
        return np.asarray(noisy[:, 0] if self.repeats == 1 else noisy)


@dataclass(frozen=True, slots=True)
class WishartMoments(Pure):
    """Second moments with noise that is never negative, a Wishart matrix: X'X + GG'.

    G is dimension × (dimension + 1) of normals.

    Attributes:
        epsilon: claimed epsilon.
        dimension: length of a record.
        norm: records are shortened to this Euclidean norm.
    """

    dimension: int = 1
    norm: float = 1.0

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Floats:
        """Noisy second moments, shape (size, dimension, dimension)."""
        records = np.asarray(data, dtype=np.float64).reshape(-1, self.dimension)
        norms = np.linalg.norm(records, axis=1, keepdims=True)
        kept = records * np.minimum(1.0, self.norm / np.maximum(norms, 1e-300))
        shape = (size, self.dimension, self.dimension + 1)
        noise = gaussian(rng, self.norm / (2.0 * self.epsilon), shape)
        return np.asarray(kept.T @ kept + noise @ noise.transpose(0, 2, 1))
