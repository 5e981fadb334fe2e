"""Records of neighboring datasets: lists in some order, and another record in them."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator
from typing import Any

import audit.neighbors.domain as domains
from audit.neighbors.domain import Domain, Sizes
from audit.neighbors.domain.record import distinct, key
from audit.relation import AnyRelation, Relation

Candidate = tuple[list[Any], list[Any]]
"""The records of D and of its neighbor."""

MOST_RECORDS = 40_000


def owned(domain: Domain, record: Any, user: int) -> Any:
    return domain.owned(record, user) if isinstance(domain, domains.TableDomain) else record


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


def distinct_candidates(
    candidates: Iterable[Candidate], sizes: Sizes, largest: int = MOST_RECORDS
) -> Iterator[Candidate]:
    """Those of sizes that a domain allows whose two datasets differ, each once in either order."""
    seen: set[Hashable] = set()
    for pair in candidates:
        if all(sizes.admits(len(records)) and len(records) <= largest for records in pair):
            name = frozenset(map(key, pair))
            if len(name) == 2 and name not in seen:
                seen.add(name)
                yield pair


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
    """Lists in some order, in front of or behind which a record comes, or takes a place.

    It is as far as can be from the record that it comes next to. The larger dataset has `size`
    records.
    """
    for base in ordered(domain, before(relation, size)):
        yield changed(domain, relation, base, domain.opposite(base[0]), 0)
        yield changed(domain, relation, base, domain.opposite(base[-1]))


def of_size(domain: Domain, relation: AnyRelation, size: int) -> Iterator[Candidate]:
    """All these lists, in front of, in the middle of or behind which a record comes or changes.

    The larger dataset has `size` records.
    """
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


def _shuffled(size: int) -> list[int]:
    """All places, each far from the one before."""
    step = max(1, round(_STEP * size))
    while math.gcd(step, size) > 1:
        step += 1
    return [place * step % size for place in range(size)]
