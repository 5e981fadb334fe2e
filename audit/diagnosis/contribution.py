"""Rule on contributions without a bound."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from audit.diagnosis.evidence import Evidence, about, capital, found, named, number
from audit.diagnosis.noise import Family, factor_needed, moved
from audit.diagnosis.parts import Part, numeric_parts
from audit.diagnosis.shifts import (
    Shift,
    bends,
    exact_shift,
    farthest,
    first_difference,
    larger_side,
    noised_alike,
    shift_of,
)
from audit.neighbors.rows import inserted, record_at, records_of, replaced
from audit.relation import Relation
from audit.verdict.findings import Cause, Diagnosis

_FEWEST_VALUES = 20
"""A part with fewer different values is a choice, which values outside its domain may change."""
_TIMES = 10
"""By how much the value of a record grows."""
_GROWTH = 0.5
"""Least growth of the shift, in units of the growth of the value."""
_MORE_RECORDS = 3
"""By how much the number of the other records grows."""
_ORDER = 10.0
"""A smaller factor is noise too small; a larger one, values that nobody bounded."""
_PROPORTIONAL = 0.2
"""By how much the growth of a shift may differ from that of the value, as a share."""
_ERRORS = 2.5
"""Standard errors of the growth that chance explains."""
MORE = 1.05
"""A smaller factor asks for no more noise."""


def unbounded_contribution(evidence: Evidence) -> Diagnosis | None:
    """A shift that grows with a record's value, a user's rows, or the number of records."""
    if evidence.session or evidence.relation is Relation.DECLARED:
        return None
    pair = larger_side(evidence)
    if pair is None:
        return None
    if evidence.relation is Relation.USER:
        return _rows_of_user(evidence, *pair)
    if (of_value := _value_of_record(evidence, *pair)) is not None:
        return of_value
    with suppress(Exception):
        return _number_of_records(evidence, *pair)
    return None


def _number_of_records(evidence: Evidence, larger: Any, smaller: Any) -> Diagnosis | None:
    """Parts that one record moves the farther, the more other records there are."""
    if evidence.worst is not None:
        larger, smaller = sorted(evidence.worst, key=len, reverse=True)
    more = _with_more_records(larger, smaller)
    if more is None:
        return None
    for one in filter(None, map(moved, numeric_parts(evidence))):
        names = [like.part.name for like in noised_alike(evidence, one)]
        before = exact_shift(evidence, names, one.family, larger, smaller)
        after = exact_shift(evidence, names, one.family, *more)
        if before and after and after.size >= _GROWTH * _MORE_RECORDS * before.size > 0.0:
            what = names[0] if len(names) == 1 else f"{len(names)} parts"
            records, grown = len(larger), len(more[0])
            return found(
                Cause.CONTRIBUTION,
                f"The effect of one record grows with the number of records. It moves {what} by "
                f"{before.words} among {records} records and by {after.words} among {grown}.",
                "Fix bin edges, bounds and weights before the data are read. Otherwise bound what "
                "one record changes, whatever the others are.",
                records=records,
                shift=before.size,
                records_grown=grown,
                shift_grown=after.size,
            )
    return None


def _with_more_records(larger: Any, smaller: Any) -> tuple[Any, Any] | None:
    """Both datasets with their common records several times; None if they have none."""
    at = first_difference(larger, smaller)
    others = [one for place, one in enumerate(records_of(larger)) if place != at]
    if not others:
        return None
    added = others * (_MORE_RECORDS - 1)
    return inserted(larger, len(larger), added), inserted(smaller, len(smaller), added)


def _value_of_record(evidence: Evidence, larger: Any, smaller: Any) -> Diagnosis | None:
    at = first_difference(larger, smaller)
    grown: Any = None
    with suppress(Exception):
        grown = next(_grown(larger, at))[2]
    if grown is None:
        return None
    parts = (part for part in numeric_parts(evidence) if part.values >= _FEWEST_VALUES)
    for part, before, after in _moving(evidence, parts, larger, smaller, grown):
        if after.size < _GROWTH * _TIMES * before.size:
            continue
        factor, advice = _far_off(evidence, part)
        if factor < _ORDER:
            continue
        return found(
            Cause.CONTRIBUTION,
            f"The loss grows with the value of a record. {capital(part.name)} moves by "
            f"{before.words} for {named(record_at(larger, at))} and by {after.words} "
            f"for {named(record_at(grown, at))}.",
            advice or "Clip each value to a bound C before it is used, with noise for C.",
            shift=before.size,
            shift_grown=after.size,
            times=_TIMES,
        )
    return None


def _moving(
    evidence: Evidence, parts: Iterable[Part], larger: Any, smaller: Any, grown: Any
) -> Iterator[tuple[Part, Shift, Shift]]:
    """Parts that the pair moves, with their shifts on the pair and if its larger side has grown."""
    for part in parts:
        before, after = (
            shift_of(evidence, [part.name], Family.OTHER, dataset, smaller)
            for dataset in (larger, grown)
        )
        if before is not None and after is not None and before.size > 5.0 * before.error:
            yield part, before, after


def _far_off(evidence: Evidence, part: Part) -> tuple[float, str]:
    """The factor of noise of a known family for the farthest record, and advice if it is large.

    Infinite and empty if they are unknown.
    """
    if (one := moved(part)) is None:
        return math.inf, ""
    names = [like.part.name for like in noised_alike(evidence, one)]
    if (shift := farthest(evidence, names, one.family)) is None:
        return math.inf, ""
    # A family that no scale makes enough of says nothing about the distance.
    far = [replace(one, shift=shift.size, family=kind) for kind in (one.family, Family.OTHER)]
    factors = (factor_needed([each], evidence.claim) for each in far)
    factor = next(filter(math.isfinite, factors), math.inf)
    # Further draws would be missing from the other rules.
    far_off = factor >= _ORDER
    return factor, clip_or_noise(evidence, names, one.family, shift, factor) if far_off else ""


COMPUTED = (
    "Bound each value, and compute the noise of each noisy number from that bound. No factor is "
    "given, as noise is not added to the output itself."
)
"""Advice if noise is not added to a value."""


def clip_or_noise(
    evidence: Evidence, names: Sequence[str], family: Family, shift: Shift, factor: float
) -> str:
    """Advice on values that nobody clips, without numbers if noise is not added to a value.

    Empty if the shift does not grow as the value does.

    Args:
        evidence: draws on further datasets.
        names: parts with noise of one scale.
        family: of their noise.
        shift: of these parts, by one record.
        factor: by which the noise would have to grow for this record.
    """
    if bends(evidence, names, shift.dataset, shift.neighbor):
        return COMPUTED
    if not (evidence.of_records and MORE <= factor < math.inf):
        return ""
    with suppress(Exception):
        pair = sorted((shift.dataset, shift.neighbor), key=len, reverse=True)
        for larger, smaller in (pair, pair[::-1]):
            for what, value, grown in _grown(larger, first_difference(larger, smaller)):
                after = shift_of(evidence, names, family, grown, smaller)
                if after is not None and _proportional(shift, after):
                    return (
                        f"Clip {what} to about {about(value / factor)} at most, or to "
                        f"{number(value)} with {about(factor)} times the noise."
                    )
    return ""


def _proportional(before: Shift, after: Shift) -> bool:
    """True if a shift grows as the value does, errors of estimation included."""
    growth = after.size / (_TIMES * before.size)
    error = growth * math.hypot(before.error / before.size, after.error / after.size)
    return abs(growth - 1.0) <= _PROPORTIONAL + _ERRORS * error


def _rows_of_user(evidence: Evidence, larger: Any, smaller: Any) -> Diagnosis | None:
    added = len(larger) - len(smaller)
    rows = [record_at(larger, at) for at in range(len(larger) - added, len(larger))]
    doubled = inserted(larger, len(larger), rows)
    for part, before, after in _moving(evidence, numeric_parts(evidence), larger, smaller, doubled):
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


def _grown(dataset: Any, at: int) -> Iterator[tuple[str, float, Any]]:
    """What a number of a record is, its size, and the dataset with it ten times as large.

    Each column of numbers, that of the largest first; of records without columns that number.
    """
    record = records_of(dataset)[at]
    if isinstance(record, dict):
        sizes = {name: abs(v) for name, v in record.items() if isinstance(v, (int, float))}
        for name in sorted(sizes, key=lambda name: -sizes[name]):
            grown = {**record, name: _TIMES * record[name]}
            yield repr(name), float(sizes[name]), replaced(dataset, at, grown)
        return
    values = np.array(record)
    if values.dtype.kind in "iuf" and values.size:
        flat = values.reshape(-1)
        largest = np.abs(flat).argmax()
        size = abs(float(flat[largest]))
        flat[largest] *= _TIMES
        grown = flat[0].item() if np.ndim(record) == 0 else values.tolist()
        yield "each value", size, replaced(dataset, at, grown)
