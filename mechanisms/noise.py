"""One sampler per distribution, vectorized, every one driven by the generator it is given.

Each consumes an amount of randomness that depends on `shape` alone, never on
the data, so that two datasets can share it.
"""

from __future__ import annotations

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Shape = int | tuple[int, ...]
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def laplace(rng: Generator, scale: float, shape: Shape) -> Floats:
    """Laplace noise by inversion of its distribution function; variance 2·scale²."""
    return rng.laplace(0.0, scale, shape)


def gaussian(rng: Generator, sigma: float, shape: Shape) -> Floats:
    """Normal noise of standard deviation `sigma`."""
    return rng.normal(0.0, sigma, shape)


def exponential(rng: Generator, scale: float, shape: Shape) -> Floats:
    """One-sided exponential noise of mean `scale`."""
    return rng.exponential(scale, shape)


def gumbel(rng: Generator, scale: float, shape: Shape) -> Floats:
    """Gumbel noise; its arg max over scores samples the exponential mechanism."""
    return rng.gumbel(0.0, scale, shape)


def discrete_laplace(rng: Generator, scale: float, shape: Shape) -> Integers:
    """P(k) proportional to exp(-|k|/scale), as the difference of two geometrics."""
    stop = -np.expm1(-1.0 / scale)
    return rng.geometric(stop, shape) - rng.geometric(stop, shape)


def discrete_gaussian(rng: Generator, sigma: float, shape: Shape) -> Integers:
    """P(k) proportional to exp(-k²/2σ²) (arXiv 2004.00010), by inversion of a table.

    The table ends 12σ from the centre, beyond which the mass is below 1e-31.
    """
    reach = int(np.ceil(12.0 * sigma)) + 1
    support = np.arange(-reach, reach + 1)
    mass = np.exp(-0.5 * (support / sigma) ** 2)
    cumulative = np.cumsum(mass)
    uniform = rng.random(shape) * cumulative[-1]
    return support[np.searchsorted(cumulative, uniform, side="right")]
