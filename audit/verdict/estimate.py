"""Probabilities and ratios with their confidence intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from audit.jsonable import finite


@dataclass(frozen=True, slots=True)
class Estimate:
    """A probability or a ratio with its confidence interval."""

    estimate: float
    low: float
    high: float

    def as_json(self) -> dict[str, Any]:
        return {
            "estimate": finite(self.estimate),
            "low": finite(self.low),
            "high": finite(self.high),
        }


def quotient(p: float, q: float) -> float:
    """p/q for probabilities, infinite when only q is 0, 1 when both are."""
    if q > 0:
        return p / q
    return math.inf if p > 0 else 1.0
