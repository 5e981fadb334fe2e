"""Sizes at which the kind of output changes: thresholds that no list of pairs can know.

A mechanism that answers only from some size on, or fails beyond one, shows that
size to anybody who tries sizes far apart and then halves the gap.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from audit.neighbors import Pair, neighboring
from audit.neighbors.domain import Domain, Sizes, TableDomain
from audit.neighbors.domain.record import distinct
from audit.neighbors.rows import user_column
from audit.neighbors.search.oracle import Oracle, Unreadable
from audit.relation import AnyRelation, Relation

_SIZES = (0, *(2**power for power in range(13)))
_NAME = "E"

Family = Callable[[int], Any]
"""The dataset of a size; each is a neighbor of the next."""


def size_edges(oracle: Oracle, domain: Domain, relation: AnyRelation) -> Iterator[Pair]:
    """Pairs of n and n + 1 records of which only one has a certain kind of output."""
    if relation not in (Relation.ADD_REMOVE, Relation.USER):
        return
    user = user_column(domain) if relation is Relation.USER else None
    for family in _families(domain):
        for size in _edges(oracle, family, domain.sizes):
            yield neighboring(_NAME, family(size), family(size + 1), relation, user)


def _families(domain: Domain) -> Iterator[Family]:
    """Many equal records, behind another one or not."""
    low, high = domain.ends
    for many, first in ((low, []), (high, []), (low, [high]), (high, [low])):
        yield partial(_dataset, domain, first, many)


def _dataset(domain: Domain, first: list[Any], many: Any, size: int) -> Any:
    records = [*first, *[many] * size]
    if isinstance(domain, TableDomain):
        records = [domain.owned(record, owner) for owner, record in enumerate(records)]
    return domain.dataset(records)


def _edges(oracle: Oracle, family: Family, sizes: Sizes) -> Iterator[int]:
    """Sizes after which the kinds of output are others."""
    alone = len(family(0))
    small, *others = distinct(sizes.nearest(alone + size) - alone for size in _SIZES)
    kinds = _kinds(oracle, family(small))
    for large in others:
        beyond = _kinds(oracle, family(large))
        if not beyond:
            return  # what cannot be read, or takes too long, does so beyond as well
        if kinds and kinds.isdisjoint(beyond):
            yield _halved(oracle, family, small, large)
        small, kinds = large, beyond


def _halved(oracle: Oracle, family: Family, small: int, large: int) -> int:
    kinds = _kinds(oracle, family(small))
    while large - small > 1:
        middle = (small + large) // 2
        if kinds.isdisjoint(_kinds(oracle, family(middle))):
            large = middle
        else:
            small = middle
    return small


def _kinds(oracle: Oracle, data: Any) -> frozenset[str]:
    """Kinds of output on a dataset, none where they cannot be read or do not come in time."""
    try:
        return oracle.kinds(data)
    except Unreadable:
        return frozenset()
