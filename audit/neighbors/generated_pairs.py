"""Generated pairs: that step over the constants of code, and of random records.

A property that one dataset in ten has, as a common divisor or a small cycle, comes up
soon where records are drawn from all of the domain, or again and again from a few values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, combinations, islice, pairwise, product, zip_longest
from typing import Any

import numpy as np

import audit.neighbors.domain as domains
from audit.neighbors.candidates import (
    Candidate,
    arrival,
    before,
    between,
    changed,
    distinct_candidates,
    each_owned,
    insertion,
    listed_in,
    move,
    moved,
    summing_to,
    telling_sizes,
)
from audit.neighbors.domain import Domain, Sizes
from audit.neighbors.domain.record import distinct
from audit.neighbors.pair import Pair, made_pair
from audit.relation import AnyRelation, Measure, Relation, Within
from audit.source_code import Constants

_MOST_PAIRS, _MOST_ROWS = 80, 40
_MOST_RECORDS = 2_000
_CONSTANT_NAME = "K"
_OF_ONE_RECORD = (Relation.ADD_REMOVE, Relation.SUBSTITUTE)


def constant_records(domain: Domain, constants: Constants) -> tuple[Any, ...]:
    """Records of the domain that are constants, one beside them, or in the middle of two; in a
    table one column is, or two are."""
    if isinstance(domain, domains.TableDomain):
        return distinct(islice(_rows(domain, constants), _MOST_ROWS))
    if isinstance(domain, domains.MissingDomain):
        return constant_records(domain.values, constants)
    return distinct(record for record in _tried(domain, constants) if domain.contains(record))


def _tried(domain: Domain, constants: Constants) -> Iterable[Any]:
    """Constants of the kind of a domain's records, in the domain or not."""
    if isinstance(domain, (domains.TextDomain, domains.DateDomain)):
        return constants.texts
    if isinstance(domain, domains.ChoiceDomain):
        return (*constants.texts, *constants.numbers)
    numbers: list[Any] = []
    if isinstance(domain, domains.IntDomain):
        numbers = [int(number) for number in constants.numbers if number == int(number)]
    elif isinstance(domain, domains.FloatDomain):
        numbers = [float(number) for number in constants.numbers]
    return (*chain.from_iterable((x, x - 1, x + 1) for x in numbers), *_middles(numbers))


def _rows(domain: domains.TableDomain, constants: Constants) -> Iterator[dict[str, Any]]:
    """Rows that have a constant in one column, and then in two."""
    low = domain.ends[0]
    tried = [
        [{name: value} for value in constant_records(column, constants)]
        for name, column in domain.columns
    ]
    yield from ({**low, **value} for values in tried for value in values)
    for values, others in combinations(tried, 2):
        yield from ({**low, **value, **other} for value, other in product(values, others))


def _middles(numbers: Sequence[Any]) -> list[Any]:
    """The middles of neighboring numbers, which are the ends of ranges that code looks for."""
    ordered = sorted(set(numbers))
    whole = all(isinstance(number, int) for number in ordered)
    pairs = [(a, b) for a, b in pairwise(ordered) if not whole or b - a > 2]
    return [a + (b - a) // 2 if whole else a + (b - a) / 2 for a, b in pairs]


def constant_pairs(domain: Domain, relation: AnyRelation, constants: Constants) -> tuple[Pair, ...]:
    """At most 80 pairs that step over constants, the plainest of every constant first.

    All datasets have as many records as the domain allows: what is promised for datasets
    of one size says nothing of others. Within a distance there are none.
    """
    if isinstance(relation, Within) or relation is Relation.DECLARED:
        return ()
    records = constant_records(domain, constants)
    kinds = (
        _of_records(domain, relation, records),
        _among_others(domain, relation, records),
        _of_sizes(domain, relation, constants),
        _of_sums(domain, relation, constants),
    )
    in_turns = (pair for turn in zip_longest(*kinds) for pair in turn if pair is not None)
    chosen = islice(distinct_candidates(in_turns, domain.sizes), _MOST_PAIRS)
    return tuple(made_pair(_CONSTANT_NAME, domain, relation, pair) for pair in chosen)


def _of_records(
    domain: Domain, relation: AnyRelation, records: Sequence[Any]
) -> Iterator[Candidate]:
    """A constant that comes, one that goes, and one beside which another comes or goes."""
    low, high = domain.ends
    if relation is Relation.SUBSTITUTE:
        yield from (move(domain, [low], record) for record in records)
        for record in records:
            yield move(domain, [high], record)
            yield move(domain, [low, high, low], record, at=1)
            yield move(domain, [record, low], high)
        return
    alone = relation is Relation.ADD_REMOVE
    if alone:
        yield from (insertion(domain, [], record) for record in records)
    for record in records:
        if not alone:
            yield changed(domain, relation, [], record)
        yield changed(domain, relation, [low, high], record)
        yield changed(domain, relation, [record], high)
        if alone:
            yield insertion(domain, [record], low)


def _among_others(
    domain: Domain, relation: AnyRelation, records: Sequence[Any]
) -> Iterator[Candidate]:
    """Pairs with a constant among many others, for domains of limited sizes."""
    if domain.sizes == Sizes():
        return
    low, high = domain.ends
    for size in telling_sizes(domain.sizes, _MOST_RECORDS):
        count = before(relation, size)
        for record in records:
            for many, one in ((low, record), (high, record), (record, low), (record, high)):
                yield changed(domain, relation, [many] * count, one)


def _of_sizes(domain: Domain, relation: AnyRelation, constants: Constants) -> Iterator[Candidate]:
    """So many records, and one more or fewer."""
    low, high = domain.ends
    sizes = [int(k) for k in constants.numbers if 2 <= k <= _MOST_RECORDS and k == int(k)]
    for size, (many, one) in product(sizes, ((low, high), (high, low))):
        count, record = before(relation, size), one if relation is Relation.SUBSTITUTE else many
        yield changed(domain, relation, [many] * count, record)
        yield changed(domain, relation, [many] * (count + 1), record)


def _of_sums(domain: Domain, relation: AnyRelation, constants: Constants) -> Iterator[Candidate]:
    """Whole numbers whose sum steps over a constant."""
    if not isinstance(domain, domains.IntDomain) or relation not in _OF_ONE_RECORD:
        return
    last = relation is Relation.SUBSTITUTE
    for total in (int(k) for k in constants.numbers if k == int(k) and k >= 1):
        for below in (total - 1, total):
            base = summing_to(below, domain.high)
            base += [0] * (domain.sizes.least - last - len(base))
            if len(base) <= _MOST_RECORDS and all(map(domain.contains, (*base, 0, 1))):
                yield changed(domain, relation, [*base, *[0] * last], 1)


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

    There are none for declared neighbors, nor for a domain with a strategy of its own.
    """
    if isinstance(domain, domains.StrategyDomain) or relation is Relation.DECLARED:
        return
    for pair in distinct_candidates(_drawn(domain, relation, rng), domain.sizes):
        yield made_pair(_NAME, domain, relation, pair)


def _drawn(domain: Domain, relation: AnyRelation, rng: np.random.Generator) -> Iterator[Candidate]:
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
    if isinstance(domain, domains.TableDomain):
        return {name: random_record(column, rng) for name, column in domain.columns}
    if isinstance(domain, domains.MissingDomain):
        return None if rng.random() < _MISSING else random_record(domain.values, rng)
    if isinstance(domain, domains.IntDomain):
        return int(rng.integers(*domain.ends, endpoint=True))
    if isinstance(domain, (domains.FloatDomain, domains.DateDomain)):
        return between(domain, float(rng.random()))
    listed = listed_in(domain)
    return listed[int(rng.integers(len(listed)))]


def _of_few(draw: Draw, rng: np.random.Generator) -> Draw:
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
    if relation is Relation.USER and isinstance(domain, domains.TableDomain):
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
    changed = (draw() if at in places else one for at, one in enumerate(base))
    return each_owned(domain, base), each_owned(domain, changed)
