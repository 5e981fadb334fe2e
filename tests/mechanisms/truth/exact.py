"""Exact probabilities of the catalogue's mechanisms, by formula or by quadrature."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, stats

Floats = NDArray[np.float64]
Density = Callable[[Floats], Floats]

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(60)
_STEPS = np.array([1e-3, 1e-2, 0.05, 0.1, 0.2, 0.4, 0.7, 1.0])


def integral(function: Density, kinks: Sequence[float], reach: float) -> float:
    """Integral over [-reach, reach] of a function that is smooth between its kinks."""
    near = [kink + sign * reach * step for kink in kinks for sign in (-1, 1) for step in _STEPS]
    ends = np.unique(np.clip([-reach, reach, *kinks, *near], -reach, reach))
    centres, halves = (ends[1:] + ends[:-1]) / 2, (ends[1:] - ends[:-1]) / 2
    points = centres[:, None] + halves[:, None] * _NODES
    return float((function(points) * _WEIGHTS * halves[:, None]).sum())


def laplace_below(points: Floats, scale: float) -> Floats:
    """P(noise < point); without noise when the scale is 0."""
    if scale == 0.0:
        return (points > 0).astype(np.float64)
    return np.asarray(stats.laplace.cdf(points, scale=scale))


def pattern(
    queries: Sequence[float],
    above: Sequence[int],
    threshold_scale: float,
    query_scale: float,
    threshold: float = 0.0,
) -> float:
    """P(a sparse vector answers so), 1 for above; it may stop after the last answer."""

    def density(noise: Floats) -> Floats:
        product = np.asarray(stats.laplace.pdf(noise, scale=threshold_scale))
        for query, answer in zip(queries, above, strict=True):
            below = laplace_below(threshold + noise - query, query_scale)
            product = product * (1.0 - below if answer else below)
        return product

    kinks = [0.0, *(query - threshold for query in set(queries))]
    return integral(density, kinks, 45.0 * threshold_scale)


def released_at_most(
    queries: Sequence[float], value: float, threshold_scale: float, query_scale: float
) -> float:
    """P(all queries but the last are below, the last is above, with a value so small)."""
    *first, last = queries

    def density(noise: Floats) -> Floats:
        product = np.asarray(stats.laplace.pdf(noise, scale=threshold_scale))
        for query in first:
            product = product * laplace_below(noise - query, query_scale)
        upper = stats.laplace.cdf(value - last, scale=query_scale)
        return np.asarray(
            product * np.maximum(0.0, upper - laplace_below(noise - last, query_scale))
        )

    return integral(density, [0.0, value, *set(queries)], 45.0 * threshold_scale)


def winner(scores: Sequence[float], index: int, scale: float, exponential: bool = False) -> float:
    """P(the noisy maximum is at this index)."""
    family = stats.expon if exponential else stats.laplace
    others = [score - scores[index] for position, score in enumerate(scores) if position != index]

    def density(noise: Floats) -> Floats:
        product = np.asarray(family.pdf(noise, scale=scale))
        for gap in others:
            product = product * family.cdf(noise - gap, scale=scale)
        return product

    return integral(density, [0.0, *others], 45.0 * scale)


def loss_at_least(threshold: float, copies: int, scale: float, centre: float) -> float:
    """P(sum over copies of (|y| - |y - 1|)/scale >= threshold), y = centre + Laplace(scale).

    Each term has an atom at both ends and a density between them; a fine grid
    stands for the density.
    """
    step = 1e-3
    edges = np.arange(0.0, 1.0 + step / 2, step)
    inside = np.diff(stats.laplace.cdf(edges, loc=centre, scale=scale))
    ends = (
        stats.laplace.cdf([0.0], loc=centre, scale=scale),
        stats.laplace.sf([1.0], loc=centre, scale=scale),
    )
    one = np.concatenate(
        [ends[0] + inside[:1] / 2, (inside[1:] + inside[:-1]) / 2, ends[1] + inside[-1:] / 2]
    )
    mass = one
    for _ in range(copies - 1):
        mass = np.convolve(mass, one)
    losses = (np.linspace(-copies, copies, mass.size)) / scale
    return float(mass[losses >= threshold - 1e-9].sum())


def growth(p: float, q: float, slope: float, offset: float = 0.0) -> float:
    """The largest growth rate of a bet on p <= slope·q + offset with independent draws."""
    outcomes = [
        (p * q, 1 - slope),
        (p * (1 - q), 1.0),
        ((1 - p) * q, -slope),
        ((1 - p) * (1 - q), 0.0),
    ]

    def loss(stake: float) -> float:
        return -sum(
            chance * math.log1p(stake * (gain - offset)) for chance, gain in outcomes if chance
        )

    largest = (1.0 - 1e-12) / (slope + offset)
    found = optimize.minimize_scalar(
        loss, bounds=(0.0, largest), method="bounded", options={"xatol": 1e-12}
    )
    return float(-found.fun)


def oracle_pairs(p: float, q: float, slope: float, offset: float = 0.0) -> float:
    """Pairs that a bet on the best event needs for level 0.05."""
    return math.log(20.0) / growth(p, q, slope, offset)
