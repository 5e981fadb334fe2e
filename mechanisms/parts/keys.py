"""Key selection: counts of keys that are not listed beforehand, released if large."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from audit.claims import ApproxDP, Claim
from mechanisms.parts.calibration import Calibration, scale_of
from mechanisms.parts.noise import SAMPLERS, NoiseName
from mechanisms.parts.parameters import require_count

if TYPE_CHECKING:
    import pandas as pd

ThresholdRule = Literal["laplace", "geometric", "geometric-truncated", "zero"]

_THRESHOLDS: Mapping[ThresholdRule, Callable[[float, float], float]] = {
    "laplace": lambda epsilon, delta: 1.0 - math.log(2.0 * delta) / epsilon,
    "geometric": lambda epsilon, delta: math.ceil(geometric_threshold(epsilon, delta)),
    "geometric-truncated": lambda epsilon, delta: math.floor(geometric_threshold(epsilon, delta)),
    "zero": lambda epsilon, delta: 0.0,
}


def geometric_threshold(epsilon: float, delta: float) -> float:
    """The number at or above which 1 + discrete Laplace comes with probability delta."""
    return 1.0 - math.log(delta * (1.0 + math.exp(-epsilon))) / epsilon


@dataclass(frozen=True, slots=True)
class KeySelection:
    """Noisy counts of the keys whose noisy count reaches a threshold.

    A record is a key, or a row of a table with columns "user" and "key"; every
    user counts once per key and for at most `keys_per_user` of the user's keys.

    Attributes:
        epsilon: claimed epsilon.
        delta: claimed delta: the chance that a key with one user is shown.
        noise: distribution of the noise on each count.
        calibration: rule that turns epsilon, delta and sensitivity into the noise's scale.
        threshold: rule that turns epsilon and delta into the threshold.
        keys_per_user: most keys of one user that are counted.
        split_delta: whether delta is split among the keys of a user.
    """

    epsilon: float = 1.0
    delta: float = 1e-5
    noise: NoiseName = "laplace"
    calibration: Calibration = "pure"
    threshold: ThresholdRule = "laplace"
    keys_per_user: int = 1
    split_delta: bool = True

    def __post_init__(self) -> None:
        require_count("keys_per_user", self.keys_per_user)

    @property
    def claim(self) -> Claim:
        return ApproxDP(self.epsilon, self.delta)

    @property
    def scale(self) -> float:
        """Scale of the noise on each count."""
        return scale_of(self.calibration, self.epsilon, self.delta, float(self.keys_per_user))

    @property
    def least(self) -> float:
        """The threshold: smaller noisy counts are suppressed."""
        delta = self.delta / (self.keys_per_user if self.split_delta else 1)
        return _THRESHOLDS[self.threshold](self.epsilon / self.keys_per_user, delta)

    def release(
        self, data: pd.DataFrame | Iterable[Any], rng: Generator, size: int
    ) -> list[dict[str, float]]:
        """One dict per run, from the released keys to their noisy counts."""
        seed = int(rng.integers(0, 2**63))
        shown: list[dict[str, float]] = [{} for _ in range(size)]
        for key, count in sorted(self._counts(data).items()):
            noise = SAMPLERS[self.noise](_generator_of(key, seed), self.scale, size)
            _show(shown, key, count + noise, self.least)
        return shown

    def _counts(self, records: pd.DataFrame | Iterable[Any]) -> Counter[str]:
        import pandas as pd

        rows: Iterable[tuple[Any, Any]] = enumerate(records)
        if isinstance(records, pd.DataFrame):
            rows = zip(records["user"], records["key"], strict=True)
        keys: dict[Any, dict[str, None]] = {}
        for user, key in rows:
            keys.setdefault(user, {})[str(key)] = None
        return Counter(key for owned in keys.values() for key in list(owned)[: self.keys_per_user])


def _generator_of(key: str, seed: int) -> Generator:
    """Noise that belongs to the key: its stream is the same whatever the other keys are."""
    digest = hashlib.blake2b(key.encode(), digest_size=16).digest()
    return np.random.default_rng([seed, int.from_bytes(digest)])


def _show(shown: list[dict[str, float]], key: str, counts: NDArray[Any], least: float) -> None:
    for draw in np.flatnonzero(counts >= least):
        shown[draw][key] = counts[draw].item()
