"""Datasets of a given number of records in the shapes that show how a mechanism treats order."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from audit.neighbors.candidates import Candidate, arrival, insertion, move
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
from audit.neighbors.domain.record import distinct
from audit.relation import AnyRelation, Relation

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
