"""Pairs that show the bugs mechanisms are known to have, from the record domain alone.

Where a mechanism looks at how records stand to each other, no extreme record tells:
one joins two runs, continues a progression, keeps an alternation going, makes all values
come equally often, or is the edge that closes a ring or many triangles.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice, pairwise, product
from typing import Any

from audit.neighbors.candidates import (
    MOST_RECORDS,
    Candidate,
    arrival,
    changed,
    check_domain,
    distinct_candidates,
    in_order,
    insertion,
    move,
    of_size,
    summing_to,
    telling_sizes,
    within_candidates,
)
from audit.neighbors.domain import (
    BoolDomain,
    ChoiceDomain,
    Domain,
    FloatDomain,
    IntDomain,
    Sizes,
    TableDomain,
)
from audit.neighbors.domain.columns import INT64_HIGH, TYPE_EDGES
from audit.neighbors.domain.record import distinct
from audit.neighbors.pair import Pair, made_pair
from audit.neighbors.rows import user_column
from audit.relation import AnyRelation, Relation, Within

_MOST_EXTREMES = 8
_OTHERS = slice(2, 2 + _MOST_EXTREMES)
"""The first few extremes beside the ends."""
_PARTS = (0.75, 0.5, 0.25)
"""Parts of the ranges of all columns at once."""
_GROUPS, _MOST_GROUPS = 3, 16
"""Groups of which each is once the only empty one, and groups at most."""
_THRESHOLDS = (4, 5, 9, 10, 19, 20, 49, 99, 127, 255)
"""Sizes at which one record more crosses the thresholds people choose, and those of bytes."""


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
    others, kinds = domain.extremes[_OTHERS], list(domain.extremes[:_MOST_EXTREMES])
    yield from (insertion(domain, [], record) for record in (high, low, *others))
    yield from (insertion(domain, [], record) for record in _interior(domain))
    yield from _among_others(domain, Relation.ADD_REMOVE, low, high)
    yield from _among_others(domain, Relation.ADD_REMOVE, high, low)
    yield from (insertion(domain, [end], record) for end in (low, high) for record in others)
    yield from (insertion(domain, [high] * count, high) for count in (1, 2, *_THRESHOLDS))
    yield insertion(domain, [low], low)
    yield insertion(domain, kinds, high)
    yield from _emptied(domain, [kinds, *_groups(domain)])
    yield from (insertion(domain, [], record) for record in _further_edges(domain))
    yield from (insertion(domain, [low] * 5 + [high] * 3, record) for record in others[:2])
    yield from (insertion(domain, base, step) for base, step in _sums_at_edges(domain))


def _substituted(domain: Domain) -> Iterator[Candidate]:
    """One record moved: opposite moves, one against the rest, medians that flip."""
    low, high = domain.ends
    others, kinds = domain.extremes[_OTHERS], list(domain.extremes[:_MOST_EXTREMES])
    yield from (move(domain, [low], record) for record in (high, *others, *_interior(domain)))
    yield from (move(domain, [one], other) for one, other in pairwise((high, *others)))
    yield from _among_others(domain, Relation.SUBSTITUTE, low, high)
    yield from _among_others(domain, Relation.SUBSTITUTE, high, low)
    yield from (move(domain, [low] * 2, record) for record in others)
    yield from (move(domain, [low] * 5 + [high], record) for record in others[:2])
    yield from (move(domain, kinds * copies, low) for copies in (1, 2))
    yield from (move(domain, [high] * count + [low], high) for count in _THRESHOLDS)
    yield from (move(domain, [low], record) for record in _further_edges(domain))
    if domain.contains(0):
        yield from (move(domain, [*base, 0], step) for base, step in _sums_at_edges(domain))


def _among_others(domain: Domain, relation: Relation, many: Any, one: Any) -> Iterator[Candidate]:
    moved = relation is Relation.SUBSTITUTE
    for count in (1, 2, 3, 5, 10, 50, 1000):
        yield changed(domain, relation, [many] * count, one)
    for count in (1, 2, 5, 50):
        base = [many] * (count + moved) + [one] * count
        yield changed(domain, relation, base, one, 0 if moved else None)
    for count in (2, 10):
        yield changed(domain, relation, [one] + [many] * count, one if moved else many)
        yield changed(domain, relation, [many] * 5 * count, one, 0)
    yield changed(domain, relation, [many] * 10, one, 5)


def _users(domain: TableDomain) -> Iterator[Candidate]:
    """All rows of one user more: many rows, many different ones, the same as everybody's."""
    low, high = domain.ends
    rows, kinds = domain.many_rows, domain.extremes
    varied = [kinds[row % len(kinds)] for row in range(rows)]
    for record in (high, low, *kinds[_OTHERS]):
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
    for count in (1, 2, *_THRESHOLDS):
        yield arrival(domain, [[high]] * count, [high])


def _interior(domain: Domain) -> Iterator[Any]:
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


def _groups(domain: Domain) -> Iterator[list[Any]]:
    """By each column of few values, one row for each of them."""
    low = domain.ends[0]
    for name, column in domain.columns if isinstance(domain, TableDomain) else ():
        values = column.choices if isinstance(column, ChoiceDomain) else column.extremes
        if isinstance(column, (BoolDomain, ChoiceDomain)) and 1 < len(values) <= _MOST_GROUPS:
            yield [{**low, name: value} for value in values]


def _emptied(domain: Domain, groups: Iterable[list[Any]]) -> Iterator[Candidate]:
    """Of records that are all different, one comes to the others, each of a few in turn."""
    for records in groups:
        for at in range(min(_GROUPS, len(records))):
            yield insertion(domain, records[:at] + records[at + 1 :], records[at])


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
        if relation is Relation.SUBSTITUTE:
            for other in (domain.opposite(record), others[0]):
                yield move(domain, list(records), other, at)
        else:
            yield changed(domain, relation, others, record, at)


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
    between = [*distinct(domain.extremes)[2:3], high][0]
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
    """Records that are edges, if the first two columns of one kind hold the nodes."""
    columns = domain.columns if isinstance(domain, TableDomain) else ()
    alike = (
        (one, other, column)
        for (one, column), (other, second) in combinations(columns, 2)
        if str(column) == str(second) and isinstance(column, (IntDomain, ChoiceDomain))
    )
    for one, other, column in islice(alike, 1):
        names, low = consecutive(column, max(_LEAVES) + 2), domain.ends[0]
        for edges in _drawings():
            if max(max(edge) for edge in edges) < len(names):
                yield [{**low, one: names[start], other: names[end]} for start, end in edges], -1


def _drawings() -> list[list[tuple[int, int]]]:
    """Edges of each graph, the critical one last."""
    edges: list[list[tuple[int, int]]] = []
    for leaves in _LEAVES:
        pages = range(2, leaves + 2)
        edges.append([(0, leaf) for leaf in range(1, leaves + 1)])
        edges.append([*((end, page) for page in pages for end in (0, 1)), (0, 1)])
        edges.append([*((page % 2, page) for page in pages), (0, 1)])
    edges += [list(combinations(range(count), 2)) for count in _CLIQUES]
    edges += [[(at, (at + 1) % count) for at in range(count)] for count in _RINGS]
    edges += [[*product(range(one), range(one, one + other))] for one, other in _PARTIES]
    return edges


_MOST_PAIRS = 132
_ORDERED = 6
"""Records of the larger dataset where their order is tried."""


def worst_pairs(domain: Domain, relation: AnyRelation) -> tuple[Pair, ...]:
    """The pairs worth trying before any search, named W1, W2, ..., the smallest first.

    At most 132 pairs whose sizes the domain admits, of datasets of at most 40,000 records, no two
    alike in either order, the same at every call; no declared ones, which cannot be made up.
    InputError where users have no column, or distances are between what is no number.
    """
    chosen = sorted(_made_up(domain, relation), key=lambda pair: max(map(len, pair)))[:_MOST_PAIRS]
    return tuple(made_pair(f"W{i}", domain, relation, pair) for i, pair in enumerate(chosen, 1))


def first_pair(domain: Domain, relation: AnyRelation) -> Pair | None:
    """The one most worth trying; None where none can be made up. Errors as of `worst_pairs`."""
    made = (made_pair("W1", domain, relation, pair) for pair in _made_up(domain, relation))
    return next(made, None)


def _made_up(domain: Domain, relation: AnyRelation) -> Iterable[Candidate]:
    """Pairs whose sizes the domain admits, no two alike."""
    if relation is Relation.DECLARED:
        return ()
    if relation is Relation.USER:
        user_column(domain)
    return distinct_candidates(_all(domain, relation), domain.sizes)


def _all(domain: Domain, relation: AnyRelation) -> Iterator[Candidate]:
    """Pairs known to show mistakes, all orders, structures, then datasets of certain sizes."""
    if isinstance(relation, Within):
        check_domain(domain, relation)
        yield from within_candidates(domain, relation)
        return
    yield from candidates(domain, relation)
    yield from in_order(domain, relation, _ORDERED)
    yield from structured(domain, relation)
    if domain.sizes != Sizes():
        for size in telling_sizes(domain.sizes, MOST_RECORDS):
            yield from of_size(domain, relation, size)
