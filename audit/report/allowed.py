"""The ratios of frequencies that a claim allows."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from audit.claim import Claim, Lines
from audit.verdict.pair_table import Bin


def allowed_ratios(bins: Sequence[Bin], claim: Claim) -> list[tuple[float, float]]:
    """Between which ends p/q may lie in each bin, given how likely the bin is."""
    lines = claim.lines(claim.level)
    return [
        (1.0 / largest_allowed(lines, b.q.estimate), largest_allowed(lines, b.p.estimate))
        for b in bins
    ]


def largest_allowed(lines: Lines, probability: float) -> float:
    """The largest ratio of an event's probabilities that a claim allows.

    Solving p <= a q + b for p/q gives a / (1 - b/p) where b < p, and no limit
    elsewhere; the tightest line counts.

    Args:
        lines: the claim's lines, shape (lines, 2).
        probability: of the event on the side where it is more likely.
    """
    slopes, offsets = lines.T
    binding = offsets < probability
    if not binding.any():
        return math.inf if probability > 0 else float(np.min(slopes))
    return float(np.min(slopes[binding] / (1.0 - offsets[binding] / probability)))
