"""Rule on contributions without a bound, and the farthest that one record moves an output."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np

from audit.diagnosis.cause import Cause, found, named, number
from audit.diagnosis.evidence import Evidence, Sample
from audit.diagnosis.noise import Moved, factor_needed, moved
from audit.diagnosis.parts import numeric_parts, same_part
from audit.neighbors.rows import has_records, inserted, keys_of, record_at, records_of, replaced
from audit.relation import Relation
from audit.verdict.findings import Diagnosis

_RUNS = 400
_FEWEST_VALUES = 20
"""A part with fewer different values is a choice, which values outside its domain may change."""
_TIMES = 10
"""By how much the value of a record grows."""
_GROWTH = 0.5
"""Least growth of the shift, in units of the growth of the value."""
_ORDER = 10.0
"""A smaller factor is noise too small; a larger one, values that nobody bounded."""


def unbounded_contribution(evidence: Evidence) -> Diagnosis | None:
    """A shift that grows with the value of a record or with the rows of a user."""
    if evidence.session or evidence.relation is Relation.DECLARED:
        return None
    pair = _larger_side(evidence)
    if pair is None:
        return None
    if evidence.relation is Relation.USER:
        return _rows_of_user(evidence, *pair)
    return _value_of_record(evidence, *pair)


def _value_of_record(evidence: Evidence, larger: Any, smaller: Any) -> Diagnosis | None:
    at = _first_difference(larger, smaller)
    grown = _scaled(larger, at)
    if grown is None:
        return None
    for part in numeric_parts(evidence):
        if part.values < _FEWEST_VALUES:
            continue
        before = _distance(evidence, larger, smaller, part.name)
        after = _distance(evidence, grown, smaller, part.name)
        if before is None or after is None or before[0] <= 5.0 * before[1]:
            continue
        if after[0] < _GROWTH * _TIMES * before[0] or not _far_off(evidence, part.name):
            continue
        return found(
            Cause.CONTRIBUTION,
            f"The loss grows with the value of a record: {part.name} moves by "
            f"{number(before[0])} for {named(record_at(larger, at))} and by {number(after[0])} "
            f"for {named(record_at(grown, at))}.",
            "Clip the value of a record to a bound C before it is used, with noise for C.",
            shift=before[0],
            shift_grown=after[0],
            times=_TIMES,
        )
    return None


def _far_off(evidence: Evidence, name: str) -> bool:
    """True if noise of a known family would have to grow tenfold for the farthest record."""
    for part in numeric_parts(evidence):
        one = moved(part) if part.name == name else None
        if one is not None:
            shift, _, _ = most_moved(evidence, one)
            farthest = Moved(one.part, one.family, one.scale, shift, one.error)
            return factor_needed([farthest], evidence.claim) >= _ORDER
    return True


def _rows_of_user(evidence: Evidence, larger: Any, smaller: Any) -> Diagnosis | None:
    added = len(larger) - len(smaller)
    if added < 1:
        return None
    rows = [record_at(larger, at) for at in range(len(larger) - added, len(larger))]
    doubled = inserted(larger, len(larger), rows)
    for part in numeric_parts(evidence):
        before = _distance(evidence, larger, smaller, part.name)
        after = _distance(evidence, doubled, smaller, part.name)
        if before is None or after is None or before[0] <= 5.0 * before[1]:
            continue
        if after[0] >= 1.5 * before[0]:
            return found(
                Cause.CONTRIBUTION,
                f"The loss grows with the rows of a user: {part.name} moves by "
                f"{number(before[0])} for {added} rows and by {number(after[0])} for {2 * added}.",
                "Keep at most a fixed number of rows of each user, and multiply the noise by it.",
                rows=added,
                shift=before[0],
                shift_doubled=after[0],
            )
    return None


def most_moved(evidence: Evidence, part: Moved) -> tuple[float, Any, Any]:
    """The largest shift of a part over this pair, the worst one, and records of the domain.

    Returns:
        The shift, and the datasets on which it was seen.
    """
    best = part.shift, evidence.left.dataset, evidence.right.dataset
    with suppress(Exception):
        for dataset, neighbor in _further_pairs(evidence):
            seen = _distance(evidence, dataset, neighbor, part.part)
            if seen is not None and seen[0] > best[0] + 2.5 * seen[1]:
                best = seen[0], dataset, neighbor
    return best


def _further_pairs(evidence: Evidence) -> Iterator[tuple[Any, Any]]:
    if evidence.worst is not None:
        yield evidence.worst
    pair = _larger_side(evidence)
    if pair is None or evidence.relation not in (Relation.ADD_REMOVE, Relation.SUBSTITUTE):
        return
    larger, smaller = pair
    at = _first_difference(larger, smaller)
    for record in evidence.records[:3]:
        if len(larger) > len(smaller):
            yield replaced(larger, at, record), smaller
        elif evidence.relation is Relation.SUBSTITUTE:
            yield replaced(larger, at, record), replaced(smaller, at, evidence.records[0])


def _distance(
    evidence: Evidence, dataset: Any, neighbor: Any, name: str
) -> tuple[float, float] | None:
    """Distance of a part's means on two datasets, and its standard error."""
    found_on = []
    for data in (dataset, neighbor):
        sample = _known(evidence, data)
        with suppress(Exception):
            sample = sample or evidence.sample(data, _RUNS)
        numbers = None if sample is None else same_part(sample, name)
        if numbers is None:
            return None
        found_on.append(numbers)
    left, right = found_on
    error = np.hypot(left.std() / np.sqrt(len(left)), right.std() / np.sqrt(len(right)))
    return abs(float(left.mean() - right.mean())), float(error)


def _known(evidence: Evidence, dataset: Any) -> Sample | None:
    """The sample of a dataset of the pair."""
    sides = evidence.left, evidence.right
    return next((side for side in sides if side.dataset is dataset), None)


def _larger_side(evidence: Evidence) -> tuple[Any, Any] | None:
    """Both datasets, the one with more records first; None if they have no records."""
    datasets = evidence.left.dataset, evidence.right.dataset
    if evidence.draw is None or not all(map(has_records, datasets)):
        return None
    larger, smaller = sorted(datasets, key=len, reverse=True)
    return (larger, smaller) if len(larger) else None


def _first_difference(larger: Any, smaller: Any) -> int:
    """Position of the first record in which two datasets differ."""
    pairs = zip(keys_of(larger), keys_of(smaller), strict=False)
    same = next((at for at, (one, other) in enumerate(pairs) if one != other), len(smaller))
    return min(same, len(larger) - 1)


def _scaled(dataset: Any, at: int) -> Any | None:
    """The dataset with the largest number of one record ten times as large."""
    record = records_of(dataset)[at]
    with suppress(Exception):
        if isinstance(record, dict):
            numbers = {k: v for k, v in record.items() if isinstance(v, (int, float))}
            name = max(numbers, key=lambda key: abs(numbers[key]))
            return replaced(dataset, at, {**record, name: _TIMES * record[name]})
        values = np.array(record)
        if values.dtype.kind in "iuf" and values.size:
            flat = values.reshape(-1)
            flat[np.abs(flat).argmax()] *= _TIMES
            grown = flat[0].item() if np.ndim(record) == 0 else values.tolist()
            return replaced(dataset, at, grown)
    return None
