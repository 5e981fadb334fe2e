"""Pairs that show the bugs mechanisms are known to have, from the record domain alone.

Where a mechanism looks at how records stand to each other, no extreme record tells:
one joins two runs, continues a progression, keeps an alternation going, makes all values
come equally often, or is the edge that closes a ring or many triangles.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import Any

from audit.neighbors.candidates import (
    MOST_RECORDS,
    Candidate,
    admitted,
    arrival,
    candidates,
    in_order,
    insertion,
    move,
    of_size,
    telling_sizes,
    unlike,
)
from audit.neighbors.domain import ChoiceDomain, Domain, FloatDomain, IntDomain, Sizes, TableDomain
from audit.neighbors.domain.record import distinct
from audit.neighbors.pair import Pair, neighboring
from audit.neighbors.rows import user_column
from audit.neighbors.within import check_domain, within_candidates
from audit.relation import AnyRelation, Relation, Within

_RUNS = (3, 7, 17)
"""Records of runs of which the middle one is missing."""
_STEPS = (2, 5, 10)
_PROGRESSION = 7
_RAMPS = (7, 12)
_ALTERNATIONS = (7, 20)
_CLUSTER = 5
_LEAVES = (3, 7)
_CLIQUES = (3, 4, 5)
_RINGS = (4, 5, 6)
_PARTIES = ((2, 3), (3, 3))
"""Nodes on both sides of graphs in which every one is tied to all of the other side."""
_KINDS = (2, 3, 4, 5)
_COPIES = (2, 3)
_FEW_VALUES = 12
"""Values of a domain that is small enough for a dataset to hold them all."""

Structure = tuple[Sequence[Any], int]
"""Records in order, and the place of the one that everything hangs on."""


def structured(domain: Domain, relation: AnyRelation) -> Iterator[Candidate]:
    """Datasets that one record more, another one or one user more changes as a whole."""
    for records, at in (*_sequences(domain), *_graphs(domain)):
        at %= len(records)
        record, others = records[at], [*records[:at], *records[at + 1 :]]
        if relation is Relation.ADD_REMOVE:
            yield insertion(domain, others, record, at)
        elif relation is Relation.SUBSTITUTE:
            for other in (domain.opposite(record), others[0]):
                yield move(domain, list(records), other, at)
        elif isinstance(domain, TableDomain):
            yield arrival(domain, [[other] for other in others], [record], at)


def consecutive(domain: Domain, count: int, step: int = 1) -> list[Any]:
    """So many records a step apart, from 0 or the low end on; fewer where there are not so many."""
    if isinstance(domain, ChoiceDomain):
        return list(domain.choices[::step][:count])
    if not isinstance(domain, (IntDomain, FloatDomain)):
        return []
    start = 0 if domain.contains(0) and domain.contains(step * (count - 1)) else domain.ends[0]
    found = [start + step * place for place in range(count)]
    records = [float(x) for x in found] if isinstance(domain, FloatDomain) else found
    return [record for record in records if domain.contains(record)]


def _ramps(ramp: list[Any], high: Any) -> Iterator[Structure]:
    """Records in order and backwards, with the largest in the middle as well."""
    if len(ramp) < 3:
        return
    middle = len(ramp) // 2
    for records in (ramp, ramp[::-1]):
        yield records, len(records) - 1
        yield records, 0
        yield [*records[:middle], high, *records[middle:]], middle


def _sequences(domain: Domain) -> Iterator[Structure]:
    low, high = domain.ends
    runs = [consecutive(domain, count) for count in _RUNS]
    runs += [consecutive(domain, _PROGRESSION, step) for step in _STEPS]
    yield from ((run, len(run) // 2) for run in runs if len(run) >= 3)
    for count in _RAMPS:
        yield from _ramps(consecutive(domain, count), high)
    for count in _ALTERNATIONS:
        turns = [(low, high)[place % 2] for place in range(count)]
        yield turns, 0
        yield turns, count // 2
    kinds = distinct(domain.extremes)
    between = kinds[2] if len(kinds) > 2 else high
    yield [low] * _CLUSTER + [between] + [high] * _CLUSTER, _CLUSTER
    yield from _equally_often(domain)


def _equally_often(domain: Domain) -> Iterator[Structure]:
    """Several values of which each comes as often as every other, and all values there are."""
    values = consecutive(domain, _FEW_VALUES + 1)
    for count in _KINDS:
        for copies in _COPIES:
            if count <= len(values):
                yield [value for value in values[:count] for _ in range(copies)], -1
    if max(_KINDS) < len(values) <= _FEW_VALUES:
        for copies in (1, *_COPIES):
            yield [value for value in values for _ in range(copies)], -1


def _graphs(domain: Domain) -> Iterator[Structure]:
    """Records that are edges: of a star, a book, a clique, a ring, of two sides, between stars."""
    nodes = _nodes(domain)
    if nodes is None:
        return
    columns, names = nodes
    low = domain.ends[0]
    for drawn in _drawings():
        if max(max(edge) for edge in drawn) < len(names):
            rows = [
                {**low, columns[0]: names[start], columns[1]: names[end]} for start, end in drawn
            ]
            yield rows, len(rows) - 1


def _drawings() -> list[list[tuple[int, int]]]:
    """Edges of each graph, the critical one last."""
    edges: list[list[tuple[int, int]]] = []
    for leaves in _LEAVES:
        edges.append([(0, leaf) for leaf in range(1, leaves + 1)])
        pages = [(end, page) for page in range(2, leaves + 2) for end in (0, 1)]
        edges.append([*pages, (0, 1)])
        stars = [(page % 2, page) for page in range(2, leaves + 2)]
        edges.append([*stars, (0, 1)])
    edges += [list(combinations(range(count), 2)) for count in _CLIQUES]
    edges += [[(at, (at + 1) % count) for at in range(count)] for count in _RINGS]
    edges += [[*product(range(one), range(one, one + other))] for one, other in _PARTIES]
    return edges


def _nodes(domain: Domain) -> tuple[tuple[str, str], list[Any]] | None:
    """The first two columns of one and the same kind, and what may stand in them."""
    if not isinstance(domain, TableDomain):
        return None
    for (one, column), (other, second) in combinations(domain.columns, 2):
        if str(column) == str(second) and isinstance(column, (IntDomain, ChoiceDomain)):
            return (one, other), consecutive(column, max(_LEAVES) + 2)
    return None


_MOST_PAIRS = 132
_ORDERED = 6
"""Records of the larger dataset where their order is tried."""


def worst_pairs(
    domain: Domain, relation: AnyRelation, largest: int = MOST_RECORDS
) -> tuple[Pair, ...]:
    """The pairs worth trying before any search, named W1, W2, ..., the smallest first.

    Args:
        domain: what a record may be.
        relation: what makes datasets neighbors; declared ones cannot be made
            up, so there are none.
        largest: pairs in which a dataset has more records are left out.

    Returns:
        At most 132 pairs whose sizes the domain admits, no two alike in either
        order, the same at every call.

    Raises:
        InputError: under user, when no column of the domain names a user; or
            records are no numbers, and their distance counts.
    """
    if relation is Relation.DECLARED:
        return ()
    user = user_column(domain) if relation is Relation.USER else None
    possible = admitted(_all(domain, relation, largest), domain.sizes)
    chosen = sorted(unlike(possible, largest), key=lambda pair: max(map(len, pair)))
    return tuple(
        neighboring(f"W{i}", domain.dataset(left), domain.dataset(right), relation, user)
        for i, (left, right) in enumerate(chosen[:_MOST_PAIRS], 1)
    )


def _all(domain: Domain, relation: AnyRelation, largest: int) -> Iterator[Candidate]:
    """Pairs known to show mistakes, all orders, structures, then datasets of certain sizes."""
    if isinstance(relation, Within):
        check_domain(domain, relation)
        yield from within_candidates(domain, relation)
        return
    yield from candidates(domain, relation)
    yield from in_order(domain, relation, _ORDERED)
    yield from structured(domain, relation)
    if domain.sizes != Sizes():
        for size in telling_sizes(domain.sizes, largest):
            yield from of_size(domain, relation, size)
