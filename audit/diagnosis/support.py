"""Rule on noise with an edge or a hole that moves with the data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from audit.diagnosis.cause import Cause, found, named, number, share
from audit.diagnosis.evidence import Evidence
from audit.diagnosis.noise import same_shape
from audit.diagnosis.parts import numeric_parts
from audit.verdict.diagnosis import Diagnosis

Floats = NDArray[np.float64]

_FEWEST_VALUES = 6
_WIDTH = 0.1
"""Of the interval next to an edge, in units of the interquartile range."""
_DENSE = 0.006
"""Least share of the runs next to an edge: Laplace and Gaussian tails have a tenth of it."""
_HOLE = 0.04
"""Least share of the runs that would fall into a hole."""


@dataclass(frozen=True, slots=True)
class Interval:
    """Values possible on one dataset and impossible on the other.

    Attributes:
        low: its lower end.
        high: its upper end.
        kind: "edge" or "hole".
    """

    low: float
    high: float
    kind: str


def bounded_noise(evidence: Evidence) -> Diagnosis | None:
    """Values that one dataset gives and noise of bounded support excludes on the other."""
    for part in numeric_parts(evidence):
        if part.values < _FEWEST_VALUES or part.constants != (None, None):
            continue
        for on_left in (True, False):
            here, there = (part.left, part.right) if on_left else (part.right, part.left)
            gap = impossible(here, there)
            if gap is None:
                continue
            sides = evidence.left, evidence.right
            giving, excluding = sides if on_left else sides[::-1]
            rate = float(((here >= gap.low) & (here <= gap.high)).mean())
            return found(
                Cause.BOUNDED_NOISE,
                f"{part.name[0].upper()}{part.name[1:]} lies between {number(gap.low)} and "
                f"{number(gap.high)} in {share(rate)} of the runs on {named(giving.dataset)} and "
                f"never on {named(excluding.dataset)}: the noise has "
                f"{'an edge' if gap.kind == 'edge' else 'a hole'} there.",
                "Use two-sided noise without bounds, holes or rejection, and clamp only after it "
                "was added.",
                low=gap.low,
                high=gap.high,
                rate=rate,
            )
    return None


def impossible(here: Floats, there: Floats) -> Interval | None:
    """Values of `here` that an edge or a hole of the noise of `there` excludes."""
    # The median of noise with a hole lies at either end of it; the mean of integers is none.
    centred = ((here - middle(here), there - middle(there)) for middle in (np.mean, np.median))
    if not any(same_shape(*both) for both in centred):
        return None
    return _beyond_edge(here, there) or _in_hole(here, there)


def _beyond_edge(here: Floats, there: Floats) -> Interval | None:
    """Values below the lower or above the upper edge, if the noise ends abruptly there."""
    for sign in (1.0, -1.0):
        mine, other = np.sort(sign * here), np.sort(sign * there)
        edge = float(other[0])
        beyond = mine[mine < edge]
        if len(beyond) < max(5, 0.002 * len(mine)) or len(beyond) == len(mine):
            continue
        if _abrupt(other) and _abrupt(mine):
            low, high = sorted((sign * float(beyond[0]), sign * float(beyond[-1])))
            return Interval(low, high, "edge")
    return None


def _abrupt(ordered: Floats) -> bool:
    """True if many runs, and no atom, lie next to the smallest value."""
    low, high = np.quantile(ordered, [0.25, 0.75])
    near = ordered[ordered <= ordered[0] + _WIDTH * (high - low)]
    distinct = len(np.unique(near))
    return len(near) >= max(10, _DENSE * len(ordered)) and distinct >= 0.5 * len(near)


def _in_hole(here: Floats, there: Floats) -> Interval | None:
    """Values in the widest gap of `there`, if the noise around it is dense."""
    ordered = np.unique(there)
    gaps = np.diff(ordered)
    if not len(gaps):
        return None
    low, high = np.quantile(there, [0.02, 0.98])
    inner = np.where((ordered[:-1] >= low) & (ordered[1:] <= high), gaps, 0.0)
    at = int(inner.argmax())
    if not inner[at] > 0.0:
        return None
    inside = here[(here > ordered[at]) & (here < ordered[at + 1])]
    around = _around(there, ordered[at], ordered[at + 1])
    if len(inside) < max(5, _HOLE * len(here)) or around < 0.5 * len(inside):
        return None
    return Interval(float(inside.min()), float(inside.max()), "hole")


def _around(numbers: Floats, low: float, high: float) -> float:
    """The smaller number of runs within one width below and above a gap."""
    width = high - low
    below = ((numbers >= low - width) & (numbers <= low)).sum()
    above = ((numbers >= high) & (numbers <= high + width)).sum()
    return float(min(below, above))
