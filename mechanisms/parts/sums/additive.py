"""A sum of clamped records plus noise, the mechanism that most others are built from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from audit.claims import Claim
from mechanisms.parts.calibration import Calibration, claim_of, scale_of
from mechanisms.parts.noise import SAMPLERS, NoiseName

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
