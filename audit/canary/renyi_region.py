"""Exact bound of a Rényi divergence on one event: the lines around its region."""

from __future__ import annotations

import numpy as np

from audit.canary.law import Floats

_RARE = np.geomspace(1e-14, 1.0 - 1e-9, 1500)
"""1 - v at which tangents touch the region, with v = (1 - p)/(1 - q)."""

_LARGEST = 690.0
"""Logarithm of the largest power that is looked at: near order 1 they grow beyond all floats."""

_STEPS = 30
"""Of Newton's method; each ends nearer the root, and never below it."""

_ROUNDING, _NEAR_ONE = 1e-9, 1e-14
"""What offsets may be too small by; near order 1 terms cancel."""


def region_offsets(order: float, divergence: float, slopes: Floats) -> Floats:
    """The smallest delta such that p <= slope·q + delta for every event, at some slopes.

    p and q are the probabilities of one event under two laws whose Rényi
    divergence of this order is at most `divergence`. An event is a map to two
    outcomes, which does not raise it; so (p, q) lies in the region

        p^a q^(1-a) + (1 - p)^a (1 - q)^(1-a) <= K = e^((a-1) divergence),

    which is convex, as its left side is. With u = p/q and v = (1 - p)/(1 - q),
    its edge for p > q is (1 - v) u^a + (u - 1) v^a = K (u - v), q = (1 - v)/(u - v),
    and the tangent there has the slope (a - 1)/a · (u^a - v^a)/(u^(a-1) - v^(a-1)).
    For a given v the edge is where a function that is convex in u meets 0 from
    below: Newton's method from the right ends at or above the root, hence on the
    edge of a slightly larger region. The smallest delta is convex in the slope, so
    that between two tangents a chord bounds it from above. Slopes below that of the
    tangent at p = 1 have delta = 1 - slope·e^-divergence. The smallest delta falls with
    the slope, so that behind the steepest tangent its offset is not too small.

    Args:
        order: a, above 1.
        divergence: above 0.
        slopes: above 0, shape (slopes,).

    Returns:
        One delta in [0, 1] a slope, at most slightly too large.
    """
    touched, offsets = _tangents(order, divergence)
    order_of = np.argsort(touched)
    found = np.interp(slopes, touched[order_of], offsets[order_of])
    corner = 1.0 - slopes * np.exp(-divergence)
    found = np.where(slopes < touched.min(), corner, found)
    return np.clip(found + _ROUNDING + _NEAR_ONE / (order - 1.0), 0.0, 1.0)


def _tangents(order: float, divergence: float) -> tuple[Floats, Floats]:
    """Slopes and offsets of tangents, with t = u e^-divergence in place of u, which may be huge."""
    near, small = np.exp(-divergence), np.exp(-(order - 1.0) * divergence)
    powered = np.power(1.0 - _RARE, order) * small
    # The edge lies at most so far: there the function is near·(v - powered) and rises.
    reach = (np.log1p(-powered) - np.log(_RARE)) / (order - 1.0)
    kept = order * (reach + divergence) <= _LARGEST
    rare, powered, t = _RARE[kept], powered[kept], np.exp(reach[kept])
    v = 1.0 - rare
    for _ in range(_STEPS):
        value = rare * np.power(t, order) + (t - near) * powered - t + v * near
        slope = order * rare * np.power(t, order - 1.0) + powered - 1.0
        t = t - np.maximum(value, 0.0) / slope
    u = t / near
    ratio = np.log(v / u)
    touched = (order - 1.0) / order * u
    touched = touched * np.expm1(order * ratio) / np.expm1((order - 1.0) * ratio)
    q = rare / (u - v)
    return touched, u * q - touched * q
