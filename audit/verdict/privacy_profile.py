"""The privacy profile of a mechanism from below: lower bounds on epsilon at several deltas.

Whatever the claim is, the same units are bet on against (epsilon, delta) at deltas that are fixed
before any draw. Each bound is wrong with probability alpha over their number at most (theorem in
`audit.betting.wealth`), so that all of them hold together with probability 1 - alpha (union bound).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate

from audit.betting.wealth import Wealth
from audit.claims import ApproxDP
from audit.jsonable import Record

CURVE = {f"delta {delta:g}": delta for delta in (0.1, 0.03, 0.01)}
"""Deltas by the names of their wealths."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePoint(Record):
    """A point below the profile.

    Attributes:
        delta: one of a few.
        epsilon_lower: lower bound on epsilon at this delta.
    """

    delta: float
    epsilon_lower: float


def curve_wealths(alpha: float) -> dict[str, Wealth]:
    """Wealths of 1 against each delta, which share alpha."""
    each = alpha / len(CURVE)
    return {name: Wealth.against(ApproxDP(1.0, delta), each) for name, delta in CURVE.items()}


def curve_of(wealths: Mapping[str, Wealth]) -> tuple[CurvePoint, ...]:
    """Bounds above 0, by falling delta; none if there were no such bets.

    What holds at a delta holds at each smaller one, so the bounds never fall.

    Args:
        wealths: of an audit, by name.
    """
    bounds = [wealths[name].bound if name in wealths else 0.0 for name in CURVE]
    return tuple(
        CurvePoint(delta=delta, epsilon_lower=bound)
        for delta, bound in zip(CURVE.values(), accumulate(bounds, max), strict=True)
        if bound > 0.0
    )
