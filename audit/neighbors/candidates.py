"""Candidates: records of neighboring datasets, by one record or within a distance."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

import audit.neighbors.domain as domains
from audit.errors import InputError
from audit.neighbors.domain import Domain, FloatDomain, IntDomain, Sizes
from audit.neighbors.domain.record import distinct, key
from audit.neighbors.rows import keys_of, records_of, replaced
from audit.relation import AnyRelation, Measure, Relation, Within
from audit.validation import is_number

Candidate = tuple[list[Any], list[Any]]
"""The records of D and of its neighbor."""

MOST_RECORDS = 40_000


def owned(domain: Domain, record: Any, user: int) -> Any:
    return domain.owned(record, user) if isinstance(domain, domains.TableDomain) else record


def each_owned(domain: Domain, records: Iterable[Any]) -> list[Any]:
    """The records, each with an owner of its own where records have owners."""
    return [owned(domain, record, owner) for owner, record in enumerate(records)]


def insertion(domain: Domain, records: list[Any], record: Any, at: int | None = None) -> Candidate:
    """One record more, at the end or before position `at`; each has an owner of its own."""
    base = each_owned(domain, records)
    place = len(base) if at is None else at
    return base, [*base[:place], owned(domain, record, len(base)), *base[place:]]


def move(domain: Domain, records: list[Any], record: Any, at: int = -1) -> Candidate:
    """Another record at a position, the last unless said; its owner stays."""
    base = each_owned(domain, records)
    place = at % len(base)
    return base, [*base[:place], owned(domain, record, place), *base[place + 1 :]]


def arrival(
    domain: Domain, users: list[list[Any]], rows: list[Any], at: int | None = None
) -> Candidate:
    """One user more: user 0, whose rows stand at the end or before position `at`."""
    base = [owned(domain, row, user) for user, held in enumerate(users, 1) for row in held]
    place = len(base) if at is None else at
    return base, [*base[:place], *(owned(domain, row, 0) for row in rows), *base[place:]]


def changed(
    domain: Domain, relation: AnyRelation, base: list[Any], record: Any, at: int | None = None
) -> Candidate:
    """A record that comes, at the end or before a place, or takes a place, the last one else."""
    place = len(base) if at is None else at
    if relation is Relation.SUBSTITUTE:
        return move(domain, base, record, min(place, len(base) - 1))
    if relation is Relation.ADD_REMOVE:
        return insertion(domain, base, record, place)
    return arrival(domain, [[row] for row in base], [record], place)


def distinct_candidates(candidates: Iterable[Candidate], sizes: Sizes) -> Iterator[Candidate]:
    """Those of sizes that a domain allows whose two datasets differ, each once in either order."""
    seen: set[Hashable] = set()
    for pair in candidates:
        if all(sizes.admits(len(records)) and len(records) <= MOST_RECORDS for records in pair):
            name = frozenset(map(key, pair))
            if len(name) == 2 and name not in seen:
                seen.add(name)
                yield pair


def summing_to(total: int, largest: int) -> list[int]:
    """The fewest records from 1 to `largest` with this sum, none when that takes too many."""
    most = max(1, min(total, largest))
    times, rest = divmod(total, most)
    return [most] * times + [rest] * (rest > 0) if times <= MOST_RECORDS else []


_STEP = 0.618
"""Part of a dataset's length from one record to the next in a shuffled one."""


def constant(domain: Domain, size: int) -> Iterator[list[Any]]:
    """Lists of so many records, all at one end of the domain, or half at each."""
    low, high = domain.ends
    yield [low] * size
    yield [high] * size
    yield [low] * (size - size // 2) + [high] * (size // 2)


def ordered(domain: Domain, size: int) -> Iterator[list[Any]]:
    """Lists of so many records: alternating, rising, falling, in pairs, in no order."""
    if size < 2:
        return
    low, high = domain.ends
    yield [(low, high)[place % 2] for place in range(size)]
    rising = [between(domain, place / (size - 1)) for place in range(size)]
    yield rising
    yield rising[::-1]
    yield [record for record in rising[: size - size // 2] for _ in range(2)][:size]
    steps = count(max(1, round(_STEP * size)))
    step = next(step for step in steps if math.gcd(step, size) == 1)
    yield [rising[place * step % size] for place in range(size)]


def between(domain: Domain, part: float) -> Any:
    """The record at a part of the way from the low end of a domain to the high one."""
    low, high = domain.ends
    if isinstance(domain, domains.TableDomain):
        return {name: between(column, part) for name, column in domain.columns}
    if isinstance(domain, domains.MissingDomain):
        return between(domain.values, part)
    if isinstance(domain, domains.IntDomain):
        return low + round(part * (high - low))
    if isinstance(domain, domains.FloatDomain):
        return low * (1.0 - part) + high * part
    if isinstance(domain, domains.DateDomain):
        return domain.at(part)
    listed = listed_in(domain)
    return listed[min(len(listed) - 1, int(part * len(listed)))]


def listed_in(domain: Domain) -> tuple[Any, ...]:
    """The records of a domain that lists them, else its extremes."""
    return domain.choices if isinstance(domain, domains.ChoiceDomain) else domain.extremes


def in_order(domain: Domain, relation: AnyRelation, size: int) -> Iterator[Candidate]:
    """Lists in some order, with the record farthest from either end next to it, or in its place.

    The larger dataset has `size` records.
    """
    for base in ordered(domain, before(relation, size)):
        yield changed(domain, relation, base, domain.opposite(base[0]), 0)
        yield changed(domain, relation, base, domain.opposite(base[-1]))


def of_size(domain: Domain, relation: AnyRelation, size: int) -> Iterator[Candidate]:
    """All these lists, with a record that comes or changes; the larger has `size` records."""
    others = before(relation, size)
    for record in domain.extremes:
        yield changed(domain, relation, [domain.ends[0]] * others, record)
    for record in domain.ends[::-1]:
        for base in (*constant(domain, others), *ordered(domain, others)):
            for place in (others, 0, others // 2):
                yield changed(domain, relation, base, record, place)


def telling_sizes(sizes: Sizes, largest: int) -> tuple[int, ...]:
    """The fewest records of a domain that limits them, one more, and the most, up to `largest`."""
    most = sizes.most if sizes.most is not None else sizes.least + 1
    return distinct(min(size, largest) for size in (max(1, sizes.least), sizes.least + 1, most))


def before(relation: AnyRelation, size: int) -> int:
    """Records of the dataset that the others are made from."""
    return size if relation is Relation.SUBSTITUTE else size - 1


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
    """Distance between two datasets of equally many records; infinite from a missing number.

    None where one of them is no vector of numbers, which only counting records can do without.
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
    """Raises InputError at records that are no numbers, which distances mean nothing for."""
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
    moving = sum(map(abs, signs))
    parts = {Measure.L1: moving, Measure.L2: math.sqrt(moving), Measure.LINF: 1.0}
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
    for many in dict.fromkeys((min(most, size), 1)):
        for base in constant(domain, size):
            yield from (_changed(domain, base, places) for places in _places(size, many))
        for base in ordered(domain, size):
            yield _changed(domain, base, range(size - many, size))


def _places(size: int, many: int) -> tuple[Sequence[int], ...]:
    """So many places: in front, behind and spread out."""
    return range(many), range(size - many, size), [at * size // many for at in range(many)]


def _changed(domain: Domain, base: Sequence[Any], places: Sequence[int]) -> Candidate:
    """Records of different owners, those at some places moved as far as can be."""
    left = each_owned(domain, base)
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
    """Some records replaced by the farthest, or by the rarest; the rarest by the commonest."""
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
