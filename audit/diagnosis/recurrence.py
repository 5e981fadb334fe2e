"""Rules on values that come again on one dataset and never on the other."""

from __future__ import annotations

import math

import numpy as np

from audit.diagnosis.evidence import Evidence, about, capital, found, named, number, share
from audit.diagnosis.parts import Part, numeric_parts
from audit.diagnosis.structure import NO_NOISE
from audit.outcomes.column import Floats
from audit.outcomes.number_features import common_step
from audit.verdict.findings import Cause, Diagnosis

_NARROW = 1e-3
"""Width of a spike, in units of the spread of the other outputs."""
_SPIKE = 0.02
"""Least share of the runs in a spike."""
_CHANCE = 1e-6
"""Chance of a spike in noise without one, over all places that are looked at."""
_FEWEST, _COMMON = 32, 0.25
"""Fewest different values of noise, and the share of the runs that none of them exceeds."""
_AGAIN = (8, 0.01)
"""Runs whose value came before: so many at least, and such a share."""
_SHARED = 0.01
"""Share of the runs at most with a value that the other dataset gives as well."""


def few_noise_values(evidence: Evidence) -> Diagnosis | None:
    """Fractions that come again on one dataset and not on the other, of a generator with few seeds.

    The number of values is that of equally likely ones with as many different ones in as many runs.
    """
    sides = evidence.sides(True)
    for part in numeric_parts(evidence):
        if not _recurs(part.left, part.right) or not _recurs(part.right, part.left):
            continue
        runs, different = len(part.left), len(np.unique(part.left))
        values = _values(runs, different)
        return found(
            Cause.FEW_VALUES,
            f"The noise of {part.name} has few values, about {about(values)}. {runs:,} runs on "
            f"{named(sides[0].dataset)} gave {different:,} different numbers, which the neighbor "
            "does not give.",
            "Draw the noise from a generator that the operating system seeds, with 128 bits or "
            "more, and seed it once.",
            values=values,
            different=different,
            runs=runs,
        )
    return None


def _recurs(here: Floats, there: Floats) -> bool:
    """True if many fractions come again, none of them often, and hardly any on the other side."""
    values, times = np.unique(here, return_counts=True)
    again = len(here) - len(values)
    return (
        bool(np.mean(values != np.round(values)) > 0.5)
        and again >= max(_AGAIN[0], _AGAIN[1] * len(here))
        and len(values) >= _FEWEST
        and int(times.max()) <= _COMMON * len(here)
        and float(np.isin(here, there).mean()) <= _SHARED
        # Numbers in steps come again without few values of the noise.
        and common_step(here) is None
    )


def _values(runs: int, different: int) -> float:
    """Equally likely values of which so many runs show so many different ones on average."""
    from scipy.optimize import brentq

    def excess(values: float) -> float:
        return -values * math.expm1(runs * math.log1p(-1.0 / values)) - different

    return float(brentq(excess, different, float(runs) ** 2))


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
