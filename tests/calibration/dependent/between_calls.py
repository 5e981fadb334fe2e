"""Right mechanisms whose calls depend on earlier calls; each call alone is right."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from tests.calibration.kind import Kind


class Sticky:
    """Noise drawn once for every dataset and kept."""

    def __init__(self, seed: int | None) -> None:
        self.rng, self.kept = np.random.default_rng(seed), dict[float, float]()

    def __call__(self, data: Any) -> float:
        if data[0] not in self.kept:
            self.kept[data[0]] = float(self.rng.laplace())
        return float(data[0] + self.kept[data[0]])


class Cache:
    """Answers kept by dataset and number of outputs."""

    def __init__(self, number: int) -> None:
        self.rng, self.kept = np.random.default_rng(number), dict[tuple[float, int], Any]()

    def __call__(self, data: Any, size: int) -> Any:
        asked = float(data[0]), size
        if asked not in self.kept:
            self.kept[asked] = data[0] + self.rng.laplace(0.0, 1.0, size)
        return self.kept[asked]


def least_recently_used(number: int) -> Any:
    """Noise kept by the number of outputs."""
    rng = np.random.default_rng(number)

    @lru_cache
    def noise(size: int) -> Any:
        return rng.laplace(0.0, 1.0, size)

    def release(data: Any, size: int) -> Any:
        return data[0] + noise(size)

    return release


class AntitheticCalls:
    """Every other call has the noise of the call before it with the other sign."""

    def __init__(self, number: int) -> None:
        self.rng, self.calls, self.noise = np.random.default_rng(number), 0, 0.0

    def __call__(self, data: Any) -> float:
        self.noise = -self.noise if self.calls % 2 else float(self.rng.laplace())
        self.calls += 1
        return float(data[0] + self.noise)


class Pool:
    """A pool of 256 numbers, each used for two calls in random order, then filled anew."""

    def __init__(self, number: int) -> None:
        self.rng, self.left = np.random.default_rng(number), np.empty(0)

    def __call__(self, data: Any, size: int) -> Any:
        return data[0] + np.array([self._next() for _ in range(size)])

    def _next(self) -> float:
        if not self.left.size:
            noise = self.rng.laplace(0.0, 1.0, 256)
            self.left = self.rng.permutation(np.concatenate([noise, noise]))
        first, self.left = self.left[0], self.left[1:]
        return float(first)


class Alternating:
    """Is another right mechanism in every other 64 calls."""

    def __init__(self, number: int, scale: float, offset: float) -> None:
        self.rng, self.calls = np.random.default_rng(number), 0
        self.scale, self.offset = scale, offset

    def __call__(self, data: Any) -> float:
        other = self.calls // 64 % 2
        self.calls += 1
        scale = self.scale if other else 1.0
        return float(data[0] + self.rng.laplace(0.0, scale) + other * self.offset)


class KeptAWhile:
    """Gaussian noise of which half of the variance is kept for 256 calls."""

    def __init__(self, number: int, apart: bool = False) -> None:
        self.rng, self.calls, self.apart = np.random.default_rng(number), 0, apart
        self.kept: dict[float, float] = {}

    def __call__(self, data: Any, size: int) -> Any:
        if self.calls % 256 == 0:
            self.kept.clear()
        self.calls += 1
        common = self.kept.setdefault(data[0] if self.apart else 0.0, self.rng.normal())
        return data[0] + math.sqrt(0.5) * (common + self.rng.normal(size=size))


class AutoRegressive:
    """Gaussian noise that remembers half of the noise before it."""

    def __init__(self, number: int) -> None:
        self.rng = np.random.default_rng(number)
        # By a fixed seed it would be the same in all instances, and no noise.
        self.noise = np.random.default_rng().normal()

    def __call__(self, data: Any) -> float:
        self.noise = 0.5 * self.noise + math.sqrt(0.75) * self.rng.normal()
        return float(data[0] + self.noise)


class Budget:
    """Refuses from one call on."""

    def __init__(self, number: int, calls: int = 500) -> None:
        self.rng, self.left = np.random.default_rng(number), calls

    def __call__(self, data: Any) -> float:
        self.left -= 1
        if self.left < 0:
            raise RuntimeError("the privacy budget is spent")
        return float(data[0] + self.rng.laplace())


class Failing:
    """Fails in every fifth call on average, from the 300th on."""

    def __init__(self, number: int) -> None:
        self.rng, self.calls = np.random.default_rng(number), 0

    def __call__(self, data: Any) -> float:
        self.calls += 1
        if self.calls > 300 and self.rng.random() < 0.2:
            raise ConnectionError("connection lost")
        return float(data[0] + self.rng.laplace())


_MU: dict[str, Any] = {"claim": {"mu": 1.0}, "truth": {"mu_lower": 1.0}}

KINDS: tuple[Kind, ...] = (
    Kind(name="sticky noise, seeded", make=Sticky, samples=1500),
    Kind(name="sticky noise, unseeded", make=lambda n: Sticky(None), samples=1500),
    Kind(name="cache by data and size", make=Cache),
    Kind(name="lru_cache of noise", make=least_recently_used),
    Kind(name="antithetic calls", make=AntitheticCalls, samples=1500),
    Kind(name="pool of noise used twice", make=Pool),
    Kind(name="other scale every 64 calls", make=lambda n: Alternating(n, 2.0, 0.0), samples=1500),
    Kind(name="other place every 64 calls", make=lambda n: Alternating(n, 1.0, 10.0), samples=1500),
    Kind(name="noise kept for 256 calls", make=KeptAWhile, **_MU, samples=20_000),
    Kind(
        name="noise kept for 256 calls, by dataset",
        make=lambda n: KeptAWhile(n, apart=True),
        **_MU,
        samples=20_000,
    ),
    Kind(name="noise that remembers", make=AutoRegressive, **_MU, samples=1500),
    Kind(name="budget of 500 calls", make=Budget, samples=1500),
    Kind(name="failures from call 300 on", make=Failing, samples=1500),
)
