"""Records of neighboring datasets that show known bugs, and the shapes to arrange them in."""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Iterable, Iterator
from typing import Any

from audit.neighbors.domain import (
    BoolDomain,
    ChoiceDomain,
    DateDomain,
    Domain,
    FloatDomain,
    IntDomain,
    MissingDomain,
    Sizes,
    TableDomain,
)
from audit.neighbors.domain.ranges import INT64_HIGH, TYPE_EDGES
from audit.neighbors.domain.record import distinct, key
from audit.relation import AnyRelation, Relation

Candidate = tuple[list[Any], list[Any]]
"""The records of D and of its neighbor."""

MOST_RECORDS = 40_000

_MOST_EXTREMES = 8
_PARTS = (0.75, 0.5, 0.25)
"""Parts of the ranges of all columns at once."""
_GROUPS = 3
"""Groups of which each is once the only empty one."""
_THRESHOLDS = (4, 5, 9, 10, 19, 20, 49, 99)
"""Sizes at which one record more crosses the thresholds people choose."""


def candidates(domain: Domain, relation: AnyRelation) -> Iterator[Candidate]:
    """Pairs worth trying under a relation; under user the domain is a table with users."""
    if relation is Relation.ADD_REMOVE:
        yield from _added(domain)
    elif relation is Relation.SUBSTITUTE:
        yield from _substituted(domain)
    elif relation is Relation.USER and isinstance(domain, TableDomain):
        yield from _users(domain)


def _added(domain: Domain) -> Iterator[Candidate]:
    """One record more: what shows a scale, a bound or a key that depends on the data."""
    low, high = domain.ends
    others = domain.extremes[2 : 2 + _MOST_EXTREMES]
    for record in (high, low, *others, *interior(domain)):
        yield insertion(domain, [], record)
    yield from _inserted_among_others(domain, low, high)
    yield from _inserted_among_others(domain, high, low)
    for record in others:
        yield insertion(domain, [low], record)
    for count in (1, 2, *_THRESHOLDS, 127, 255):
        yield insertion(domain, [high] * count, high)
    yield insertion(domain, [low], low)
    kinds = list(domain.extremes[:_MOST_EXTREMES])
    yield insertion(domain, kinds, high)
    for absent in range(min(_GROUPS, len(kinds))):
        yield insertion(domain, kinds[:absent] + kinds[absent + 1 :], kinds[absent])
    for record in _further_edges(domain):
        yield insertion(domain, [], record)
    for record in others[:2]:
        yield insertion(domain, [low] * 5 + [high] * 3, record)
    for base, step in _sums_at_edges(domain):
        yield insertion(domain, base, step)


def interior(domain: Domain) -> Iterator[Any]:
    """Records with all numeric columns at the same part of their range.

    A norm or a product may be largest there while every corner of the domain is harmless.
    """
    if not isinstance(domain, TableDomain):
        return
    low, high = domain.ends
    for part in _PARTS:
        record = {name: _between(low[name], high[name], part) for name in low}
        if record not in (low, high) and domain.contains(record):
            yield record


def _between(low: Any, high: Any, part: float) -> Any:
    """A number between two others, of their kind; the upper end of anything else."""
    if isinstance(low, bool) or not isinstance(low, (int, float)):
        return high
    value = low + part * (high - low)
    return round(value) if isinstance(low, int) and isinstance(high, int) else value


def _inserted_among_others(domain: Domain, many: Any, one: Any) -> Iterator[Candidate]:
    for count in (1, 2, 3, 5, 10, 50, 1000):
        yield insertion(domain, [many] * count, one)
    for count in (1, 2, 5, 50):
        yield insertion(domain, [many] * count + [one] * count, one)
    for count in (2, 10):
        yield insertion(domain, [one] + [many] * count, many)
        yield insertion(domain, [many] * 5 * count, one, at=0)
    yield insertion(domain, [many] * 10, one, at=5)


def _moved_among_others(domain: Domain, many: Any, one: Any) -> Iterator[Candidate]:
    for count in (2, 3, 5, 10, 50, 1000):
        yield move(domain, [many] * count, one)
    for count in (1, 2, 5, 50):
        yield move(domain, [many] * (count + 1) + [one] * count, one, at=0)
    for count in (2, 10):
        yield move(domain, [one] + [many] * count, one)
        yield move(domain, [many] * 5 * count, one, at=0)
    yield move(domain, [many] * 10, one, at=5)


def _substituted(domain: Domain) -> Iterator[Candidate]:
    """One record moved: opposite moves, one against the rest, medians that flip."""
    low, high = domain.ends
    others = domain.extremes[2 : 2 + _MOST_EXTREMES]
    for record in (high, *others, *interior(domain)):
        yield move(domain, [low], record)
    for before, after in itertools.pairwise((high, *others)):
        yield move(domain, [before], after)
    yield from _moved_among_others(domain, low, high)
    yield from _moved_among_others(domain, high, low)
    for record in others:
        yield move(domain, [low] * 2, record)
    for record in others[:2]:
        yield move(domain, [low] * 5 + [high], record)
    for copies in (1, 2):
        yield move(domain, list(domain.extremes[:_MOST_EXTREMES]) * copies, low)
    for count in (*_THRESHOLDS, 127, 255):
        yield move(domain, [high] * count + [low], high)
    for record in _further_edges(domain):
        yield move(domain, [low], record)
    for base, step in _sums_at_edges(domain):
        if domain.contains(0):
            yield move(domain, [*base, 0], step)


def _users(domain: TableDomain) -> Iterator[Candidate]:
    """All rows of one user more: many rows, many different ones, the same as everybody's."""
    low, high = domain.ends
    rows = domain.many_rows
    kinds = domain.extremes
    varied = [kinds[row % len(kinds)] for row in range(rows)]
    for record in (high, low, *kinds[2 : 2 + _MOST_EXTREMES]):
        yield arrival(domain, [], [record])
        yield arrival(domain, [], [record] * rows)
    yield arrival(domain, [], varied)
    for many, one in ((low, high), (high, low)):
        for count in (1, 2, 3, 5, 10, 50, 1000):
            yield arrival(domain, [[many]] * count, [one] * rows)
        for count in (1, 2, 10):
            yield arrival(domain, [[many] * rows] * count, [one] * rows)
            yield arrival(domain, [[many]] * count, [many] * rows)
        yield arrival(domain, [[many]] * 10, [one] * rows, at=0)
    for count in (1, 10):
        yield arrival(domain, [[low], [high]] * count, varied)
    for count in (1, 2, *_THRESHOLDS, 127, 255):
        yield arrival(domain, [[high]] * count, [high])


def owned(domain: Domain, record: Any, user: int) -> Any:
    return domain.owned(record, user) if isinstance(domain, TableDomain) else record


def insertion(domain: Domain, records: list[Any], record: Any, at: int | None = None) -> Candidate:
    """One record more, at the end or before position `at`; each has an owner of its own."""
    base = [owned(domain, one, user) for user, one in enumerate(records)]
    place = len(base) if at is None else at
    return base, [*base[:place], owned(domain, record, len(base)), *base[place:]]


def move(domain: Domain, records: list[Any], record: Any, at: int = -1) -> Candidate:
    """Another record at a position, the last unless said; its owner stays."""
    base = [owned(domain, one, user) for user, one in enumerate(records)]
    place = at % len(base)
    return base, [*base[:place], owned(domain, record, place), *base[place + 1 :]]


def arrival(
    domain: TableDomain, users: list[list[Any]], rows: list[Any], at: int | None = None
) -> Candidate:
    """One user more: user 0, whose rows stand at the end or before position `at`."""
    base = [domain.owned(row, user) for user, owned in enumerate(users, 1) for row in owned]
    place = len(base) if at is None else at
    return base, [*base[:place], *(domain.owned(row, 0) for row in rows), *base[place:]]


def admitted(candidates: Iterable[Candidate], sizes: Sizes) -> Iterator[Candidate]:
    """Those of which both datasets have as many records as a domain allows."""
    for pair in candidates:
        if all(sizes.admits(len(records)) for records in pair):
            yield pair


def unlike(candidates: Iterable[Candidate], largest: int) -> Iterator[Candidate]:
    """Those within a size whose two datasets differ, each once in either order."""
    seen: set[Hashable] = set()
    for left, right in candidates:
        name = frozenset((key(left), key(right)))
        if len(name) == 2 and name not in seen and max(len(left), len(right)) <= largest:
            seen.add(name)
            yield left, right


def _further_edges(domain: Domain) -> tuple[Any, ...]:
    """Integers at the edges of types that are not among the first few extremes."""
    return domain.extremes[2 + _MOST_EXTREMES :] if isinstance(domain, IntDomain) else ()


def _sums_at_edges(domain: Domain) -> Iterator[tuple[list[int], int]]:
    """Integers whose sum is the last that its type holds, and the step beyond."""
    if not isinstance(domain, IntDomain):
        return
    for top in (*TYPE_EDGES, INT64_HIGH):
        upwards = summing_to(top, domain.high)
        downwards = [-record for record in summing_to(top + 1, -domain.low)]
        for base, step in ((upwards, 1), (downwards, -1)):
            if base and all(map(domain.contains, (*base, step))):
                yield base, step


def summing_to(total: int, largest: int) -> list[int]:
    """The fewest records from 1 to `largest` with this sum, none when that takes too many."""
    most = max(1, min(total, largest))
    count, rest = divmod(total, most)
    return [most] * count + [rest] * (rest > 0) if count <= MOST_RECORDS else []


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
    yield [rising[place] for place in _shuffled(size)]


def between(domain: Domain, part: float) -> Any:
    """The record at a part of the way from the low end of a domain to the high one."""
    low, high = domain.ends
    if isinstance(domain, TableDomain):
        return {name: between(column, part) for name, column in domain.columns}
    if isinstance(domain, MissingDomain):
        return between(domain.values, part)
    if isinstance(domain, IntDomain):
        return low + round(part * (high - low))
    if isinstance(domain, FloatDomain):
        return low * (1.0 - part) + high * part
    if isinstance(domain, DateDomain):
        return domain.at(part)
    listed = domain.choices if isinstance(domain, ChoiceDomain) else domain.extremes
    if isinstance(domain, BoolDomain):
        listed = (low, high)
    return listed[min(len(listed) - 1, int(part * len(listed)))]


def in_order(domain: Domain, relation: AnyRelation, size: int) -> Iterator[Candidate]:
    """Lists in some order, in front of or behind which a record comes, or takes a place.

    It is as far as can be from the record that it comes next to.

    Args:
        domain: what a record may be.
        relation: what makes datasets neighbors.
        size: records of the larger dataset.
    """
    for base in ordered(domain, before(relation, size)):
        yield from changed(domain, relation, base, domain.opposite(base[0]), 0)
        yield from changed(domain, relation, base, domain.opposite(base[-1]), len(base))


def of_size(domain: Domain, relation: AnyRelation, size: int) -> Iterator[Candidate]:
    """All these lists, in front of, in the middle of or behind which a record comes or changes.

    Args:
        domain: what a record may be.
        relation: what makes datasets neighbors.
        size: records of the larger dataset.
    """
    others = before(relation, size)
    for record in domain.extremes:
        yield from changed(domain, relation, [domain.ends[0]] * others, record, others)
    for record in domain.ends[::-1]:
        for base in (*constant(domain, others), *ordered(domain, others)):
            for place in (others, 0, others // 2):
                yield from changed(domain, relation, base, record, place)


def telling_sizes(sizes: Sizes, largest: int) -> tuple[int, ...]:
    """The fewest records of a domain that limits them, one more, and the most, up to `largest`."""
    most = sizes.most if sizes.most is not None else sizes.least + 1
    return distinct(min(size, largest) for size in (max(1, sizes.least), sizes.least + 1, most))


def before(relation: AnyRelation, size: int) -> int:
    """Records of the dataset that the others are made from."""
    return size if relation is Relation.SUBSTITUTE else size - 1


def changed(
    domain: Domain, relation: AnyRelation, base: list[Any], record: Any, place: int
) -> Iterator[Candidate]:
    """A record that comes before a place, or takes it; one place behind the last is the last."""
    if relation is Relation.SUBSTITUTE:
        yield move(domain, base, record, min(place, len(base) - 1))
    elif relation is Relation.ADD_REMOVE:
        yield insertion(domain, base, record, place)
    elif isinstance(domain, TableDomain):
        yield arrival(domain, [[row] for row in base], [record], place)


def _shuffled(size: int) -> list[int]:
    """All places, each far from the one before."""
    step = max(1, round(_STEP * size))
    while math.gcd(step, size) > 1:
        step += 1
    return [place * step % size for place in range(size)]
