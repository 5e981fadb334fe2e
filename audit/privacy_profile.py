"""Privacy profiles: the delta that holds at each epsilon, from what else is promised."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr, ndtr

_Numbers = NDArray[np.float64] | np.float64

LARGEST_EPSILON = 300.0
"""Beyond, squares of e^epsilon leave the range of floats, and no audit could tell."""
_ORDERS = 1.0 + np.geomspace(1e-3, 1e5, 3000)
"""Orders of Rényi divergence at which zCDP is converted."""


def two_point_delta(epsilon: float, delta: float, at: float) -> float:
    """The delta that (epsilon, delta)-DP promises at another epsilon.

    Args:
        epsilon: of the claim.
        delta: of the claim, in [0, 1).
        at: where the profile is wanted, at least 0.

    Returns:
        The claim's own delta from epsilon on; below it what follows from
        arXiv 1905.02383, Proposition 2.5.
    """
    if at >= epsilon:
        return delta
    # At least delta: a profile never rises, which rounding would otherwise make it do.
    return max(delta, 1.0 - (1.0 - delta) * (1.0 + math.exp(at)) / (1.0 + math.exp(epsilon)))


def renyi_delta(order: _Numbers, divergence: _Numbers, epsilon: float) -> NDArray[np.float64]:
    """The delta that follows at epsilon from a Rényi divergence (arXiv 2004.00010, Prop. 12).

    Args:
        order: above 1, one or many.
        divergence: of that order, of the same shape.
        epsilon: where the profile is wanted, at least 0.

    Returns:
        One delta in [0, 1] for each order.
    """
    with np.errstate(over="ignore"):  # the largest orders: the delta is then 0 or 1
        log_delta = (order - 1.0) * (divergence - epsilon) - np.log(order - 1.0)
    log_delta = log_delta + order * np.log1p(-1.0 / order)
    return np.asarray(np.exp(np.minimum(log_delta, 0.0)))


def divergence_delta(divergence: float) -> float:
    """Total variation from KL divergence: Pinsker's and Bretagnolle-Huber's inequalities.

    Rényi divergences grow with the order, so any of them bounds KL; and the
    profile never exceeds its value at 0, the total variation.

    Args:
        divergence: at least 0, in nats.

    Returns:
        A delta in [0, 1] that holds at every epsilon.
    """
    return min(math.sqrt(divergence / 2.0), math.sqrt(-math.expm1(-divergence)))


def one_order_delta(order: float, divergence: float, epsilon: float) -> float:
    """The delta that follows at epsilon from one Rényi divergence: the best of what is known.

    Args:
        order: above 1.
        divergence: of that order.
        epsilon: where the profile is wanted, at least 0.

    Returns:
        A delta in [0, 1].
    """
    converted = float(renyi_delta(np.float64(order), np.float64(divergence), epsilon))
    return min(converted, divergence_delta(divergence))


def concentrated_delta(rho: float, epsilon: float) -> float:
    """The delta that follows at epsilon from rho-zCDP (arXiv 1605.02065): the best of its orders.

    Args:
        rho: above 0.
        epsilon: where the profile is wanted, at least 0.

    Returns:
        A delta in [0, 1].
    """
    converted = float(np.min(renyi_delta(_ORDERS, _ORDERS * rho, epsilon)))
    return min(converted, divergence_delta(rho))


def gaussian_delta(mu: float, epsilon: float) -> float:
    """The delta of mu-Gaussian DP at epsilon (arXiv 1905.02383, Corollary 2.13).

    Args:
        mu: above 0.
        epsilon: where the profile is wanted, at least 0.

    Returns:
        A delta in [0, 1].
    """
    second = math.exp(min(epsilon + float(log_ndtr(-epsilon / mu - mu / 2)), 0.0))
    return min(1.0, max(0.0, float(ndtr(-epsilon / mu + mu / 2)) - second))


def profile_lines(
    profile: Callable[[float], float], points: Sequence[float]
) -> NDArray[np.float64]:
    """Lines of a profile at fixed points.

    Args:
        profile: delta at some epsilon.
        points: epsilons, brought into the range that can be bet on.

    Returns:
        Shape (points, 2), slope and offset by growing slope; those whose delta is 1 say nothing
        but keep their row.
    """
    kept = np.unique(np.clip(points, 0.0, LARGEST_EPSILON))
    return np.array([[math.exp(x), profile(x)] for x in map(float, kept)])
