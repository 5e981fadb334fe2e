"""Pairs of random records: what many datasets show and no list knows.

A property that one dataset in ten has, as a common divisor or a small cycle, comes up
soon where records are drawn from all of the domain, or again and again from a few values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from audit.neighbors.candidates import (
    MOST_RECORDS,
    Candidate,
    admitted,
    arrival,
    insertion,
    move,
    owned,
    unlike,
)
from audit.neighbors.domain import (
    BoolDomain,
    ChoiceDomain,
    DateDomain,
    Domain,
    FloatDomain,
    IntDomain,
    MissingDomain,
    StrategyDomain,
    TableDomain,
)
from audit.neighbors.pair import Pair, neighboring
from audit.neighbors.rows import user_column
from audit.neighbors.within import moved
from audit.relation import AnyRelation, Measure, Relation, Within

_NAME = "R"
_SIZES = (1, 2, 3, 4, 5, 7, 11, 19)
"""Records of the dataset that is changed, added to where a domain admits that; few of them
more often have what few records have."""
_ROUNDS = 24
_FEW = 3
"""Every so many rounds records are drawn from a few values alone."""
_MOST_VALUES = 5
_MISSING = 0.25
"""Part of the values that are missing where some may be."""

Draw = Callable[[], Any]
"""A record, another one at every call."""


def random_pairs(domain: Domain, relation: AnyRelation, rng: np.random.Generator) -> Iterator[Pair]:
    """At most 192 pairs of up to twenty records, or as many as the domain allows.

    Args:
        domain: what a record may be; nothing is drawn from one with a strategy of its own.
        relation: what makes datasets neighbors; there are none for declared ones.
        rng: where all of it comes from.
    """
    if isinstance(domain, StrategyDomain) or relation is Relation.DECLARED:
        return
    user = user_column(domain) if relation is Relation.USER else None
    drawn = admitted(_drawn(domain, relation, rng), domain.sizes)
    for left, right in unlike(drawn, MOST_RECORDS):
        yield neighboring(_NAME, domain.dataset(left), domain.dataset(right), relation, user)


def _drawn(domain: Domain, relation: AnyRelation, rng: np.random.Generator) -> Iterator[Candidate]:
    """Rounds of all sizes."""
    record: Draw = partial(random_record, domain, rng)
    one_more = relation in (Relation.ADD_REMOVE, Relation.USER)
    for turn in range(1, _ROUNDS + 1):
        for size in _SIZES:
            draw = record if turn % _FEW else _of_few(record, rng)
            most = domain.sizes.nearest(size + one_more) - one_more
            base = [draw() for _ in range(max(most, domain.sizes.least))]
            yield _changed(domain, relation, base, draw, rng)


def random_record(domain: Domain, rng: np.random.Generator) -> Any:
    """A record, all of the domain alike; of a table every column by itself."""
    low, high = domain.ends
    if isinstance(domain, TableDomain):
        return {name: random_record(column, rng) for name, column in domain.columns}
    if isinstance(domain, MissingDomain):
        return None if rng.random() < _MISSING else random_record(domain.values, rng)
    if isinstance(domain, IntDomain):
        return int(rng.integers(low, high, endpoint=True))
    if isinstance(domain, FloatDomain):
        part = float(rng.random())
        return low * (1.0 - part) + high * part
    if isinstance(domain, DateDomain):
        return domain.at(float(rng.random()))
    listed = domain.choices if isinstance(domain, ChoiceDomain) else domain.extremes
    if isinstance(domain, BoolDomain):
        listed = (low, high)
    return listed[int(rng.integers(len(listed)))]


def _of_few(draw: Draw, rng: np.random.Generator) -> Draw:
    """Records of two to five values."""
    values = [draw() for _ in range(int(rng.integers(2, _MOST_VALUES, endpoint=True)))]
    return lambda: values[int(rng.integers(len(values)))]


def _changed(
    domain: Domain, relation: AnyRelation, base: list[Any], draw: Draw, rng: np.random.Generator
) -> Candidate:
    """A neighbor by one more record or another one anywhere, or as far off as is allowed."""
    if isinstance(relation, Within):
        return _moved(domain, relation, base, draw, rng)
    at = int(rng.integers(max(1, len(base))))
    if relation is Relation.SUBSTITUTE:
        return move(domain, base, draw(), at)
    if relation is Relation.USER and isinstance(domain, TableDomain):
        rows = [draw() for _ in range(int(rng.integers(1, domain.many_rows, endpoint=True)))]
        return arrival(domain, [[row] for row in base], rows)
    return insertion(domain, base, draw(), at)


def _moved(
    domain: Domain, relation: Within, base: list[Any], draw: Draw, rng: np.random.Generator
) -> Candidate:
    """Some numbers moved up or down as far as they may, or some other records."""
    counted = relation.measure is Measure.CHANGES
    most = min(int(relation.most), len(base)) if counted else len(base)
    count = int(rng.integers(1, most, endpoint=True))
    places = set(rng.choice(len(base), count, replace=False).tolist())
    if not counted:
        signs = tuple(int(rng.choice((-1, 1))) if at in places else 0 for at in range(len(base)))
        return base, moved(base, signs, relation, domain)
    left = [owned(domain, one, owner) for owner, one in enumerate(base)]
    changed = (draw() if at in places else one for at, one in enumerate(base))
    return left, [owned(domain, one, owner) for owner, one in enumerate(changed)]
