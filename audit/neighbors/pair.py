"""Pairs of neighboring datasets, and the check that two datasets are neighbors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from audit.errors import DomainError, RelationError
from audit.lazy_modules import loaded_pandas as pd
from audit.neighbors.candidates import allows, distance
from audit.neighbors.difference import WIDE, change, describe_difference
from audit.neighbors.domain import Domain, FloatDomain, IntDomain, TableDomain
from audit.neighbors.domain.derived import written_column
from audit.neighbors.domain.record import in_words
from audit.neighbors.rows import aligned, column_names, keys_of, owners, records_of, user_column
from audit.relation import AnyRelation, Measure, Relation, Within
from audit.validation import shape_of_numbers


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class Pair:
    """Two datasets said to be neighbors.

    Attributes:
        name: how tables and the witness call it: D1, D2, ..., W1, W2, ...
        dataset: D.
        neighbor: the other one, D'.
        relation: what makes them neighbors.
        difference: what must happen to D to become D', in words.
        made: whether the search made D.
    """

    name: str
    dataset: Any
    neighbor: Any
    relation: AnyRelation
    difference: str
    made: bool = False


def neighboring(
    name: str, dataset: Any, neighbor: Any, relation: AnyRelation, user: str | None = None
) -> Pair:
    """The pair of two datasets, in common dtypes and with their difference in words.

    The relation is not checked here; `user` is the column that names a record's owner, for words
    about users.
    """
    dataset, neighbor = aligned(dataset, neighbor)
    words = describe_difference(dataset, neighbor, user, WIDE)
    return Pair(name, dataset, neighbor, relation, words)


def made_pair(
    name: str, domain: Domain, relation: AnyRelation, records: tuple[list[Any], list[Any]]
) -> Pair:
    """The pair of the datasets that a domain makes of the records of D and its neighbor.

    Raises:
        InputError: under user, when no column of the domain names a user.
    """
    user = user_column(domain) if relation is Relation.USER else None
    dataset, neighbor = map(domain.dataset, records)
    return neighboring(name, dataset, neighbor, relation, user)


def check_pair(pair: Pair, domain: Domain | None = None, *, dataset_checked: bool = False) -> None:
    """Check a pair against its relation, and its records against their domain, if one is named.

    Under add-remove one dataset is the other with one record more, anywhere;
    under substitute both have the same length and one record differs; under
    user one dataset is the other without all the records of exactly one user;
    within a distance both have the same length and are no farther apart.
    The remaining records may be in another order; declared neighbors are taken
    as they are.

    Raises:
        RelationError: the two are not neighbors.
        DomainError: a record lies outside the domain.
        InputError: the data has no records, or no column naming users.
    """
    if pair.relation is Relation.DECLARED:
        return
    _check_kind(pair)
    if domain is not None:
        if not dataset_checked:
            check_records(pair.dataset, domain, "D")
        check_records(pair.neighbor, domain, pair.name)
    if isinstance(pair.relation, Within):
        _check_distance(pair, pair.relation)
    elif pair.relation is Relation.USER:
        _check_user(pair, domain)
    else:
        _check_record(pair)


def _check_distance(pair: Pair, relation: Within) -> None:
    """One dataset must be within the distance of the other; changes count in any order."""
    if len(pair.dataset) != len(pair.neighbor):
        _refuse(pair, "both must have equally many records")
    length = distance(relation.measure, pair.dataset, pair.neighbor)
    if length is None:
        _refuse(pair, "both must be vectors of numbers of one shape")
    if allows(relation, length):
        return
    if relation.measure is not Measure.CHANGES:
        _refuse(pair, f"they are {length:g} apart, and must be apart by {relation.most:g} at most")
    if not allows(relation, len(change(pair.dataset, pair.neighbor).added)):
        _refuse(pair, f"at least one record and at most {relation.most:g} may change")


def _check_record(pair: Pair) -> None:
    """One record must come, go or change."""
    found = change(pair.dataset, pair.neighbor)
    removed, added = len(found.removed), len(found.added)
    several = _of_changes(removed) if removed == added > 0 else ""
    if pair.relation is Relation.ADD_REMOVE and removed + added != 1:
        _refuse(pair, f"exactly one record may be added or removed{several}")
    if pair.relation is Relation.SUBSTITUTE and (removed, added) != (1, 1):
        resized = "; records added or removed are `relation='add-remove'`"
        _refuse(pair, f"exactly one record must change{resized if removed != added else several}")


def _of_changes(records: int) -> str:
    """The relation that allows so many records to change."""
    if records == 1:
        return "; one record that changes is `relation='substitute'` or declared"
    return f"; {records} records that change are `relation='changes:{records}'` or declared"


def _check_user(pair: Pair, domain: Domain | None) -> None:
    """All records of one user must come or go."""
    column, both = user_column(domain, pair.dataset), (pair.dataset, pair.neighbor)
    before, after = (owners(data, column) for data in both)
    different = set(before) ^ set(after)
    if len(different) != 1:
        _refuse(pair, f"all rows of exactly one user may be added or removed, not {len(different)}")
    kept, other_kept = (
        Counter(
            one for one, user in zip(keys_of(data), users, strict=True) if user not in different
        )
        for data, users in zip(both, (before, after), strict=True)
    )
    if kept != other_kept:
        _refuse(pair, "the rows of all other users must stay as they are")


def _refuse(pair: Pair, rule: str) -> NoReturn:
    words = describe_difference(pair.dataset, pair.neighbor)
    raise RelationError(
        f"{pair.name} is no neighbor of D under {pair.relation} ({words}): {rule}", pair
    )


def _check_kind(pair: Pair) -> None:
    """Both datasets must look alike to code: the same container, columns and record shape."""
    both = (pair.dataset, pair.neighbor)
    kind, other = map(_kind, both)
    if kind == other:
        return
    remedy = "give both in one form"
    records = (record for data in both if isinstance(data, list) for record in data)
    odd = next((record for record in records if shape_of_numbers([record]) is None), None)
    if odd is not None and any(isinstance(data, np.ndarray) for data in both):
        remedy = (
            f"numbers arrive as an array, other records such as {in_words(odd)} as a list: give "
            "records of one kind in both"
        )
    raise RelationError(
        f"{pair.name} is no neighbor of D under {pair.relation}: "
        f"D is {kind} and {pair.name} is {other}; {remedy}",
        pair,
    )


def _kind(data: Any) -> str:
    if isinstance(data, pd.DataFrame):
        return f"a table with columns {in_words(list(map(str, data.columns)))}"
    return "an array" if isinstance(data, np.ndarray) else f"a {type(data).__name__}"


def check_records(data: Any, domain: Domain, name: str) -> None:
    """Raises DomainError at a record outside of the domain, and a user with too many rows."""
    _check_named(data, domain, name)
    if not domain.sizes.admits(len(data)):
        raise DomainError(
            f"{name} has {len(data):,} records and the domain {domain} allows {domain.sizes}; "
            "change these sizes or the data",
            len(data),
        )
    for position, record in enumerate(_looked_at(data, domain)):
        if not domain.contains(record):
            raise DomainError(
                f"record {in_words(record)} at position {position} of {name} is outside "
                f"the domain {domain}{_misfit(record, domain, data)} or mend the data",
                record,
            )
    if isinstance(domain, TableDomain) and domain.user and domain.rows_per_user is not None:
        [(user, rows)] = Counter(owners(data, domain.user)).most_common(1) or [(None, 0)]
        if rows > domain.rows_per_user:
            raise DomainError(
                f"user {in_words(user)} of {name} has {rows:,} rows and the domain "
                f"{domain} allows {domain.rows_per_user}; raise that number or mend the data",
                user,
            )


def _misfit(record: Any, domain: Domain, data: Any) -> str:
    """The value of a record that its column does not allow, and how to change the domain."""
    columns = domain.columns if isinstance(domain, TableDomain) else ()
    for name, column in columns:
        if not isinstance(record, Mapping) or name not in record:
            return f": it has no column {name!r}; leave that out of the domain"
        if not column.contains(record[name]):
            wrong = f"{name} = {in_words(record[name])} is not in {column}"
            return f": {wrong}; write for example {written_column(data, name)},"
    return "; widen the domain"


def _looked_at(data: Any, domain: Domain) -> list[Any]:
    """Records in the columns that a domain describes; none of integers between its ends."""
    if isinstance(data, pd.DataFrame) and isinstance(domain, TableDomain):
        return records_of(data[[name for name, _ in domain.columns if name in data.columns]])
    if _is_of_integers(data) and isinstance(domain, IntDomain | FloatDomain):
        return [] if all(map(domain.contains, (data.min(), data.max()))) else records_of(data)
    return records_of(data)


def _is_of_integers(data: Any) -> bool:
    plain = isinstance(data, np.ndarray) and data.ndim == 1 and len(data) > 0
    return plain and data.dtype.kind in "iu"


def _check_named(data: Any, domain: Domain, name: str) -> None:
    """Refuse a domain with a column that no record of a dataset has."""
    has = column_names(data)
    named = [column for column, _ in domain.columns] if isinstance(domain, TableDomain) else []
    absent = [column for column in named if has and column not in has]
    if absent:
        raise DomainError(
            f"{name} has no column {absent[0]!r}, which the domain {domain} names; its columns are "
            f"{', '.join(sorted(map(str, has)))}",
            domain,
        )


def check_columns(data: Any, domain: Domain) -> None:
    """Raises DomainError where records of the domain lack a column of D."""
    known = [name for name, _ in domain.columns] if isinstance(domain, TableDomain) else []
    left_out = [name for name in column_names(data) if known and name not in known]
    if left_out:
        raise DomainError(
            f"column {left_out[0]!r} of D is not in the domain {domain}, so the datasets of the "
            "search would lack it; add it to `domain` with its kind, such as "
            f"{written_column(data, left_out[0])}, or remove it from the data",
            domain,
        )
