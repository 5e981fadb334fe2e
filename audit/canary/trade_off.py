"""Trade-off curve of a claim, inverted: the smallest other probability of an event."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from audit.canary.law import Floats
from audit.canary.renyi_region import region_offsets
from audit.claim import Claim, GaussianDP
from audit.special import special

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
    if isinstance(claim, GaussianDP):
        return _Gaussian(claim.mu * steps)
    offsets = [claim.delta(float(x)) for x in _POINTS]
    own, regions = claim.lines(claim.level), _regions(claim)
    once = _Lines(
        np.concatenate([np.exp(_POINTS), own[:, 0], regions[:, 0]]),
        np.concatenate([offsets, own[:, 1], regions[:, 1]]),
    )
    return once if steps == 1 else lambda p: once(once(p))


def _regions(claim: Claim) -> Floats:
    """Lines around what the claim's Rényi divergences leave to one event, shape (lines, 2)."""
    slopes = np.append(np.exp(-_POINTS[:0:-1]), np.exp(_POINTS))
    bounded = [(a, most) for a, most in claim.divergences(claim.level) if a > 1.0 and most > 0.0]
    if not bounded:
        return np.empty((0, 2))
    offsets = [region_offsets(float(a), float(most), slopes) for a, most in bounded]
    return np.column_stack([slopes, np.min(offsets, axis=0)])


@dataclass(frozen=True, slots=True)
class _Gaussian:
    """mu-Gaussian DP: Phi(Phi^-1(p) - mu) (arXiv 1905.02383, Definition 2.5)."""

    mu: float

    def __call__(self, p: float) -> float:
        return float(special.ndtr(special.ndtri(p) - self.mu))


@dataclass(frozen=True, slots=True)
class _Lines:
    """From p <= slope·q + offset, for E and for its complement."""

    slopes: Floats
    offsets: Floats

    def __call__(self, p: float) -> float:
        of_event = (p - self.offsets) / self.slopes
        of_complement = 1.0 - self.offsets - self.slopes * (1.0 - p)
        return max(0.0, float(of_event.max()), float(of_complement.max()))
