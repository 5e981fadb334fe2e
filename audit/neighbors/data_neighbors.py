"""Neighbors of somebody's data: those that are tried first, and where a record stands out.

A flaw that real data show is mostly that of one record: the only one of its kind,
the largest in some column, the one that is there twice.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, zip_longest
from typing import Any

import numpy as np
from numpy.typing import NDArray

import audit.neighbors.rows as rows
from audit.errors import InputError
from audit.lazy_modules import loaded_pandas as pd
from audit.neighbors.candidates import moves_of
from audit.neighbors.domain import Domain, TableDomain
from audit.neighbors.domain.record import distinct, is_missing, key
from audit.neighbors.pair import Pair, check_records, neighboring
from audit.relation import AnyRelation, Relation, Within
from audit.validation import is_number

_MOST_CLASSIC, _MOST_PAIRS, _MOST_COLUMNS = 3, 40, 64
_MOST_WITHOUT = 24
"""Records of which each is left out once, if no more stand out."""
_OBSERVED_END = " (the far end of the data, as no domain is given)"


def classic_pairs(
    data: Any, relation: AnyRelation, domain: Domain | None = None
) -> tuple[Pair, ...]:
    """Up to three neighbors of a dataset that practitioners try first, named D1, D2, D3.

    Under add-remove: D without the record with the largest value, without one
    with the smallest, and without the median one; the value of a row is its
    first numeric column or its norm, and records that are no numbers go by
    frequency: the most frequent, the rarest, the first. Under substitute the
    same records move to the far end of the domain, or of the data when there is
    no domain. Under user: D without the user with most rows, with fewest, and
    with a middling number. Within a distance: D with its largest number moved, all
    moved alike, all moved up and down in turn; or its first, last and
    scattered records changed. To an empty D records from the domain are added.
    Neighbors that would be made by touching an equal record are left out.

    Raises:
        InputError: no neighbor can be built; the message says what to give.
        DomainError: a record of D lies outside the domain.
    """
    if relation is Relation.DECLARED:
        raise InputError("declared neighbors cannot be built from D; give `neighbors`", relation)
    empty = not rows.records_of(data)
    if domain is not None:
        check_records(data, domain, "D")
    base = _nothing(data, relation, domain) if empty else data
    user = rows.user_column(domain, data) if relation is Relation.USER else None
    if empty and domain is not None:
        neighbors = [*_with_first_records(base, user, domain)]
    else:
        neighbors = [*_classic(data, relation, domain, user)]
    admitted = _admitted(neighbors, relation, domain)
    made = (neighboring(f"D{i}", base, one, relation, user) for i, one in enumerate(admitted, 1))
    note = _OBSERVED_END * (relation is Relation.SUBSTITUTE and domain is None)
    return tuple(replace(pair, difference=pair.difference + note) for pair in made)


def _admitted(neighbors: list[Any], relation: AnyRelation, domain: Domain | None) -> list[Any]:
    """The neighbors that have a number of records that the domain allows, if there is one."""
    if domain is None:
        return neighbors
    admitted = [made for made in neighbors if domain.sizes.admits(len(made))]
    if not admitted:
        raise InputError(
            f"the domain {domain} allows no neighbor of D under {relation}; give other sizes, "
            "or `relation='substitute'`",
            domain,
        )
    return admitted


def _nothing(data: Any, relation: AnyRelation, domain: Domain | None) -> Any:
    """An empty dataset as records of the domain make it."""
    if relation is Relation.SUBSTITUTE or isinstance(relation, Within):
        raise InputError(f"an empty D has no neighbors under {relation}; give `data`", data)
    if domain is None:
        raise InputError("D is empty and nothing says what a record is; give `domain`", data)
    nothing = domain.dataset([])
    return data if isinstance(data, np.ndarray) and isinstance(nothing, np.ndarray) else nothing


def _with_first_records(base: Any, user: str | None, domain: Domain) -> Iterator[Any]:
    """An empty dataset with one record, or with all rows that a user may have."""
    low, high = domain.ends
    copies = domain.many_rows if user and isinstance(domain, TableDomain) else 1
    for record in distinct((high, low, *domain.extremes))[:_MOST_CLASSIC]:
        yield rows.inserted(base, 0, [record] * copies)


def _classic(
    data: Any, relation: AnyRelation, domain: Domain | None, user: str | None
) -> Iterable[Any]:
    if isinstance(relation, Within):
        moved = [*islice(moves_of(data, relation, domain), _MOST_CLASSIC)]
        if not moved:
            raise InputError(
                f"D has no neighbor under {relation} that could be built; give a vector of "
                "numbers, a wider `domain`, or `neighbors`",
                data,
            )
        return moved
    if user is not None:
        counts = Counter(rows.owners(data, user))
        ranked = sorted(counts, key=lambda owner: counts[owner])
        most = max(counts, key=lambda owner: counts[owner])
        return _without_users(data, (most, ranked[0], ranked[len(ranked) // 2]), user)
    if relation is Relation.SUBSTITUTE:
        return _substituted(data, domain)
    if domain is None or domain.sizes.admits(len(data) - 1):
        return (rows.without(data, [at]) for at in _Ranking.of(data, domain).chosen)
    return (rows.inserted(data, len(data), [record]) for record in distinct(domain.ends[::-1]))


def _substituted(data: Any, domain: Domain | None) -> list[Any]:
    """Records that stand out moved to the farthest end, or replaced by the farthest record."""
    ranking, records, found = _Ranking.of(data, domain), rows.records_of(data), []
    for at in ranking.chosen:
        moved = records[ranking.farthest(at)] if domain is None else domain.opposite(records[at])
        neighbor = rows.replaced(data, at, moved)
        if rows.keys_of(neighbor)[at] != ranking.keys[at]:
            found.append(neighbor)
    if not found:
        raise InputError(
            "all records of D are equal and no other record is known; give `domain` with at "
            "least two records, or `neighbors`",
            data,
        )
    return found


@dataclass(frozen=True, slots=True)
class _Ranking:
    """The records of a dataset in an order of size or of frequency."""

    points: NDArray[np.float64] | None
    """Shape (n, d): where records stand in space, None when they are no numbers."""
    sizes: NDArray[np.float64]
    """Shape (n,): their values or norms, some of which are numbers."""
    keys: list[Hashable]

    @classmethod
    def of(cls, data: Any, domain: Domain | None) -> _Ranking:
        """The ranking of a dataset that is not empty."""
        points = _points(data, domain)
        sizes = np.empty(0) if points is None else points[:, 0]
        if points is not None and points.shape[1] > 1:
            sizes = np.linalg.norm(points, axis=1)
        return cls(None if np.isnan(sizes).all() else points, sizes, rows.keys_of(data))

    @property
    def chosen(self) -> list[int]:
        """Positions of the largest, smallest and middle record, or by frequency."""
        if self.points is None:
            ranked = self._by_frequency()
            return _unlike((ranked[0], ranked[-1], 0), self.keys)
        numbers = np.count_nonzero(~np.isnan(self.sizes))
        order = np.argsort(self.sizes, kind="stable")
        largest = int(np.nanargmax(self.sizes))
        return _unlike((largest, int(order[0]), int(order[numbers // 2])), self.keys)

    def farthest(self, at: int) -> int:
        """Position of the record farthest from this one, its own when all are equal."""
        if self.points is None:
            candidates = self._by_frequency()[::-1]
        else:
            with np.errstate(invalid="ignore", over="ignore"):
                steps = np.nan_to_num(np.abs(self.points - self.points[at])).max(axis=1)
            candidates = [int(np.argmax(steps))]
        others = (other for other in candidates if self.keys[other] != self.keys[at])
        return next(others, at)

    def _by_frequency(self) -> list[int]:
        """The first position of each distinct record, the most frequent first."""
        counts = Counter(self.keys)
        positions = _unlike(range(len(self.keys)), self.keys)
        return sorted(positions, key=lambda at: -counts[self.keys[at]])


def _points(data: Any, domain: Domain | None) -> NDArray[np.float64] | None:
    """Numbers to order records by, shape (n, d); None when there are none."""
    if isinstance(data, pd.DataFrame):
        known = domain.columns if isinstance(domain, TableDomain) else ((c, None) for c in data)
        owner = domain.user if isinstance(domain, TableDomain) else rows.USER_COLUMN
        columns = data[[name for name, _ in known]].drop(columns=[owner], errors="ignore")
        numeric = columns.select_dtypes("number")
        data = numeric.iloc[:, 0] if numeric.shape[1] else [None]
    values = np.asarray(list(data), dtype=object)
    if any(isinstance(value, str) for value in values.flat):
        return None
    try:
        return values.astype(np.float64).reshape(len(values), -1)
    except (TypeError, ValueError):
        return None


def neighbors_of(data: Any, relation: AnyRelation, domain: Domain | None = None) -> Iterator[Pair]:
    """At most 40 neighbors of a dataset, made from what it holds.

    Under add-remove without one of its records, those that stand out first, or with one
    of those a second time; under substitute with such a record in place of another; under user
    without the user who has one; a domain may name the user column.

    Raises:
        InputError: nothing names the user column, under user.
    """
    user = rows.user_column(domain, data) if relation is Relation.USER else None
    made = islice(_standing_out(data, relation, user), _MOST_PAIRS)
    for i, neighbor in enumerate(made, 1):
        yield neighboring(f"V{i}", data, neighbor, relation, user)


def _standing_out(data: Any, relation: AnyRelation, user: str | None) -> Iterator[Any]:
    chosen = standing_out(data)
    if isinstance(relation, Within):
        yield from moves_of(data, relation)
    elif relation is Relation.ADD_REMOVE:
        every = _unlike([*chosen, *range(len(data))], rows.keys_of(data))
        yield from (rows.without(data, [at]) for at in every[: max(len(chosen), _MOST_WITHOUT)])
        for at in chosen:
            yield rows.inserted(data, len(data), [rows.record_at(data, at)])
    elif relation is Relation.SUBSTITUTE:
        yield from _with_copies(data, chosen)
    elif user is not None:
        names = rows.owners(data, user)
        yield from _without_users(data, (names[at] for at in chosen), user)


def _without_users(data: Any, users: Iterable[Hashable], column: str) -> Iterator[Any]:
    names = rows.owners(data, column)
    for user in distinct(users):
        yield rows.without(data, [at for at, name in enumerate(names) if name == user])


def _with_copies(data: Any, chosen: Sequence[int]) -> Iterator[Any]:
    """The data with one chosen record replaced by another one."""
    names = rows.keys_of(data)
    for step in range(1, len(chosen)):
        for at, other in zip(chosen, (*chosen[step:], *chosen[:step]), strict=True):
            if names[at] != names[other]:
                yield rows.replaced(data, at, rows.record_at(data, other))


def standing_out(data: Any) -> list[int]:
    """Positions of records that stand out, those of every column in turn, no two alike.

    The largest and smallest number of a column, its rarest and its most frequent
    value, a missing one; a record that is there several times, and the first, the
    middle and the last of all.
    """
    names = rows.keys_of(data)
    columns = [_striking(column) for column in islice(_columns(data), _MOST_COLUMNS)]
    in_turn = [at for row in zip_longest(*columns) for at in row if at is not None]
    first = {names[at]: at for at in _unlike(range(len(names)), names)}
    repeated = [first[name] for at, name in enumerate(names) if at != first[name]][:1]
    return _unlike([*in_turn, *repeated, 0, len(names) // 2, len(names) - 1], names)


def _unlike(positions: Iterable[int], names: Sequence[Hashable]) -> list[int]:
    """The positions, without those of a record equal to an earlier one."""
    first: dict[Hashable, int] = {}
    for at in positions:
        first.setdefault(names[at], at)
    return list(first.values())


def _columns(data: Any) -> Iterable[list[Any]]:
    if isinstance(data, pd.DataFrame):
        return (data.iloc[:, place].tolist() for place in range(data.shape[1]))
    if isinstance(data, np.ndarray) and data.ndim == 2:
        return list(data.T.tolist())
    records = rows.records_of(data)
    if records and all(isinstance(record, Mapping) for record in records):
        return _entries(records)
    return [records]


def _entries(records: Sequence[Mapping[Any, Any]]) -> Iterable[list[Any]]:
    """The values under each name that a record has, None where another lacks it."""
    names = dict.fromkeys(name for record in records for name in record)
    return ([record.get(name) for record in records] for name in names)


def _striking(values: Sequence[Any]) -> list[int]:
    """Positions of the largest, the smallest, the rarest, the most frequent and a missing value."""
    numbers = [(float(v), at) for at, v in enumerate(values) if is_number(v) and math.isfinite(v)]
    found = [max(numbers)[1], min(numbers)[1]] if numbers else []
    names = [*map(key, values)]
    counts = Counter(names)
    ranked = sorted(counts, key=lambda name: counts[name])
    found += [names.index(name) for name in (ranked[0], ranked[-1])] if ranked else []
    return found + [at for at, value in enumerate(values) if is_missing(value)][:1]


def reach_in_words(
    datasets: Sequence[Any], relation: AnyRelation, tried: int, domain: Domain | None = None
) -> str:
    """Number of the datasets' neighbors that the search tried, out of all there are."""
    whose, its = ("D", "its") if len(datasets) == 1 else (f"{len(datasets)} datasets", "their")
    found = f"the search tried {tried:,} neighbors of {whose}"
    if isinstance(relation, Within):
        return f"{found} within {relation}"
    if relation is Relation.SUBSTITUTE:
        return f"{found} with another of {its} records in place of one"
    users = relation is Relation.USER
    held = sum(
        len(set(rows.owners(data, rows.user_column(domain, data)) if users else rows.keys_of(data)))
        for data in datasets
    )
    fewer = "the rows of one user" if users else "one record"
    more = "" if users or tried <= held else ", some of them with one record twice"
    return f"{found}{more}; without {fewer} there are {held:,}"
