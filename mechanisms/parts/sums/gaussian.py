"""Gaussian releases with claims of all kinds: Gaussian, zero-concentrated and Rényi."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from audit.claims import ZCDP, Claim, GaussianDP, RenyiDP
from mechanisms.parts.noise import discrete_gaussian, gaussian
from mechanisms.parts.parameters import require_count, require_positive


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
