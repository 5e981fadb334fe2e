"""Rule on contributions without a bound."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from audit.diagnosis.cause import Cause, capital, found, named
from audit.diagnosis.evidence import Evidence
from audit.diagnosis.noise import Family, factor_needed, moved
from audit.diagnosis.parts import numeric_parts
from audit.diagnosis.shifts import (
    Shift,
    farthest,
    first_difference,
    larger_side,
    noised_alike,
    shift_of,
)
from audit.neighbors.rows import inserted, record_at, records_of, replaced
from audit.relation import Relation
from audit.verdict.findings import Diagnosis

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
    pair = larger_side(evidence)
    if pair is None:
        return None
    if evidence.relation is Relation.USER:
        return _rows_of_user(evidence, *pair)
    return _value_of_record(evidence, *pair)


def _value_of_record(evidence: Evidence, larger: Any, smaller: Any) -> Diagnosis | None:
    at = first_difference(larger, smaller)
    grown = _scaled(larger, at)
    if grown is None:
        return None
    for part in numeric_parts(evidence):
        if part.values < _FEWEST_VALUES:
            continue
        before = _shift(evidence, larger, smaller, part.name)
        after = _shift(evidence, grown, smaller, part.name)
        if before is None or after is None or before.size <= 5.0 * before.error:
            continue
        if after.size < _GROWTH * _TIMES * before.size or not _far_off(evidence, part.name):
            continue
        return found(
            Cause.CONTRIBUTION,
            f"The loss grows with the value of a record. {capital(part.name)} moves by "
            f"{before.words} for {named(record_at(larger, at))} and by {after.words} "
            f"for {named(record_at(grown, at))}.",
            "Clip each value to a bound C before it is used, with noise for C.",
            shift=before.size,
            shift_grown=after.size,
            times=_TIMES,
        )
    return None


def _far_off(evidence: Evidence, name: str) -> bool:
    """True if noise of a known family would have to grow tenfold for the farthest record."""
    for part in numeric_parts(evidence):
        one = moved(part) if part.name == name else None
        if one is None:
            continue
        names = [like.name for like in noised_alike(evidence, one)]
        shift = farthest(evidence, names, one.family)
        if shift is not None:
            # A family that no scale makes enough of says nothing about the distance.
            kinds = (one.family, Family.OTHER)
            far = [replace(one, shift=shift.size, family=kind) for kind in kinds]
            factors = [factor_needed([each], evidence.claim) for each in far]
            return next(filter(math.isfinite, factors), math.inf) >= _ORDER
    return True


def _shift(evidence: Evidence, dataset: Any, neighbor: Any, name: str) -> Shift | None:
    return shift_of(evidence, [name], Family.OTHER, dataset, neighbor)


def _rows_of_user(evidence: Evidence, larger: Any, smaller: Any) -> Diagnosis | None:
    added = len(larger) - len(smaller)
    if added < 1:
        return None
    rows = [record_at(larger, at) for at in range(len(larger) - added, len(larger))]
    doubled = inserted(larger, len(larger), rows)
    for part in numeric_parts(evidence):
        before = _shift(evidence, larger, smaller, part.name)
        after = _shift(evidence, doubled, smaller, part.name)
        if before is None or after is None or before.size <= 5.0 * before.error:
            continue
        if after.size >= 1.5 * before.size:
            return found(
                Cause.CONTRIBUTION,
                f"The loss grows with the rows of a user. {capital(part.name)} moves by "
                f"{before.words} for {added} rows and by {after.words} for {2 * added}.",
                "Bound the rows of each user, and multiply the noise by that bound.",
                rows=added,
                shift=before.size,
                shift_doubled=after.size,
            )
    return None


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
