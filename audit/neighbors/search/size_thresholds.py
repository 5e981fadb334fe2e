"""Sizes at which outputs change: thresholds that no list of pairs can know.

A mechanism that answers only from some size on, fails beyond one, or adds less noise
from there on, shows that size to anybody who tries sizes far apart and then halves the
gap, always going on with the half in which more changes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from audit.neighbors import Pair, neighboring
from audit.neighbors.domain import Domain, Sizes, TableDomain
from audit.neighbors.domain.record import distinct
from audit.neighbors.rows import user_column
from audit.neighbors.search.oracle import Law, Oracle, Unreadable
from audit.relation import AnyRelation, Relation

_SIZES = (0, *(2**power for power in range(13)))
_NAME = "E"
_STILL = 0.1
"""Distance of laws that is none."""
_EVEN = 1e-3
"""Part by which two halves differ at least where one of them holds a step."""
_MORE = 2.0
"""How many times as much as from any size to the next a step is."""

Family = Callable[[int], Any]
"""The dataset of a size; each is a neighbor of the next."""


def size_edges(oracle: Oracle, domain: Domain, relation: AnyRelation) -> Iterator[Pair]:
    """Pairs of n and n + 1 records between which outputs change more than they do elsewhere."""
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
    """Sizes after which outputs are others, more so than from any size to the next."""
    alone = len(family(0))
    small, *others = distinct(sizes.nearest(alone + size) - alone for size in _SIZES)
    law = _law(oracle, family(small))
    for large in others:
        beyond = _law(oracle, family(large))
        if not beyond.kinds:
            return  # what cannot be read, or takes too long, does so beyond as well
        if law.kinds:
            yield from _halved(oracle, family, (small, law), (large, beyond))
        small, law = large, beyond


def _halved(
    oracle: Oracle, family: Family, low: tuple[int, Law], high: tuple[int, Law]
) -> Iterator[int]:
    """The size in between after which outputs change by far the most, if there is one."""
    whole = low[1].distance(high[1])
    usual = whole / (high[0] - low[0])
    if whole <= _STILL:
        return
    while high[0] - low[0] > 1:
        size = (low[0] + high[0]) // 2
        law = _law(oracle, family(size))
        before, after = low[1].distance(law), law.distance(high[1])
        if not law.kinds or math.isclose(before, after, rel_tol=_EVEN, abs_tol=_STILL):
            return
        low, high = (low, (size, law)) if before > after else ((size, law), high)
    last = low[1].distance(high[1])
    if math.isinf(last) or last > _MORE * usual + _STILL:
        yield low[0]


def _law(oracle: Oracle, data: Any) -> Law:
    """Law of the outputs on a dataset; no kinds if they cannot be read in time."""
    try:
        return oracle.law(data)
    except Unreadable:
        return Law()
