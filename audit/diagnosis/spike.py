"""Rule on outputs that nearly always have one value on one dataset."""

from __future__ import annotations

import numpy as np

from audit.diagnosis.evidence import Evidence, capital, found, named, number, share
from audit.diagnosis.parts import Part, numeric_parts
from audit.diagnosis.structure import NO_NOISE
from audit.outcomes.column import Floats
from audit.verdict.findings import Cause, Diagnosis

_NARROW = 1e-3
"""Width of a spike, in units of the spread of the other outputs."""
_SPIKE = 0.02
"""Least share of the runs in a spike."""
_CHANCE = 1e-6
"""Chance of a spike in noise without one, over all places that are looked at."""


def spike(evidence: Evidence) -> Diagnosis | None:
    """A share of the outputs within a tiny interval that the other dataset never meets."""
    for part in numeric_parts(evidence):
        for on_left in (True, False):
            held = _spike(part, on_left)
            if held is not None:
                centre, rate = held
                side, _ = evidence.sides(on_left)
                return found(
                    Cause.NO_NOISE,
                    f"{capital(part.name)} has nearly no noise in some runs. It is "
                    f"{number(centre)} in {share(rate)} of {side.size:,} runs on "
                    f"{named(side.dataset)} and in none on the neighbor.",
                    NO_NOISE.format(part=part.name),
                    value=centre,
                    rate=rate,
                )
    return None


def _spike(part: Part, on_left: bool) -> tuple[float, float] | None:
    """Centre and share of the narrowest dense interval that the other side does not meet."""
    here, there = (part.left, part.right) if on_left else (part.right, part.left)
    ordered = np.sort(here)
    low, high = np.quantile(ordered, [0.1, 0.9])
    most = max(5, int(_SPIKE * len(ordered)))
    continuous = 2 * len(np.unique(ordered)) >= len(ordered) > most
    if not continuous or not high > low:
        return None
    widths = ordered[most:] - ordered[:-most]
    at = int(widths.argmin())
    slack = _NARROW * (high - low)
    first, last = ordered[at], ordered[at + most]
    if not widths[at] < slack or ((there >= first) & (there <= last)).any():
        return None
    if len(ordered) * _chance_of_spike(ordered, first, last, slack) > _CHANCE:
        return None
    rate = float(((here >= first - slack) & (here <= last + slack)).mean())
    return float((first + last) / 2.0), rate


def _chance_of_spike(ordered: Floats, first: float, last: float, width: float) -> float:
    """Chance of so many runs in an interval if they are as dense there as anywhere else."""
    from scipy.stats import poisson

    inside = (ordered >= first) & (ordered <= last)
    rest = ordered[(ordered < first - width) | (ordered > last + width)]
    ends = np.searchsorted(rest, rest + max(float(last - first), 1e-12), side="right")
    densest = int((ends - np.arange(len(rest))).max(initial=1))
    return float(poisson.sf(int(inside.sum()) - 1, densest))
