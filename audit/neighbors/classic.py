"""D1, D2, D3: the neighbors of a dataset that practitioners try first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.errors import InputError
from audit.lazy_modules import loaded_pandas as pd
from audit.neighbors.domain import Domain, TableDomain
from audit.neighbors.domain.record import distinct
from audit.neighbors.pair import Pair, check_records, neighboring
from audit.neighbors.rows import (
    USER_COLUMN,
    inserted,
    keys_of,
    owners,
    records_of,
    replaced,
    user_column,
    without,
)
from audit.neighbors.within import moves_of
from audit.relation import AnyRelation, Relation, Within

_MOST = 3
_OBSERVED_END = " (the far end of the data, as no domain is given)"


def classic_pairs(
    data: Any, relation: AnyRelation, domain: Domain | None = None
) -> tuple[Pair, ...]:
    """Up to three neighbors of a dataset, named D1, D2, D3.

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
    empty = not records_of(data)
    if domain is not None:
        check_records(data, domain, "D")
    pairs = list((_from_nothing if empty else _from_records)(data, relation, domain))
    if domain is not None:
        pairs = [pair for pair in pairs if domain.sizes.admits(len(pair.neighbor))]
        _check_any(pairs, domain, relation)
    return tuple(replace(pair, name=f"D{i}") for i, pair in enumerate(pairs, 1))


def _from_records(data: Any, relation: AnyRelation, domain: Domain | None) -> Iterable[Pair]:
    """Neighbors of a dataset that has records."""
    if isinstance(relation, Within):
        pairs = [
            neighboring("", data, neighbor, relation)
            for neighbor in islice(moves_of(data, relation, domain), _MOST)
        ]
        _check_moved(pairs, data, relation)
        return pairs
    if relation is Relation.USER:
        return _without_users(data, user_column(domain, data))
    if relation is Relation.ADD_REMOVE:
        return list(_one_fewer(data, domain)) or _one_more(data, domain)
    return _substituted(data, domain)


def _check_any(pairs: list[Pair], domain: Domain, relation: AnyRelation) -> None:
    if not pairs:
        raise InputError(
            f"the domain {domain} allows no neighbor of D under {relation}; give other sizes, or "
            "`relation='substitute'`",
            domain,
        )


def _check_moved(pairs: list[Pair], data: Any, relation: Within) -> None:
    if not pairs:
        raise InputError(
            f"D has no neighbor under {relation} that could be built; give a vector of numbers, a "
            "wider `domain`, or `neighbors`",
            data,
        )


def _one_fewer(data: Any, domain: Domain | None) -> Iterator[Pair]:
    if domain is None or domain.sizes.admits(len(data) - 1):
        for at in _Ranking.of(data, domain).chosen:
            yield neighboring("", data, without(data, [at]), Relation.ADD_REMOVE)


def _one_more(data: Any, domain: Domain | None) -> Iterator[Pair]:
    """Pairs with one more record, if none may be removed."""
    for record in () if domain is None else distinct(domain.ends[::-1]):
        yield neighboring("", data, inserted(data, len(data), [record]), Relation.ADD_REMOVE)


@dataclass(frozen=True, slots=True)
class _Ranking:
    """The records of a dataset in an order of size or of frequency.

    Attributes:
        points: shape (n, d): where records stand in space, None when they are
            no numbers.
        sizes: shape (n,): their values or norms, some of which are numbers.
        keys: n of them, equal for equal records.
    """

    points: NDArray[np.float64] | None
    sizes: NDArray[np.float64]
    keys: list[Hashable]

    @classmethod
    def of(cls, data: Any, domain: Domain | None) -> _Ranking:
        """The ranking of a dataset that is not empty."""
        points = _points(data, domain)
        sizes = np.empty(0) if points is None else points[:, 0]
        if points is not None and points.shape[1] > 1:
            sizes = np.linalg.norm(points, axis=1)
        return cls(None if np.isnan(sizes).all() else points, sizes, keys_of(data))

    @property
    def chosen(self) -> list[int]:
        """Positions of the largest, smallest and middle record, or by frequency."""
        if self.points is None:
            ranked = self._by_frequency()
            candidates = [ranked[0], ranked[-1], 0]
        else:
            numbers = np.count_nonzero(~np.isnan(self.sizes))
            order = np.argsort(self.sizes, kind="stable")[:numbers]
            candidates = [int(np.nanargmax(self.sizes)), int(order[0]), int(order[numbers // 2])]
        first: dict[Hashable, int] = {}
        for at in candidates:
            first.setdefault(self.keys[at], at)
        return list(first.values())

    def farthest(self, at: int) -> int | None:
        """Position of the record farthest from this one, None when all are equal."""
        if self.points is None:
            candidates = self._by_frequency()[::-1]
        else:
            with np.errstate(invalid="ignore", over="ignore"):
                steps = np.nan_to_num(np.abs(self.points - self.points[at])).max(axis=1)
            candidates = [int(np.argmax(steps))]
        others = (other for other in candidates if self.keys[other] != self.keys[at])
        return next(others, None)

    def _by_frequency(self) -> list[int]:
        """The first position of each distinct record, the most frequent first."""
        first = {key: at for at, key in reversed(list(enumerate(self.keys)))}
        return [first[key] for key, _ in Counter(self.keys).most_common()]


def _points(data: Any, domain: Domain | None) -> NDArray[np.float64] | None:
    """Numbers to order records by, shape (n, d); None when there are none."""
    if isinstance(data, pd.DataFrame):
        owner = domain.user if isinstance(domain, TableDomain) else USER_COLUMN
        known = (
            [name for name, _ in domain.columns]
            if isinstance(domain, TableDomain)
            else list(data.columns)
        )
        numeric = data[known].drop(columns=[owner], errors="ignore").select_dtypes("number")
        data = numeric.iloc[:, 0] if numeric.shape[1] else [None]
    values = np.asarray(list(data), dtype=object)
    if any(isinstance(value, str) for value in values.flat):
        return None
    try:
        return values.astype(np.float64).reshape(len(values), -1)
    except (TypeError, ValueError):
        return None


def _substituted(data: Any, domain: Domain | None) -> Iterator[Pair]:
    ranking, records = _Ranking.of(data, domain), records_of(data)
    found = False
    for at in ranking.chosen:
        if domain is not None:
            moved = domain.opposite(records[at])
        elif (other := ranking.farthest(at)) is not None:
            moved = records[other]
        else:
            continue
        neighbor = replaced(data, at, moved)
        if keys_of(neighbor)[at] != ranking.keys[at]:
            found = True
            pair = neighboring("", data, neighbor, Relation.SUBSTITUTE)
            note = _OBSERVED_END if domain is None else ""
            yield replace(pair, difference=pair.difference + note)
    if not found:
        raise InputError(
            "all records of D are equal and no other record is known; give `domain` with at "
            "least two records, or `neighbors`",
            data,
        )


def _without_users(data: Any, column: str) -> Iterator[Pair]:
    names = owners(data, column)
    rows = Counter(names)
    ranked = sorted(rows, key=lambda owner: rows[owner])
    chosen = distinct((max(rows, key=lambda owner: rows[owner]), ranked[0], ranked[len(rows) // 2]))
    for owner in chosen:
        at = [position for position, name in enumerate(names) if name == owner]
        yield neighboring("", data, without(data, at), Relation.USER, column)


def _from_nothing(data: Any, relation: AnyRelation, domain: Domain | None) -> Iterator[Pair]:
    if relation is Relation.SUBSTITUTE or isinstance(relation, Within):
        raise InputError(f"an empty D has no neighbors under {relation}; give `data`", data)
    if domain is None:
        raise InputError("D is empty and nothing says what a record is; give `domain`", data)
    nothing = domain.dataset([])
    base = data if isinstance(data, np.ndarray) and isinstance(nothing, np.ndarray) else nothing
    column = user_column(domain, data) if relation is Relation.USER else None
    low, high = domain.ends
    for record in distinct((high, low, *domain.extremes))[:_MOST]:
        copies = domain.many_rows if column and isinstance(domain, TableDomain) else 1
        yield neighboring("", base, inserted(base, 0, [record] * copies), relation, column)
