"""Datasets of equally many records that are not too far apart, and how far they are.

Vectors move as far as a relation lets them, each way that a mechanism may react to:
one number, all of them, all against one, half against half, every other one.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.errors import InputError
from audit.neighbors.candidates import Candidate, between, constant, ordered, owned
from audit.neighbors.domain import Domain, FloatDomain, IntDomain
from audit.neighbors.rows import keys_of, records_of, replaced
from audit.relation import Measure, Within
from audit.validation import is_number

Signs = tuple[int, ...]
"""For each number of a vector whether it grows (1), falls (-1) or stays (0)."""

_LENGTHS = (1, 2, 3, 5, 10, 20)
_SLACK = 1e-9
"""Part of a distance that rounding may add."""


def numbers_in(data: Any) -> NDArray[np.float64] | None:
    """All numbers of a vector, shape (n,); None where it holds anything else."""
    if isinstance(data, np.ndarray) and data.dtype.kind in "iuf":
        return data.astype(np.float64).ravel()
    if isinstance(data, (list, tuple)) and all(map(is_number, data)):
        return np.array(data, dtype=np.float64)
    return None


def distance(measure: Measure, left: Any, right: Any) -> float | None:
    """Distance between two datasets of equally many records.

    A number is infinitely far from another one if one of them is missing or infinite.

    Returns:
        None where one of them is no vector of numbers, which only counting records
        can do without.
    """
    if measure is Measure.CHANGES:
        pairs = zip(keys_of(left), keys_of(right), strict=True)
        return float(sum(one != other for one, other in pairs))
    one, other = numbers_in(left), numbers_in(right)
    if one is None or other is None or one.shape != other.shape:
        return None
    with np.errstate(invalid="ignore"):
        steps = np.nan_to_num(np.abs(one - other), nan=np.inf, posinf=np.inf)
    steps[(one == other) | (np.isnan(one) & np.isnan(other))] = 0.0
    if measure is Measure.L1:
        return float(steps.sum())
    if measure is Measure.L2:
        return float(np.sqrt((steps**2).sum()))
    return float(steps.max(initial=0.0))


def allows(relation: Within, length: float) -> bool:
    """True if a relation allows a distance, but for rounding."""
    return 0.0 < length <= relation.most * (1.0 + _SLACK)


def check_domain(domain: Domain, relation: Within) -> None:
    """Refuse records that distances mean nothing for.

    Raises:
        InputError: they are no numbers.
    """
    numbers = isinstance(domain, (IntDomain, FloatDomain))
    if relation.measure is not Measure.CHANGES and not numbers:
        raise InputError(
            f"relation {relation} is for vectors of numbers, and the records of {domain} are none; "
            "give a domain int or float, or `relation='changes:K'`",
            domain,
        )


def within_candidates(domain: Domain, relation: Within) -> Iterator[Candidate]:
    """Pairs worth trying, the shortest vectors first."""
    sizes = domain.sizes
    tried = [*_LENGTHS, sizes.least, sizes.most or 0]
    for size in sorted({size for size in map(sizes.nearest, tried) if size > 0}):
        if relation.measure is Measure.CHANGES:
            yield from _with_changes(domain, int(relation.most), size)
        else:
            yield from _moved_vectors(domain, relation, size)


def directions(size: int) -> Iterator[Signs]:
    """The ways in which a vector of so many numbers may move, the opposite ones left out.

    One way and its opposite are two only where one number goes against all others.
    """
    for place in dict.fromkeys((size - 1, 0, size // 2)):
        yield tuple(int(at == place) for at in range(size))
    if size > 1:
        yield (1,) * size
        yield (1, *[-1] * (size - 1))
        yield (-1, *[1] * (size - 1))
        yield (1, *[0] * (size - 2), -1)
    if size > 2:
        yield tuple((1, -1)[place % 2] for place in range(size))
        yield (1,) * (size // 2) + (-1,) * (size - size // 2)


def moved(
    values: Sequence[Any], signs: Signs, relation: Within, domain: Domain | None = None
) -> list[Any]:
    """A vector moved as far as a relation and a domain let it, all by the same step."""
    count = sum(map(abs, signs))
    parts = {Measure.L1: count, Measure.L2: math.sqrt(count), Measure.LINF: 1.0}
    step: float = relation.most / max(parts[relation.measure], 1.0)
    whole = step >= 1.0 and all(isinstance(value, (int, np.integer)) for value in values)
    if isinstance(domain, IntDomain) or whole:
        step = math.floor(step * (1.0 + _SLACK))
    found = [value + sign * step for value, sign in zip(values, signs, strict=True)]
    if isinstance(domain, (IntDomain, FloatDomain)):
        found = [min(max(value, domain.low), domain.high) for value in found]
    return found


def _moved_vectors(domain: Domain, relation: Within, size: int) -> Iterator[Candidate]:
    """From equal numbers in the middle, and from where there is most room to move."""
    low, high = domain.ends
    middle = [between(domain, 0.5)] * size
    for signs in directions(size):
        yield middle, moved(middle, signs, relation, domain)
        roomy = [high if sign < 0 else low for sign in signs]
        yield roomy, moved(roomy, signs, relation, domain)
    if relation.measure is Measure.L1 and 0 < high - low < relation.most:
        whole = min(size, math.floor(relation.most / (high - low)))
        yield [low] * size, [high] * whole + [low] * (size - whole)
        yield [high] * size, [high] * (size - whole) + [low] * whole


def _with_changes(domain: Domain, most: int, size: int) -> Iterator[Candidate]:
    """All that may change in front, behind and spread out, and one record alone."""
    for count in dict.fromkeys((min(most, size), 1)):
        for base in constant(domain, size):
            yield from (_changed(domain, base, places) for places in _places(size, count))
        for base in ordered(domain, size):
            yield _changed(domain, base, range(size - count, size))


def _places(size: int, count: int) -> tuple[Sequence[int], ...]:
    """So many places: in front, behind and spread out."""
    spread = [at * size // count for at in range(count)]
    return range(count), range(size - count, size), spread


def _changed(domain: Domain, base: Sequence[Any], places: Sequence[int]) -> Candidate:
    """Records of different owners, those at some places moved as far as can be."""
    left = [owned(domain, record, owner) for owner, record in enumerate(base)]
    right = [domain.opposite(record) if at in places else record for at, record in enumerate(left)]
    return left, right


def _ways(numbers: NDArray[np.float64]) -> Iterable[Signs]:
    """Signs of the moves: of the largest alone, all alike, in turn, and others with opposites."""
    size = len(numbers)
    top = int(np.nanargmax(numbers)) if not np.isnan(numbers).all() else 0
    largest = tuple(int(at == top) for at in range(size))
    in_turn = tuple((1, -1)[at % 2] for at in range(size))
    ways = dict.fromkeys((largest, (1,) * size, in_turn, *directions(size)))
    return dict.fromkeys((*ways, *(tuple(-sign for sign in way) for way in ways)))


def moves_of(data: Any, relation: Within, domain: Domain | None = None) -> Iterator[Any]:
    """Somebody's data moved as far as a relation and a domain let them, of the same kind."""
    if relation.measure is Measure.CHANGES:
        yield from _with_other_records(data, int(relation.most), domain)
        return
    numbers = numbers_in(data)
    if numbers is None or not len(numbers):
        return
    values = data.ravel().tolist() if isinstance(data, np.ndarray) else data
    for signs in _ways(numbers):
        neighbor = moved(values, signs, relation, domain)
        if not np.array_equal(np.array(neighbor, dtype=np.float64), numbers, equal_nan=True):
            array = isinstance(data, np.ndarray)
            yield np.array(neighbor).reshape(data.shape) if array else type(data)(neighbor)


def _with_other_records(data: Any, most: int, domain: Domain | None) -> Iterator[Any]:
    """The first, the last and scattered records replaced by the farthest, or by the rarest.

    A record that is the rarest itself becomes the most frequent one.
    """
    records, names = records_of(data), keys_of(data)
    ranked = [name for name, _ in Counter(names).most_common()]
    rare, common = (records[names.index(name)] for name in (ranked[-1], ranked[0]))
    for places in _places(len(records), min(most, len(records))):
        neighbor = data
        for at in places:
            held = rare if names[at] != ranked[-1] else common
            other = held if domain is None else domain.opposite(records[at])
            neighbor = replaced(neighbor, at, other)
        if keys_of(neighbor) != names:
            yield neighbor
