"""Rule on noise whose scale is read from the data, or that a branch leaves out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from audit.diagnosis.evidence import Evidence, capital, found, named, number
from audit.diagnosis.noise import centred, differs, same_shape, scale_ratio, spread_of
from audit.diagnosis.parts import Part, numeric_parts, same_part
from audit.neighbors.rows import has_records, inserted, records_of
from audit.verdict.findings import Cause, Diagnosis

_RUNS = 200
"""Runs on each further dataset."""
_SEVERAL = 4
"""Different records that are added together: noise that follows the data shows with them."""
_FURTHER = 6
"""Further datasets at most."""
_FEWEST_VALUES = 20
"""A part with fewer different values has no scale of noise."""
_NEAR = 0.25
"""A statistic is followed if no scale is farther from it than this, on a log scale."""
_ALONE = 0.2
"""Misfit of a statistic that is compared with a single scale above 0."""
_CLEARLY = 0.1
"""By so much, on a log scale, a branch must fit scales better than any statistic does."""


@dataclass(frozen=True, slots=True)
class Scaled:
    """The scale of a part's noise on one dataset.

    Attributes:
        dataset: as the mechanism gets it.
        scale: mean absolute deviation from the median; 0 for a constant.
        runs: behind it.
    """

    dataset: Any
    scale: float
    runs: int


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
                Scaled(side.dataset, spread_of(numbers), len(numbers))
                for side, numbers in ((evidence.left, part.left), (evidence.right, part.right))
            ]
            return _diagnosis(part.name, [*scales, *_further(evidence, part.name)])
        differ = None not in part.constants and part.constants[0] != part.constants[1]
        if differ and (elsewhere := _elsewhere(evidence, part.name)):
            return elsewhere
    return None


def _elsewhere(evidence: Evidence, name: str) -> Diagnosis | None:
    """The diagnosis of a part without noise on D that has noise on further datasets."""
    scales = [*_further(evidence, name)]
    if not any(one.scale > 0.0 for one in scales):
        return None
    return _diagnosis(name, [Scaled(evidence.left.dataset, 0.0, evidence.left.size), *scales])


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
    alone = replace(evidence, left=side, right=side)
    for part in numeric_parts(alone):
        if part.constants[0] is not None and (elsewhere := _elsewhere(alone, part.name)):
            return elsewhere
    return None


def _further(evidence: Evidence, name: str) -> Iterator[Scaled]:
    """The scale of a part on datasets with one or two records more."""
    for dataset in _larger(evidence):
        sample = evidence.sample(dataset, _RUNS)
        numbers = None if sample is None or sample.failure else same_part(sample, name)
        if numbers is not None:
            yield Scaled(dataset, spread_of(numbers), len(numbers))


def _larger(evidence: Evidence) -> list[Any]:
    datasets = [evidence.left.dataset, evidence.right.dataset]
    if not all(map(has_records, datasets)):
        return []
    base = max(datasets, key=len)
    records = [*evidence.records] or _spread(records_of(base))
    several = records[:_SEVERAL]
    tried = ([record] for record in records)
    twice = ([record, record] for record in records[:2])
    found = []
    for more in (several, *tried, *twice):
        # A domain may have records of another form than these.
        with suppress(Exception):
            found.append(inserted(base, len(base), more))
    return found[:_FURTHER]


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
    best, misfit = _best(scales)
    return best if misfit <= _NEAR else None


def _best(scales: Sequence[Scaled]) -> tuple[str | None, float]:
    """The statistic that fits the scales best, and its misfit."""
    with suppress(Exception):
        columns = [np.asarray(one.dataset, dtype=np.float64).reshape(-1) for one in scales]
        misfits = {
            name: _misfit([one.scale for one in scales], [*map(statistic, columns)])
            for name, statistic in STATISTICS.items()
        }
        best = min(misfits, key=lambda name: misfits[name])
        return best, misfits[best]
    return None, math.inf


def _misfit(scales: Sequence[float], values: Sequence[float]) -> float:
    """Largest distance of a scale from a multiple of the statistic, on a log scale."""
    pairs = [*zip(scales, values, strict=True)]
    if any((scale > 0.0) != (value > 0.0) for scale, value in pairs):
        return math.inf
    logs = [math.log(scale / value) for scale, value in pairs if scale > 0.0]
    return (max(logs) - min(logs)) / 2.0 if len(logs) > 1 else _ALONE


def _on_and_off(scales: Sequence[Scaled]) -> bool:
    """True if some datasets have no noise, and all others have noise of one scale."""
    noisy = [one for one in scales if one.scale > 0.0]
    if not 0 < len(noisy) < len(scales):
        return False
    misfit = _misfit([one.scale for one in noisy], [1.0] * len(noisy))
    # The scale of Laplace noise is known to a part of 1 over the root of the runs.
    near = max(_NEAR, 2.0 / math.sqrt(min(one.runs for one in noisy)))
    return misfit <= near and misfit + _CLEARLY < _best(scales)[1]


def _branch(part: str, without: Scaled, noisy: Scaled) -> Diagnosis:
    return found(
        Cause.NO_NOISE,
        f"A branch has no noise. {capital(part)} is always the same on {named(without.dataset)}, "
        f"and has noise (mean deviation {number(noisy.scale)}) on {named(noisy.dataset)}.",
        "Add the same noise on every branch of the code. The branch that runs on "
        f"{named(without.dataset)} adds none.",
        scale=noisy.scale,
        part=part,
    )


_FIXED = "Fix the bounds and the noise scale before seeing the data."
_OF_A_MEAN = (
    "For a mean, release a noisy sum and a noisy count, half of ε each. Divide them "
    "afterwards. A scale that falls with the number of records reveals this number."
)


def _falls(low: Scaled, high: Scaled) -> bool:
    """True if the larger dataset has the smaller scale, as a mean of bounded records has."""
    sized = has_records(low.dataset) and has_records(high.dataset)
    return sized and low.scale > 0.0 and len(low.dataset) > len(high.dataset)


def _diagnosis(part: str, scales: Sequence[Scaled]) -> Diagnosis:
    # The largest of many estimates would be too large, so a pair is named first.
    low, high = sorted(scales[:2], key=lambda one: one.scale)
    if not high.scale > 0.0:
        high = max(scales, key=lambda one: one.scale)
    if _on_and_off(scales):
        return _branch(part, low, high)
    statistic = followed(scales) or followed([low, high]) or "the data"
    where = "" if part == "the output" else f" of {part}"
    return found(
        Cause.SCALE,
        f"Sensitivity is read from the data. The noise scale{where} follows {statistic} (mean "
        f"deviation {number(low.scale)} on {named(low.dataset)}, {number(high.scale)} on "
        f"{named(high.dataset)}).",
        f"{_OF_A_MEAN if _falls(low, high) else _FIXED} Smooth sensitivity and "
        "propose-test-release let the scale follow the data, for a δ.",
        scale_low=low.scale,
        scale_high=high.scale,
        statistic=statistic,
    )
