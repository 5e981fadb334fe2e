"""Rules on noise whose scale is read from the data, or whose edge moves with the data."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from audit.diagnosis.cause import Cause, found, named, number, share
from audit.diagnosis.evidence import Evidence, Sample
from audit.diagnosis.noise import centred, differs, same_shape, scale_ratio, spread_of
from audit.diagnosis.parts import Part, numeric_parts, same_part
from audit.neighbors.rows import has_records, inserted, records_of
from audit.outcomes.column import Floats
from audit.verdict.findings import Diagnosis

_RUNS = 200
"""Runs on each further dataset."""
_FURTHER = 6
"""Further datasets at most."""
_FEWEST_VALUES = 20
"""A part with fewer different values has no scale of noise."""
_NEAR = 0.25
"""A statistic is followed if no scale is farther from it than this, on a log scale."""
_ALONE = 0.2
"""Misfit of a statistic that is compared with a single scale above 0."""


@dataclass(frozen=True, slots=True)
class Scaled:
    """The scale of a part's noise on one dataset.

    Attributes:
        dataset: as the mechanism gets it.
        scale: mean absolute deviation from the median; 0 for a constant.
    """

    dataset: Any
    scale: float


def data_dependent_scale(evidence: Evidence) -> Diagnosis | None:
    """Noise of one family whose scale differs between datasets beyond chance."""
    if evidence.session:
        return None
    failed = _beside_failure(evidence)
    if failed is not None:
        return failed
    for part in numeric_parts(evidence):
        if _scale_differs(part):
            scales = [
                Scaled(evidence.left.dataset, spread_of(part.left)),
                Scaled(evidence.right.dataset, spread_of(part.right)),
            ]
            return _diagnosis(part.name, [*scales, *_further(evidence, part.name)])
        if None not in part.constants and part.constants[0] != part.constants[1]:
            scales = [*_further(evidence, part.name)]
            if any(one.scale > 0.0 for one in scales):
                return _diagnosis(part.name, [Scaled(evidence.left.dataset, 0.0), *scales])
    return None


def _scale_differs(part: Part) -> bool:
    if part.values < _FEWEST_VALUES:
        return False
    on_left, on_right = (value is None for value in part.constants)
    if not (on_left and on_right):
        return on_left or on_right
    left, right = centred(part.left), centred(part.right)
    alike = same_shape(left / np.abs(left).mean(), right / np.abs(right).mean())
    return alike and differs(scale_ratio(part)) and not _multiplied(part)


def _multiplied(part: Part) -> bool:
    """True if the logarithms have one scale: the exponential of a noisy number, for example."""
    if part.left.min() <= 0.0 or part.right.min() <= 0.0:
        return False
    logs = Part(part.name, np.log(part.left), np.log(part.right))
    return not differs(scale_ratio(logs))


def _beside_failure(evidence: Evidence) -> Diagnosis | None:
    """If one dataset fails and the other gives one value: noise on larger datasets."""
    sides = evidence.left, evidence.right
    failing = [side.failure is not None for side in sides]
    if failing.count(True) != 1:
        return None
    side = sides[failing.index(False)]
    alone = Evidence(
        claim=evidence.claim, left=side, right=side, draw=evidence.draw, records=evidence.records
    )
    for part in numeric_parts(alone):
        if part.constants[0] is not None:
            scales = [*_further(alone, part.name)]
            if any(one.scale > 0.0 for one in scales):
                return _diagnosis(part.name, [Scaled(side.dataset, 0.0), *scales])
    return None


def _further(evidence: Evidence, name: str) -> Iterator[Scaled]:
    """The scale of a part on datasets with one or two records more."""
    for dataset in _larger(evidence):
        sample: Sample | None = None
        with suppress(Exception):
            sample = evidence.sample(dataset, _RUNS)
        numbers = None if sample is None or sample.failure else same_part(sample, name)
        if numbers is not None:
            yield Scaled(dataset, spread_of(numbers))


def _larger(evidence: Evidence) -> list[Any]:
    if evidence.draw is None:
        return []
    datasets = [evidence.left.dataset, evidence.right.dataset]
    if not all(map(has_records, datasets)):
        return []
    base = max(datasets, key=len)
    records = [*evidence.records] or _spread(records_of(base))
    one_more = [inserted(base, len(base), [record]) for record in records]
    two_more = [inserted(base, len(base), [record, record]) for record in records[:2]]
    return [*one_more, *two_more][:_FURTHER]


def _spread(records: Sequence[Any]) -> list[Any]:
    """Records to add if no domain is known: those there, and multiples of numbers."""
    found: list[Any] = []
    for record in records[:2]:
        found.append(record)
        if isinstance(record, (int, float)) and not isinstance(record, bool):
            found.append(2 * record + 1)
    return found


Statistic = Callable[[np.ndarray[Any, Any]], float]
STATISTICS: Mapping[str, Statistic] = {
    "the range of the records": lambda values: float(np.ptp(values)) if len(values) else 0.0,
    "1 over the number of records": lambda values: 1.0 / max(1, len(values)),
    "the number of records": lambda values: float(len(values)),
    "the root of the number of records": lambda values: math.sqrt(len(values)),
    "the standard deviation of the records": (
        lambda values: float(values.std()) if len(values) else 0.0
    ),
    "the largest record": lambda values: float(np.abs(values).max(initial=0.0)),
}
"""Statistics of numeric records that scales are compared with, the likelier ones first."""


def followed(scales: Sequence[Scaled]) -> str | None:
    """The statistic that the scales are proportional to; None if there is none.

    A scale of 0 must go with a statistic of 0.
    """
    with suppress(Exception):
        columns = [np.asarray(one.dataset, dtype=np.float64).reshape(-1) for one in scales]
        misfits = {
            name: _misfit([one.scale for one in scales], [*map(statistic, columns)])
            for name, statistic in STATISTICS.items()
        }
        best = min(misfits, key=lambda name: misfits[name])
        return best if misfits[best] <= _NEAR else None
    return None


def _misfit(scales: Sequence[float], values: Sequence[float]) -> float:
    """Largest distance of a scale from a multiple of the statistic, on a log scale."""
    pairs = [*zip(scales, values, strict=True)]
    if any((scale > 0.0) != (value > 0.0) for scale, value in pairs):
        return math.inf
    logs = [math.log(scale / value) for scale, value in pairs if scale > 0.0]
    return (max(logs) - min(logs)) / 2.0 if len(logs) > 1 else _ALONE


def _diagnosis(part: str, scales: Sequence[Scaled]) -> Diagnosis:
    low = min(scales, key=lambda one: one.scale)
    high = max(scales, key=lambda one: one.scale)
    statistic = followed(scales) or followed([low, high]) or "the data"
    where = "" if part == "the output" else f" of {part}"
    return found(
        Cause.SCALE,
        f"The noise scale{where} follows {statistic} ({number(low.scale)} on "
        f"{named(low.dataset)}, {number(high.scale)} on {named(high.dataset)}): sensitivity is "
        "read from the data.",
        "Fix the bounds and the noise scale before seeing the data, or use smooth sensitivity or "
        "propose-test-release.",
        scale_low=low.scale,
        scale_high=high.scale,
        statistic=statistic,
    )


_FEWEST_FOR_EDGES = 6
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
        if part.values < _FEWEST_FOR_EDGES or part.constants != (None, None):
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
