"""Rules on the values that noise takes: an edge, a hole, steps, a spike, or too few of them."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from audit.diagnosis.evidence import (
    Evidence,
    about,
    capital,
    found,
    named_apart,
    number,
    out_of,
    share,
)
from audit.diagnosis.noise import Family, family_of, same_shape, step_of
from audit.diagnosis.parts import Part, numeric_parts
from audit.diagnosis.structure import NO_NOISE
from audit.lazy_modules import special
from audit.outcomes.column import Floats
from audit.outcomes.number_features import common_step
from audit.verdict.findings import Cause, Diagnosis

_FEWEST_VALUES = 6
_CHANCE = 1e-6
"""Chance that smooth noise leaves any of the intervals that are looked at empty, or dense."""
_WIDTH = 0.1
"""Of the interval next to an edge, in units of the interquartile range."""
_FEWEST_BEYOND = 0.002
"""Least share of the runs beyond an edge."""
_HOLE = 0.04
"""Least share of the runs that would fall into a hole."""
_TIMES = 3.0
"""Log odds in units of the claimed ε that an edge must exceed."""
_EARLY = 0.39
"""Extent of a tail in units of the Gaussian one; below a maximum of Laplace noise it is 0.43."""
_IN_MIDDLE = 0.2
"""Least share of noise with one peak within half a deviation of its median."""
_ON_GRID = 1e-6
"""Of a step, by which rounding may move a number off its grid."""

Gap = tuple[float, float, str]
"""Ends of values possible on one dataset alone; they lie beyond "an edge", or in "a hole"."""


def exact_remainder(evidence: Evidence) -> Diagnosis | None:
    """Noise in steps that do not divide what one record moves, so that their remainder is exact."""
    for part in numeric_parts(evidence):
        step, other = (common_step(side - side.min()) for side in (part.left, part.right))
        if step is None or other is None or not math.isclose(step, other, rel_tol=_ON_GRID):
            continue
        apart = float(part.right.min() - part.left.min()) / step
        if abs(apart - round(apart)) < _ON_GRID * max(1.0, abs(apart)):
            continue
        left, right = (number(float(side.min()) % step) for side in (part.left, part.right))
        here, there = named_apart(evidence.left, evidence.right)
        return found(
            Cause.NO_NOISE,
            f"The noise of {part.name} has steps of {number(step)}. The remainder has no noise: "
            f"it is {left} in all runs on {here} and {right} in all runs on {there}.",
            "Use continuous noise, or steps that divide what one record moves. Noise on integers "
            "is drawn with a larger scale, not multiplied.",
            part=part.name,
            step=step,
            left=left,
            right=right,
        )
    return None


def bounded_noise(evidence: Evidence) -> Diagnosis | None:
    """Values that one dataset gives and noise of bounded support excludes on the other."""
    parts = [
        part for part in numeric_parts(evidence) if part.values >= _FEWEST_VALUES and part.noisy
    ]
    for part in parts:
        for on_left in (True, False):
            here, there = part.sides(on_left)
            gap = impossible(here, there, evidence.claim.level, _CHANCE / (2 * len(parts)))
            if gap is None:
                continue
            low, high, kind = gap
            where = f"lies between {number(low)} and {number(high)}"
            giving, excluding = evidence.sides(on_left)
            hits = int(((here >= low) & (here <= high)).sum())
            return found(
                Cause.BOUNDED_NOISE,
                f"The noise has {kind}. {capital(part.name)} "
                f"{where if low < high else f'is {number(low)}'} in {out_of(hits, len(here))} on "
                f"{giving.name} and in {out_of(0, len(there))} on {excluding.name}.",
                "Use two-sided noise without bounds, holes or rejection. Clamp only after it was "
                "added.",
                low=low,
                high=high,
                rate=hits / len(here),
            )
    return None


def impossible(here: Floats, there: Floats, level: float, chance: float = _CHANCE) -> Gap | None:
    """Values of `here` that an edge or a hole of the noise of `there` excludes.

    Smooth noise with one peak has such an edge or hole with that chance at most, over all
    intervals that are looked at.
    """
    if not any(same_shape(here - move, there) for move in _moves(here, there)):
        return None
    return _beyond_edge(here, there, level, chance) or _in_hole(here, there, chance)


def never_beyond(here: Floats, there: Floats, level: float) -> bool:
    """True if many runs of one sample lie where the other one has none, many times too few.

    Noise that is too small looks so, and noise that ends looks so.
    """
    for one, other in ((here, there), (there, here)):
        for sign in (1.0, -1.0):
            beyond = int((sign * one < (sign * other).min()).sum())
            if beyond < len(one) and _chance_of_none(beyond, one, other, level) <= _CHANCE / 4.0:
                return True
    return False


def _moves(here: Floats, there: Floats) -> Iterator[float]:
    """Distances by which noise may have been moved.

    The median of noise with a hole lies at either end of it, and the mean of discrete noise is
    none of its values.
    """
    by_mean = float(here.mean() - there.mean())
    yield by_mean
    yield float(np.median(here) - np.median(there))
    step = step_of(there)
    if step:
        yield float(np.rint(by_mean / step)) * step


def _chance_of_none(beyond: int, here: Floats, there: Floats, level: float) -> float:
    """Chance of no run there if the odds were e^(3ε)."""
    return math.exp(-math.exp(-_TIMES * level) * beyond * len(there) / len(here))


def _beyond_edge(here: Floats, there: Floats, level: float, chance: float) -> Gap | None:
    """Values below the lower or above the upper edge, if the noise ends abruptly there."""
    for sign in (1.0, -1.0):
        mine, other = np.sort(sign * here), np.sort(sign * there)
        beyond = mine[mine < float(other[0])]
        if len(beyond) < max(5, _FEWEST_BEYOND * len(mine)) or len(beyond) == len(mine):
            continue
        of_one = max(_chance_of_edge(other), _chance_of_edge(mine))
        of_none = _chance_of_none(len(beyond), mine, other, level)
        if not (_ends_early(mine) and _ends_early(other)):
            of_none = 1.0
        chances = of_one, _chance_of_edges(mine, other), of_none
        if (_clamped(mine) and _clamped(other)) or min(chances) <= chance / 4.0:
            low, high = sorted((sign * float(beyond[0]), sign * float(beyond[-1])))
            return low, high, "an edge"
    return None


def _chance_of_edge(ordered: Floats) -> float:
    """Chance that noise with a smooth tail has so many runs next to the smallest one.

    A run within w of the smallest would lie below it with probability e^(-aw) or more, where a is
    the decay of the tail. The steepest tail of a continuous noise with one peak is taken to be the
    lower one of a maximum (Gumbel); that of discrete noise, a Gaussian one.
    """
    low, high = np.quantile(ordered, [0.25, 0.75])
    step = step_of(ordered)
    width = max(_WIDTH * float(high - low), step)
    near = ordered[ordered < ordered[0] + width]
    if step == 0.0 and len(np.unique(near)) < 0.5 * len(near):
        return 1.0  # an atom, as clamping leaves it
    log_size = math.log(len(ordered))
    decay = math.sqrt(2.0 * log_size) if step else math.pi / math.sqrt(6.0) * log_size
    return float((-math.expm1(-decay * width / float(ordered.std()))) ** len(near))


def _clamped(ordered: Floats) -> bool:
    """True if continuous noise was clamped at the smallest value: it comes again and again."""
    continuous = len(np.unique(ordered)) > 0.5 * len(ordered)
    return continuous and int((ordered == ordered[0]).sum()) >= _AGAIN[0]


def _chance_of_edges(left: Floats, right: Floats) -> float:
    """Chance that Gaussian noise of equal deviation stays between such extremes on both sides."""
    noise = np.concatenate([left - np.median(left), right - np.median(right)])
    standardized = np.abs(noise) / float(noise.std())
    if (standardized < 0.5).mean() < _IN_MIDDLE:
        return 1.0
    inside = math.erf(float(standardized.max()) / math.sqrt(2.0))
    return inside ** len(noise)


def _ends_early(ordered: Floats) -> bool:
    """True if noise of no usual family ends much nearer to its median than Gaussian noise."""
    noise = ordered - np.median(ordered)
    longest = math.sqrt(2.0 * math.log(len(noise))) * float(noise.std())
    return family_of(noise) is Family.OTHER and -float(noise[0]) < _EARLY * longest


def _in_hole(here: Floats, there: Floats, chance: float) -> Gap | None:
    """Values in the widest gap of `there`, if the noise around it is dense.

    Between two intervals of its width, noise with one peak is at least as dense as in the one
    that has fewer runs.
    """
    ordered = np.unique(there)
    gaps = np.diff(ordered)
    low, high = np.quantile(there, [0.02, 0.98])
    inner = np.where((ordered[:-1] >= low) & (ordered[1:] <= high), gaps, 0.0)
    if not inner.max(initial=0.0) > 0.0:
        return None
    start, end = ordered[inner.argmax() :][:2]
    inside = here[(here > start) & (here < end)]
    # The smaller number of runs within one width below and above the gap.
    sides = ((start - (end - start), start), (end, end + (end - start)))
    around = min(int(((there >= one) & (there <= other)).sum()) for one, other in sides)
    if len(inside) < max(5, _HOLE * len(here)) or around < 0.5 * len(inside):
        return None
    if len(gaps) * 0.5**around > chance:
        return None
    return float(inside.min()), float(inside.max()), "a hole"


_NARROW = 1e-3
"""Width of a spike, in units of the spread of the other outputs."""
_SPIKE = 0.02
"""Least share of the runs in a spike."""
_FEWEST = 32
"""Fewest different values of noise."""
_AGAIN = (8, 0.01)
"""Values that come again: so many at least, and the least share of runs that repeat one."""
_SHARED = 0.01
"""Share of the runs at most with a value that the other dataset gives as well."""


def few_noise_values(evidence: Evidence) -> Diagnosis | None:
    """Fractions that come again on one dataset and not on the other, of a generator with few seeds.

    The number of values is that of equally likely ones with as many different ones in as many runs.
    """
    for part in numeric_parts(evidence):
        if not _recurs(part.left, part.right) or not _recurs(part.right, part.left):
            continue
        runs, different = len(part.left), len(np.unique(part.left))
        values = _values(runs, different)
        return found(
            Cause.FEW_VALUES,
            f"The noise of {part.name} has few values, about {about(values)}. {runs:,} runs on "
            f"{evidence.left.name} gave {different:,} different numbers, which the "
            "neighbor does not give.",
            "Draw the noise from a generator that the operating system seeds, with 128 bits or "
            "more, and seed it once.",
            values=values,
            different=different,
            runs=runs,
        )
    return None


def _recurs(here: Floats, there: Floats) -> bool:
    """True if many fractions come again, and hardly any on the other side."""
    values, times = np.unique(here, return_counts=True)
    return (
        bool(np.mean(values != np.round(values)) > 0.5)
        # At an edge where noise is clamped one value comes again.
        and int((times > 1).sum()) >= _AGAIN[0]
        and len(here) - len(values) >= _AGAIN[1] * len(here)
        and len(values) >= _FEWEST
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
            if (held := _spike(part, on_left)) is not None:
                centre, rate = held
                side, _ = evidence.sides(on_left)
                return found(
                    Cause.NO_NOISE,
                    f"{capital(part.name)} has nearly no noise in some runs. It is "
                    f"{number(centre)} in {share(rate)} of {side.size:,} runs on "
                    f"{side.name} and in none on the neighbor.",
                    NO_NOISE.format(part=part.name),
                    value=centre,
                    rate=rate,
                )
    return None


def _spike(part: Part, on_left: bool) -> tuple[float, float] | None:
    """Centre and share of the narrowest dense interval that the other side does not meet."""
    here, there = part.sides(on_left)
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
    inside = (ordered >= first) & (ordered <= last)
    rest = ordered[(ordered < first - width) | (ordered > last + width)]
    ends = np.searchsorted(rest, rest + max(float(last - first), 1e-12), side="right")
    densest = int((ends - np.arange(len(rest))).max(initial=1))
    return float(special.pdtrc(int(inside.sum()) - 1, densest))
