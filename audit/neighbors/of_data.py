"""Neighbors of somebody's data beyond the first three: where a record stands out in any column.

A flaw that real data show is mostly that of one record: the only one of its kind,
the largest in some column, the one that is there twice.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, zip_longest
from typing import Any

import numpy as np

from audit.lazy_modules import loaded_pandas as pd
from audit.neighbors.domain import Domain
from audit.neighbors.domain.record import distinct, key
from audit.neighbors.pair import Pair, neighboring
from audit.neighbors.rows import (
    inserted,
    keys_of,
    owners,
    record_at,
    records_of,
    replaced,
    user_column,
    without,
)
from audit.neighbors.within import moves_of
from audit.relation import AnyRelation, Relation, Within
from audit.validation import is_number

_MOST_PAIRS = 40
_MOST_COLUMNS = 64


def neighbors_of(data: Any, relation: AnyRelation, domain: Domain | None = None) -> Iterator[Pair]:
    """At most 40 neighbors of a dataset, made from what it holds.

    Under add-remove without a record that stands out, or with one of those a second
    time; under substitute with such a record in place of another; under user
    without the user who has one; a domain may name the user column.

    Raises:
        InputError: nothing names the user column, under user.
    """
    made = islice(_made(data, relation, standing_out(data), domain), _MOST_PAIRS)
    return (replace(pair, name=f"V{i}") for i, pair in enumerate(made, 1))


def standing_out(data: Any) -> list[int]:
    """Positions of records that stand out, those of every column in turn, no two alike.

    The largest and smallest number of a column, its rarest and its most frequent
    value, a missing one; a record that is there several times, and the first, the
    middle and the last of all.
    """
    names = keys_of(data)
    columns = [_striking(column) for column in islice(_columns(data), _MOST_COLUMNS)]
    in_turn = [at for row in zip_longest(*columns) for at in row if at is not None]
    positions = [*in_turn, *_repeated(names), 0, len(names) // 2, len(names) - 1]
    first: dict[Hashable, int] = {}
    for at in positions:
        first.setdefault(names[at], at)
    return list(first.values())


def reach_in_words(
    datasets: Sequence[Any], relation: AnyRelation, tried: int, domain: Domain | None = None
) -> str:
    """Number of the datasets' neighbors that were tried, out of all there are."""
    whose = "D" if len(datasets) == 1 else f"{len(datasets)} datasets"
    if isinstance(relation, Within):
        return f"{tried:,} neighbors of {whose} within {relation} were tried"
    if relation is Relation.SUBSTITUTE:
        its = "its" if len(datasets) == 1 else "their"
        return (
            f"{tried:,} neighbors of {whose} with another of {its} records in place of one were "
            "tried"
        )
    users = relation is Relation.USER
    held = sum(
        len(set(owners(data, user_column(domain, data)) if users else keys_of(data)))
        for data in datasets
    )
    fewer = "the rows of one user" if users else "one record"
    more = "" if users or tried <= held else ", some of them with one record twice"
    return f"{tried:,} neighbors of {whose} were tried{more}; without {fewer} there are {held:,}"


def _made(
    data: Any, relation: AnyRelation, chosen: Sequence[int], domain: Domain | None
) -> Iterator[Pair]:
    if isinstance(relation, Within):
        for neighbor in moves_of(data, relation):
            yield neighboring("", data, neighbor, relation)
    elif relation is Relation.ADD_REMOVE:
        for at in chosen:
            yield neighboring("", data, without(data, [at]), relation)
        for at in chosen:
            again = inserted(data, len(data), [record_at(data, at)])
            yield neighboring("", data, again, relation)
    elif relation is Relation.SUBSTITUTE:
        for moved in _with_copies(data, chosen):
            yield neighboring("", data, moved, relation)
    elif relation is Relation.USER:
        yield from _without_users(data, chosen, user_column(domain, data))


def _without_users(data: Any, chosen: Sequence[int], column: str) -> Iterator[Pair]:
    """The data without all records of the owner of a chosen record."""
    names = owners(data, column)
    for owner in distinct(names[at] for at in chosen):
        rows = [at for at, name in enumerate(names) if name == owner]
        yield neighboring("", data, without(data, rows), Relation.USER, column)


def _with_copies(data: Any, chosen: Sequence[int]) -> Iterator[Any]:
    """The data with one chosen record replaced by another one."""
    names = keys_of(data)
    for step in range(1, len(chosen)):
        for place, at in enumerate(chosen):
            other = chosen[(place + step) % len(chosen)]
            if names[at] != names[other]:
                yield replaced(data, at, record_at(data, other))


def _columns(data: Any) -> Iterator[list[Any]]:
    """The values of each column of a table or a matrix; else the records themselves."""
    if isinstance(data, pd.DataFrame):
        yield from (data.iloc[:, place].tolist() for place in range(data.shape[1]))
    elif isinstance(data, np.ndarray) and data.ndim == 2:
        yield from data.T.tolist()
    else:
        yield from _columns_of_records(records_of(data))


def _columns_of_records(records: list[Any]) -> Iterator[list[Any]]:
    if records and all(isinstance(record, Mapping) for record in records):
        names = dict.fromkeys(name for record in records for name in record)
        yield from ([record.get(name) for record in records] for name in names)
    else:
        yield records


def _striking(values: Sequence[Any]) -> list[int]:
    """Positions of the largest, the smallest, the rarest, the most frequent and a missing value."""
    numbers = [(float(v), at) for at, v in enumerate(values) if is_number(v) and math.isfinite(v)]
    found = [max(numbers)[1], min(numbers)[1]] if numbers else []
    names = [*map(key, values)]
    counts = Counter(names)
    ranked = sorted(counts, key=lambda name: counts[name])
    found += [names.index(name) for name in (ranked[0], ranked[-1])] if ranked else []
    return found + [at for at, value in enumerate(values) if _is_missing(value)][:1]


def _is_missing(value: Any) -> bool:
    return key(value) in (None, key(math.nan))


def _repeated(names: Iterable[Hashable]) -> list[int]:
    """The first record that is there several times."""
    places: dict[Hashable, int] = {}
    for at, name in enumerate(names):
        if places.setdefault(name, at) != at:
            return [places[name]]
    return []
