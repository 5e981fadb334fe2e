"""The test of zCDP, Rényi and Gaussian claims, and the trade-off curve of a claim.

Any claim at a fixed number of guesses: the recursion of arXiv 2410.22235, which is proved anew as
Theorem 3 of docs/explanation/canaries.md, whose names the code has.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from audit.canary.design import Floats
from audit.canary.guesses import SPARSE_STEP, GuessTest, Prefix, prefixes_of
from audit.claims import Claim, GaussianDP
from audit.lazy_modules import special

SmallestOther = Callable[[float], float]
"""From P[M(D) in E] to the smallest P[M(D') in E] that the claim allows, both in [0, 1]."""

_POINTS = np.append(0.0, np.geomspace(0.02, 40.0, 80))
"""Logarithms of slopes at which a claim without a closed form is read, beside its own lines."""


def smallest_other(claim: Claim, steps: int = 1) -> SmallestOther:
    """The claim's curve for datasets that so many neighbors in a row lead to.

    It never decreases, is convex, and falls as the claim's level grows. Group
    privacy is the curve applied to itself (arXiv 1905.02383, Theorem 2.14).
    """
    known: Any = claim  # every claim is frozen, and so can be a key
    return _curve(known, steps)


@lru_cache(maxsize=256)
def _curve(claim: Any, steps: int) -> SmallestOther:
    if isinstance(claim, GaussianDP):  # Phi(Phi^-1(p) - mu) (arXiv 1905.02383, Definition 2.5)
        mu = claim.mu * steps
        return lambda p: float(special.ndtr(special.ndtri(p) - mu))
    deltas = [claim.delta(float(x)) for x in _POINTS]
    own, regions = claim.lines(claim.level), _regions(claim)
    slopes = np.concatenate([np.exp(_POINTS), own[:, 0], regions[:, 0]])
    offsets = np.concatenate([deltas, own[:, 1], regions[:, 1]])

    def once(p: float) -> float:
        """From p <= slope·q + offset, for E and for its complement."""
        of_event = (p - offsets) / slopes
        of_complement = 1.0 - offsets - slopes * (1.0 - p)
        return max(0.0, float(of_event.max()), float(of_complement.max()))

    return once if steps == 1 else lambda p: once(once(p))


def _regions(claim: Claim) -> Floats:
    """Lines around what the claim's Rényi divergences leave to one event, shape (lines, 2)."""
    slopes = np.append(np.exp(-_POINTS[:0:-1]), np.exp(_POINTS))
    bounded = [(a, most) for a, most in claim.divergences(claim.level) if a > 1.0 and most > 0.0]
    if not bounded:
        return np.empty((0, 2))
    offsets = [region_offsets(float(a), float(most), slopes) for a, most in bounded]
    return np.column_stack([slopes, np.min(offsets, axis=0)])


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

    p and q are the probabilities of one event under two laws whose Rényi divergence of this order
    is at most `divergence`. With u = p/q and v = (1 - p)/(1 - q), tangents of the region of these
    pairs (docs/explanation/canaries.md) bound them.

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


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileTest(GuessTest):
    """Tests of one kind of claim for every level, on the same guesses.

    Each prefix has an equal part of alpha. Their sizes follow from the number
    of canaries; where fewer are guessed, the last prefixes hold fewer.
    """

    claim: Claim

    def refutes(self, low: float, high: float) -> bool:
        """True if every level of an interval is refuted: each is, if the weakest claim is."""
        return any(
            self.prefix_refutes(prefix, self.guesses.right(prefix), high)
            for prefix in self.prefixes()
        )

    def prefix_refutes(self, prefix: Prefix, right: int, level: float) -> bool:
        """True if one prefix refutes a level with so many right guesses, at its part of alpha."""
        return refuted(
            right=right,
            guesses=prefix.size,
            canaries=self.canaries,
            smallest=smallest_other(self.claim.at(level), self.design.steps),
            level=self.alpha / len(self.prefixes()),
            odds=self.design.larger_odds,
        )

    def prefixes(self) -> tuple[Prefix, ...]:
        """The prefixes among which alpha is divided."""
        sided = self.guesses.sided
        ins = round(self.canaries * self.design.probability) if sided else self.canaries
        return prefixes_of(ins, self.canaries - ins, SPARSE_STEP)


_NOTHING_MORE = 1e-18
"""Masses this small no longer decide; to stop there can only leave a claim standing."""


def refuted(
    *,
    right: int,
    guesses: int,
    canaries: int,
    smallest: SmallestOther,
    level: float,
    odds: float = 1.0,
) -> bool:
    """True if P[N >= right] is below the level under every mechanism that keeps the claim.

    Args:
        right: v, the right guesses.
        guesses: r, all guesses at most.
        canaries: m, at least r.
        smallest: F^-1, the claim's curve turned around.
        level: p.
        odds: p/(1 - p) of the coin, or its inverse if that is larger.
    """
    mass, gained, lost = level, right * level, (guesses - right) * level
    for count in range(right - 1, -1, -1):
        missing = canaries / odds * smallest(gained / canaries) - lost
        if missing <= _NOTHING_MORE:
            return False
        added = missing / (guesses - count)
        mass, gained, lost = mass + added, gained + count * added, lost + missing
        if mass > 1.0:
            return True
    return False
