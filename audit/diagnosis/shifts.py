"""By how much neighbors move noisy parts: exact with common random numbers, else estimated."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any

import numpy as np

from audit.diagnosis.evidence import Evidence, Sample, about, named, number
from audit.diagnosis.noise import Family, Moved, centred, differs, moved, same_shape, scale_ratio
from audit.diagnosis.parts import Part, numeric_parts, same_part
from audit.neighbors.rows import common_start, has_records, keys_of, replaced
from audit.outcomes.column import Floats
from audit.relation import Relation

_RUNS = 400
"""Runs on each further dataset."""
_COUPLED = 8
"""Runs with common random numbers on each dataset."""
_EXACT = 1e-6
"""Relative spread of the differences of runs with common random numbers that is rounding."""
_FOLLOWS = 0.7
"""Correlation of runs with common random numbers that chance does not explain."""
_MOVES = 2.5
"""Standard errors from which on a part counts in a sum of absolute shifts."""
_UNRELATED = 5.0
"""Standard errors of a correlation that chance explains."""
_MOST_PARTS = 64


@dataclass(frozen=True, slots=True)
class Shift:
    """The distance by which two datasets move parts, all of them together.

    Attributes:
        size: its L1 norm, or its L2 norm if the noise is Gaussian.
        error: standard error; 0 if it is exact.
        runs: runs on each dataset that it is estimated from; 0 if it is exact.
        dataset: D.
        neighbor: D′.
    """

    size: float
    error: float
    runs: int
    dataset: Any
    neighbor: Any

    @property
    def words(self) -> str:
        """Its size, with "about" if it is estimated."""
        return f"about {about(self.size)}" if self.runs else number(self.size)

    @property
    def source(self) -> str:
        """The datasets, and the runs if it is estimated."""
        pair = f"{named(self.dataset)} and {named(self.neighbor)}"
        return f"{pair}, estimated from {self.runs:,} runs each" if self.runs else pair


def noised_alike(evidence: Evidence, noise: Moved) -> list[Moved]:
    """The part and those with independent noise of its shape and scale, moved or not."""
    parts = [one for one in numeric_parts(evidence, texts=True) if one.noisy]
    names = [one.name for one in parts]
    alike = [noise]
    for one in parts[:_MOST_PARTS]:
        related = (_related(one, other.part) for other in alike)
        if one.name != noise.part.name and (like := _alike(noise.part, one)) and not any(related):
            alike.append(like)
    return sorted(alike, key=lambda like: names.index(like.part.name))


def _alike(one: Part, other: Part) -> Moved | None:
    """The noise of another part if it has the shape and scale of this one's; else None."""
    noise = [np.concatenate([centred(p.left), centred(p.right)]) for p in (one, other)]
    alike = same_shape(*noise) and not differs(scale_ratio(Part("", *noise)))
    return moved(other) if alike else None


def _related(one: Part, other: Part) -> bool:
    sides = ((one.left, other.left), (one.right, other.right))
    return any(
        len(a) != len(b) or abs(float(np.corrcoef(a, b)[0, 1])) * math.sqrt(len(a)) > _UNRELATED
        for a, b in sides
    )


def farthest(evidence: Evidence, parts: Sequence[str], family: Family) -> Shift | None:
    """The largest shift of parts over this pair, the worst one, and records of the domain."""
    best = shift_of(evidence, parts, family, evidence.left.dataset, evidence.right.dataset)
    with suppress(Exception):
        worst = filter(None, [evidence.worst])
        for dataset, neighbor in chain(_with_other_records(evidence), worst):
            seen = shift_of(evidence, parts, family, dataset, neighbor)
            if seen is None:
                continue
            if best is None or seen.size > best.size + 2.5 * math.hypot(seen.error, best.error):
                best = seen
    return best


def _with_other_records(evidence: Evidence) -> Iterator[tuple[Any, Any]]:
    """The pair of the counterexample with other records."""
    pair = larger_side(evidence)
    if pair is None or not evidence.of_records:
        return
    larger, smaller = pair
    at = first_difference(larger, smaller)
    for record in evidence.records[:3]:
        if len(larger) > len(smaller):
            yield replaced(larger, at, record), smaller
    if evidence.relation is Relation.SUBSTITUTE:
        for one, other in pairwise((*evidence.records[:3], *evidence.records[:1])):
            yield replaced(larger, at, other), replaced(smaller, at, one)


def shift_of(
    evidence: Evidence, parts: Sequence[str], family: Family, dataset: Any, neighbor: Any
) -> Shift | None:
    """The shift of parts between two datasets; None if one of them is no number there."""
    exact = exact_shift(evidence, parts, family, dataset, neighbor)
    if exact is not None:
        return exact
    left, right = _sampled(evidence, dataset), _sampled(evidence, neighbor)
    if left is None or right is None:
        return None
    moves = [one for part in parts if (one := _move(left, right, part, family)) is not None]
    if len(moves) < len(parts):
        return None
    distances, errors = np.array(moves).T
    size, error = _norm(distances, errors, family)
    return Shift(size, error, min(left.size, right.size), dataset, neighbor)


def exact_shift(
    evidence: Evidence, parts: Sequence[str], family: Family, dataset: Any, neighbor: Any
) -> Shift | None:
    """The same if runs with common random numbers agree on it, else None."""
    agreed = [_agreed(*both) for both in _in_step(evidence, parts, dataset, neighbor)]
    moves = [move for move in agreed if move is not None]
    if not moves or len(moves) < len(agreed):
        return None
    size = math.hypot(*moves) if family is Family.GAUSSIAN else math.fsum(map(abs, moves))
    return Shift(size, 0.0, 0, dataset, neighbor)


def _move(left: Sample, right: Sample, part: str, family: Family) -> tuple[float, float] | None:
    """The distance of a part's centres, and its standard error; None if it is no number."""
    sides = same_part(left, part), same_part(right, part)
    if sides[0] is None or sides[1] is None:
        return None
    (here, error), (there, other_error) = _centre(sides[0], family), _centre(sides[1], family)
    return here - there, math.hypot(error, other_error)


def _in_step(
    evidence: Evidence, parts: Sequence[str], dataset: Any, neighbor: Any
) -> list[tuple[Floats, Floats]]:
    """Numbers of each part in runs with common random numbers of which none failed.

    Empty if there are fewer than two, or if a part is no number in some of them.
    """
    if evidence.coupled is None:
        return []
    with suppress(Exception):
        runs = zip(*evidence.coupled(dataset, neighbor, _COUPLED), strict=True)
        both = zip(*(run for run in runs if not _failed(run)), strict=True)
        samples = [*map(Sample.of, (dataset, neighbor), both)]
        found = []
        for part in parts:
            left, right = (same_part(sample, part) for sample in samples)
            if left is None or right is None or len(left) != len(right) or len(left) < 2:
                return []
            found.append((left, right))
        return found
    return []


def _agreed(left: Floats, right: Floats) -> float | None:
    """The difference that all runs of a part have in common; None if there is none."""
    difference = left - right
    rounding = 1e-12 * max(float(np.abs(left).max()), float(np.abs(right).max()))
    middle = float(np.median(difference))
    # Without noise of its own in each run, equal differences show nothing.
    if np.ptp(difference) > _EXACT * abs(middle) + rounding or np.ptp(left) <= rounding:
        return None
    return middle


def bends(evidence: Evidence, parts: Sequence[str], dataset: Any, neighbor: Any) -> bool:
    """True if runs with common random numbers go together and do not differ by a constant.

    Noise is then not added to a value, but divided, multiplied or otherwise mixed with others.
    """
    found = _in_step(evidence, parts, dataset, neighbor)
    varied = [both for both in found if all(np.ptp(side) > 0.0 for side in both)]
    return any(_agreed(*both) is None and np.corrcoef(*both)[0, 1] > _FOLLOWS for both in varied)


def _failed(outputs: tuple[Any, Any]) -> bool:
    return any(isinstance(output, Exception) for output in outputs)


def _centre(numbers: Floats, family: Family) -> tuple[float, float]:
    """The centre of noise, and its standard error."""
    root = math.sqrt(len(numbers))
    if family is Family.LAPLACE:
        return float(np.median(numbers)), float(np.abs(centred(numbers)).mean()) / root
    return float(numbers.mean()), float(numbers.std()) / root


def _norm(moves: Floats, errors: Floats, family: Family) -> tuple[float, float]:
    """The norm of estimated moves without the part that is due to their errors."""
    if len(moves) == 1:
        return abs(float(moves[0])), float(errors[0])
    if family is Family.GAUSSIAN:
        square = float((moves**2 - errors**2).sum())
        spread = float((4.0 * (moves * errors) ** 2 + 2.0 * errors**4).sum())
        size = math.sqrt(max(square, 0.0))
        return size, math.sqrt(spread) / (2.0 * size) if size else float(errors.max())
    held = np.abs(moves) > _MOVES * errors
    return float(np.abs(moves[held]).sum()), math.hypot(*errors[held].tolist())


def _sampled(evidence: Evidence, dataset: Any) -> Sample | None:
    """The sample of a dataset of the pair, or fresh runs on another one."""
    sides = evidence.left, evidence.right
    known = next((side for side in sides if side.dataset is dataset), None)
    return known or evidence.sample(dataset, _RUNS)


def larger_side(evidence: Evidence) -> tuple[Any, Any] | None:
    """Both datasets, the one with more records first; None if they have no records."""
    datasets = evidence.left.dataset, evidence.right.dataset
    if not all(map(has_records, datasets)):
        return None
    larger, smaller = sorted(datasets, key=len, reverse=True)
    return (larger, smaller) if len(larger) else None


def first_difference(larger: Any, smaller: Any) -> int:
    """Position of the first record in which two datasets differ."""
    return common_start(keys_of(larger), keys_of(smaller))
