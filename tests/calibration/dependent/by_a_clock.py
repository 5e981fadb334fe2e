"""Right mechanisms that take their seed from a clock: within a tick the noise is the same."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from datetime import datetime
from typing import Any

import numpy as np

from tests.calibration.kind import Kind


def _now(tick: float) -> np.random.Generator:
    return np.random.default_rng(int(time.time() / tick))


def one(tick: float) -> Callable[[Any], float]:
    """One output a call; a tick takes so many seconds."""

    def release(data: Any) -> float:
        return float(data[0] + _now(tick).laplace())

    return release


def by_microsecond(data: Any) -> float:
    """A seed of the part of a second."""
    return float(data[0] + np.random.default_rng(datetime.now().microsecond).laplace())


def by_time_and_process(data: Any) -> float:
    """A seed that differs wherever two runs are made."""
    seed = int(time.time()) ^ os.getpid()
    return float(data[0] + np.random.default_rng(seed).laplace())


def many(tick: float) -> Callable[[Any, int], Any]:
    """Many outputs a call, all noise seeded once at its beginning."""

    def release(data: Any, size: int) -> Any:
        return data[0] + _now(tick).laplace(size=size)

    return release


def common(tick: float) -> Callable[..., Any]:
    """Gaussian noise of which half of the variance comes from the clock."""

    def release(data: Any, rng: np.random.Generator, size: int) -> Any:
        return data[0] + np.sqrt(0.5) * (_now(tick).normal() + rng.normal(size=size))

    return release


_MU: dict[str, Any] = {"claim": {"mu": 1.0}, "truth": {"mu_lower": 1.0}}

KINDS: tuple[Kind, ...] = (
    Kind(name="seed of the second", make=lambda n: one(1.0), samples=1500),
    Kind(name="seed of the hundredth second", make=lambda n: one(0.01), samples=4000),
    Kind(name="seed of the millisecond", make=lambda n: one(0.001), samples=4000),
    Kind(name="seed of the microsecond", make=lambda n: by_microsecond, samples=1500),
    Kind(name="seed of time and process", make=lambda n: by_time_and_process, samples=1500),
    Kind(name="seed of the minute", make=lambda n: one(60.0), samples=1500),
    Kind(name="seed of the day", make=lambda n: one(86_400.0), samples=1500),
    Kind(name="seed of the tenth second, many outputs", make=lambda n: many(0.1)),
    Kind(name="seed of the millisecond, many outputs", make=lambda n: many(0.001)),
    Kind(name="half of the noise of the tenth second", make=lambda n: common(0.1), **_MU),
)
