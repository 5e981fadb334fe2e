"""Numbers at the edges of their types."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.random import Generator

from tests.calibration.kind import Kind, pure

KEEP = math.exp(1.0) / (1.0 + math.exp(1.0))
_STOP = 1.0 - math.exp(-1.0)


def _noisy(data: Any, rng: Generator, size: int) -> Any:
    return int(data[0]) + rng.geometric(_STOP, size) - rng.geometric(_STOP, size)


def _truth(data: Any, rng: Generator, size: int) -> Any:
    return (rng.random(size) < KEEP) == bool(data[0])


def huge(data: Any, rng: Generator, size: int) -> Any:
    return 1e300 * data[0] + rng.laplace(0.0, 1e300, size)


def far_off(data: Any, rng: Generator, size: int) -> Any:
    """A shift of 1 beside 1e15, where neighbors of floats are 1/8 apart."""
    return 1e15 + _noisy(data, rng, size)


def overflowing(data: Any, rng: Generator, size: int) -> Any:
    """One in a few outputs leaves the range of floats."""
    value = np.clip(data[0] + rng.laplace(0.0, 1.0, size), -3.0, 3.0)
    return np.where(value > 1.5, math.inf, 5e307 * value)


def subnormal(data: Any, rng: Generator, size: int) -> Any:
    return 1e-310 * data[0] + rng.laplace(0.0, 1e-310, size)


def smallest(data: Any, rng: Generator, size: int) -> Any:
    return 5e-324 * _noisy(data, rng, size)


def signed_zero(data: Any, rng: Generator, size: int) -> Any:
    return np.where(_truth(data, rng, size), -0.0, 0.0)


def past_two_to_53(data: Any, rng: Generator, size: int) -> Any:
    return 2**53 + _noisy(data, rng, size)


def past_two_to_64(data: Any, rng: Generator) -> int:
    return 10**30 + int(_noisy(data, rng, 1)[0])


def unsigned(data: Any, rng: Generator, size: int) -> Any:
    return np.uint64(2**64 - 1) - np.abs(_noisy(data, rng, size)).astype(np.uint64)


def not_finite(data: Any, rng: Generator) -> Any:
    return rng.choice([math.nan, math.inf]) if _truth(data, rng, 1)[0] else -math.inf


def one_unit_apart(data: Any, rng: Generator, size: int) -> Any:
    """Two neighboring floats."""
    return np.where(_truth(data, rng, size), 1.0, math.nextafter(1.0, 2.0))


EXTREMES: tuple[Kind, ...] = (
    pure("Laplace at 1e300", huge),
    pure("geometric beside 1e15", far_off),
    pure("Laplace that overflows", overflowing),
    pure("Laplace among subnormals", subnormal),
    pure("geometric in smallest subnormals", smallest),
    pure("signed zeros", signed_zero),
    pure("integers past 2^53", past_two_to_53),
    pure("integers past 2^64", past_two_to_64, samples=1500),
    pure("unsigned integers from the top", unsigned),
    pure("NaN and infinities", not_finite, samples=1500),
    pure("two neighboring floats", one_unit_apart),
)
