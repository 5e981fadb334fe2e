"""Privacy profiles: the delta that holds at each epsilon, from what else is promised."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

_Numbers = NDArray[np.float64] | np.float64


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
