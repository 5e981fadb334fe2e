"""Vectorized noise samplers, one per distribution.

Each consumes an amount of randomness that depends on `shape` alone, never on
the data, so that two datasets can share it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np
from numpy.random import PCG64, Generator, SeedSequence
from numpy.typing import NDArray

Shape = int | tuple[int, ...]
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
NoiseName = Literal[
    "laplace",
    "gaussian",
    "exponential",
    "gumbel",
    "uniform",
    "geometric",
    "geometric-from-one",
    "discrete-gaussian",
    "staircase",
    "laplace-with-hole",
    "laplace-four-uniforms",
    "laplace-porous",
]


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
    return np.asarray(support[np.searchsorted(cumulative, uniform, side="right")])


def uniform(rng: Generator, half_width: float, shape: Shape) -> Floats:
    """Uniform noise between -half_width and half_width."""
    return rng.uniform(-half_width, half_width, shape)


def staircase(rng: Generator, scale: float, shape: Shape) -> Floats:
    """Staircase noise for sensitivity 1 and epsilon 1/scale (arXiv 1212.1186, Algorithm 1)."""
    epsilon = 1.0 / scale
    share = 1.0 / (1.0 + np.exp(epsilon / 2.0))
    step = rng.geometric(-np.expm1(-epsilon), shape) - 1
    far = rng.random(shape) >= share / (share + (1.0 - share) * np.exp(-epsilon))
    inside = rng.random(shape)
    height = np.where(far, share + (1.0 - share) * inside, share * inside)
    return np.asarray(_signs(rng, shape) * (step + height))


def geometric_from_one(rng: Generator, scale: float, shape: Shape) -> Integers:
    """A fair sign times a geometric that starts at 1: zero never comes."""
    stop = -np.expm1(-1.0 / scale)
    return rng.geometric(stop, shape) * _signs(rng, shape)


def laplace_with_hole(rng: Generator, scale: float, shape: Shape) -> Floats:
    """A fair sign times scale·(1 - ln U): a parenthesis slip of -scale·ln(1 - U).

    No noise is smaller than `scale` in magnitude.
    """
    return scale * (1.0 - np.log1p(-rng.random(shape))) * _signs(rng, shape)


def laplace_four_uniforms(rng: Generator, scale: float, shape: Shape) -> Floats:
    """Laplace as a sum of products of normals, from four uniforms (arXiv 2107.10138)."""
    first, second, third, fourth = (rng.random(shape) for _ in range(4))
    left = np.log1p(-first) * np.cos(np.pi * second)
    right = np.log1p(-third) * np.cos(np.pi * fourth)
    return np.asarray(scale * (left + right))


def laplace_porous(rng: Generator, scale: float, shape: Shape) -> Floats:
    """Textbook inversion, S·scale·ln(k/2^53): misses most floats (Mironov, CCS 2012)."""
    uniform = rng.integers(1, 2**53, shape, endpoint=True) * 2.0**-53
    return np.asarray(-scale * np.log(uniform) * _signs(rng, shape))


SAMPLERS: Mapping[NoiseName, Callable[[Generator, float, Shape], NDArray[Any]]] = {
    "laplace": laplace,
    "gaussian": gaussian,
    "exponential": exponential,
    "gumbel": gumbel,
    "uniform": uniform,
    "geometric": discrete_laplace,
    "geometric-from-one": geometric_from_one,
    "discrete-gaussian": discrete_gaussian,
    "staircase": staircase,
    "laplace-with-hole": laplace_with_hole,
    "laplace-four-uniforms": laplace_four_uniforms,
    "laplace-porous": laplace_porous,
}


def choice(probabilities: Floats, uniform: Floats) -> Integers:
    """Indices with these probabilities by inversion, one for each uniform number."""
    cumulative = np.cumsum(probabilities)
    drawn = np.searchsorted(cumulative, uniform * cumulative[-1], side="right")
    return np.asarray(np.minimum(drawn, probabilities.size - 1))


def child(rng: Generator) -> Generator:
    """A generator of its own for a part whose appetite depends on the data.

    Whatever the part consumes, `rng` advances by the same four words, so that
    two datasets stay on one stream.
    """
    words = rng.integers(0, 2**32, 4)
    return Generator(PCG64(SeedSequence(words.tolist())))


def _signs(rng: Generator, shape: Shape) -> Integers:
    return 2 * rng.integers(0, 2, shape) - 1
