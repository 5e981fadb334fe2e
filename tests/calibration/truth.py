"""Exact privacy parameters of laws that are known, computed apart from the tool's own formulas."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.optimize import brentq, minimize_scalar
from scipy.stats import norm


def gaussian_delta(epsilon: float, sigma: float) -> float:
    """Delta at epsilon of a Gaussian with sensitivity 1 (Balle and Wang, arXiv 1805.06530)."""
    shift = 1.0 / (2.0 * sigma)
    below = norm.cdf(shift - epsilon * sigma)
    return float(below - math.exp(epsilon) * norm.cdf(-shift - epsilon * sigma))


def gaussian_sigma(epsilon: float, delta: float) -> float:
    """Standard deviation whose delta at epsilon is exactly this, for sensitivity 1."""
    return float(brentq(lambda s: gaussian_delta(epsilon, s) - delta, 1e-2, 1e4, xtol=1e-14))


def hockey_stick(left: Any, right: Any, epsilon: float) -> float:
    """The larger of both directions of sum(max(0, p - e^epsilon q)); two arrays of chances."""
    p, q = np.asarray(left), np.asarray(right)
    over = [np.maximum(0.0, a - math.exp(epsilon) * b).sum() for a, b in ((p, q), (q, p))]
    return float(max(over))


def largest_loss(left: Any, right: Any) -> float:
    """Pure epsilon of two arrays of positive chances."""
    return float(np.abs(np.log(np.asarray(left) / np.asarray(right))).max())


def renyi_of_response(order: float, keep: float) -> float:
    """Rényi divergence of a coin that shows heads with chance `keep`, from the reverse coin."""
    lie = 1.0 - keep
    moment = keep**order * lie ** (1.0 - order) + lie**order * keep ** (1.0 - order)
    return math.log(moment) / (order - 1.0)


def renyi_of_laplace(order: float) -> float:
    """Rényi divergence of Laplace noise of scale 1 at a distance of 1.

    That of Mironov, arXiv 1702.07476, table II.
    """
    up = order / (2 * order - 1) * math.exp(order - 1)
    down = (order - 1) / (2 * order - 1) * math.exp(-order)
    return math.log(up + down) / (order - 1)


def laplace_rho() -> float:
    """Smallest rho of zCDP for Laplace noise of scale 1 and sensitivity 1."""

    def rate(order: float) -> float:
        return renyi_of_laplace(order) / order

    found = minimize_scalar(lambda order: -rate(order), bounds=(1.0 + 1e-6, 60.0), method="bounded")
    return float(max(-found.fun, math.exp(-1.0)))


def laplace_delta(distance: float) -> Callable[[float], float]:
    """The profile of Laplace noise of scale 1 at a distance (arXiv 1905.02383, Section 2)."""
    return lambda epsilon: max(0.0, -math.expm1((epsilon - distance) / 2.0))


def subsampled_gaussian_delta(epsilon: float, sigma: float, rate: float) -> float:
    """Delta of a record that takes part with probability `rate`: the larger of both directions.

    With P = (1 - rate) N(0, sigma) + rate N(1, sigma) and Q = N(0, sigma), p/q grows, so the
    best event of either direction is a half-line from where p/q is e^epsilon or its inverse.
    """
    found = [0.0]
    for bound, more in ((math.exp(epsilon), True), (math.exp(-epsilon), False)):
        inside = (bound - 1.0 + rate) / rate
        if inside <= 0.0:
            continue
        at = 0.5 + sigma**2 * math.log(inside)
        tail = norm.sf if more else norm.cdf
        own, other = float(tail(at, 1.0, sigma)), float(tail(at, 0.0, sigma))
        p, q = (1.0 - rate) * other + rate * own, other
        found.append(p - math.exp(epsilon) * q if more else q - math.exp(epsilon) * p)
    return max(found)
