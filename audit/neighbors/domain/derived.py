"""Domains derived from a table: kinds of its columns, ranges with a margin, categories.

Ranges are rounded outwards to a multiple of 1, 2 or 5 times a power of ten, at most a fifth of
the range, so that ages from 29 to 62 become 25 to 65 and shares from 0.03 to 1 become 0 to 1.
"""

from __future__ import annotations

import math
from calendar import monthrange
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date
from typing import Any

import numpy as np

from audit.errors import DomainError
from audit.lazy_modules import loaded_pandas as pd
from audit.neighbors.domain.columns import (
    BoolDomain,
    ChoiceDomain,
    DateDomain,
    FloatDomain,
    IntDomain,
    MissingDomain,
    TextDomain,
    day_of,
)
from audit.neighbors.domain.notation import parse_domain
from audit.neighbors.domain.record import ANY, ColumnDomain, Domain, Sizes
from audit.neighbors.domain.table import TableDomain, UserDomain
from audit.neighbors.rows import owners, records_of, user_column
from audit.relation import AnyRelation, Measure, Relation, Within

_FEW, _MOST_CHOICES = 8, 100
"""Distinct strings that are categories: so many in any case; or up to so many, each of them
twice on average."""
_PARTS = 5
"""The margin at either end is less than this part of the range."""
_NARROW = 1e-300
"""Range of which no such part is a number of full precision."""


def derived_domain(
    table: pd.DataFrame, users: Mapping[str, UserDomain] | None = None, sizes: Sizes = ANY
) -> TableDomain:
    """The domain of tables with the columns of this one.

    It contains every row of the table, which has at least one, and makes datasets of the same
    dtypes. A column that names the user of a record comes with its domain. DomainError where a
    column has values that no column domain has, or a name that cannot be written.
    """
    columns = []
    for place, name in enumerate(table.columns):
        columns.append((name, (users or {}).get(name) or _column(table.iloc[:, place])))
        _check_written(*columns[-1])
    return TableDomain(tuple(columns), sizes).like(table)


def written_column(data: Any, name: str) -> str:
    """A column of a dataset as a domain names it: with the kind of its values, if they have one."""
    import pandas

    rows = [row for row in records_of(data) if isinstance(row, Mapping) and name in row]
    with suppress(DomainError):
        return str(derived_domain(pandas.DataFrame({name: [row[name] for row in rows]})))
    return f"{name}=text"


def _check_written(name: Any, column: ColumnDomain) -> None:
    with suppress(DomainError):
        domain = TableDomain(((name, column),))
        if isinstance(name, str) and parse_domain(str(domain)) == domain:
            return
    raise DomainError(
        f"column name {name!r} cannot be written in a domain; use letters, digits, blanks, _, . "
        "and - in names, the first of them a letter",
        name,
    )


def _column(values: pd.Series) -> ColumnDomain:
    missing = values.isna()
    found = _kind(values[~missing], bool(missing.any()))
    return MissingDomain(found) if missing.any() else found


def _kind(present: pd.Series, incomplete: bool) -> ColumnDomain:
    """The domain of the values that are present; `incomplete` where others are missing."""
    types, dtype = pd.api.types, present.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return _of_strings(dtype.categories.tolist(), present.name)
    if types.is_datetime64_any_dtype(dtype):
        return _days([day_of(value) for value in present.tolist()])
    truths = len(present) > 0 and all(isinstance(value, bool) for value in present)
    if types.is_bool_dtype(dtype) or truths:
        return BoolDomain()
    if types.is_complex_dtype(dtype):
        raise _unknown(present.iloc[0], present.name)
    if types.is_numeric_dtype(dtype):
        return _range(present, incomplete)
    return _of_strings(present.tolist(), present.name)


def _of_strings(values: list[Any], name: Any) -> ColumnDomain:
    """Days where all are ISO dates, categories where they are few, else text."""
    other = [value for value in values if not isinstance(value, str)]
    if other:
        raise _unknown(other[0], name)
    days = [day_of(value) if len(value) == len("2020-01-01") else None for value in values]
    if values and None not in days:
        return _days(days)
    kinds = sorted(set(values))
    most = max(_FEW, min(_MOST_CHOICES, len(values) // 2))
    return ChoiceDomain(tuple(kinds)) if 0 < len(kinds) <= most else TextDomain()


def _unknown(value: object, name: Any) -> DomainError:
    return DomainError(
        f"column {name!r} holds values of type {type(value).__name__}, which no domain has; give "
        "numbers, truth values, strings or dates",
        value,
    )


def _days(days: list[date | None]) -> DateDomain:
    """From the first day of the first month to the last day of the last one."""
    known = [day for day in days if day is not None] or [date(1970, 1, 1)]
    first, last = min(known), max(known)
    return DateDomain(first.replace(day=1), last.replace(day=monthrange(last.year, last.month)[1]))


def _range(present: pd.Series, incomplete: bool) -> IntDomain | FloatDomain:
    """Integers, also as floats where some are missing, as pandas reads such columns; or floats."""
    numbers = np.asarray(present.to_numpy(dtype=object, na_value=None).tolist())
    if pd.api.types.is_integer_dtype(present.dtype):
        limits = np.iinfo(present.dtype if isinstance(present.dtype, np.dtype) else np.int64)
        low, high = rounded_outwards(int(numbers.min()), int(numbers.max()))
        return IntDomain(max(int(low), int(limits.min)), min(int(high), int(limits.max)))
    numbers = numbers.astype(np.float64)
    finite = numbers[np.isfinite(numbers)]
    ends = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    low, high = rounded_outwards(*ends)
    whole = incomplete and finite.size == numbers.size and bool((finite == finite.round()).all())
    if whole and max(abs(low), abs(high)) < 2**53:
        return IntDomain(int(low), int(high))
    return FloatDomain(float(low), float(high), special=finite.size < numbers.size)


def rounded_outwards(low: float, high: float) -> tuple[float, float]:
    """A range that holds another one, with short numbers as its ends.

    A single number becomes the range from it to 0, and 0 the range from 0 to 1; a range too
    wide for floating-point numbers has no ends, and one too narrow keeps its own.
    """
    if low == high:
        return min(low, 0), max(high, 0 if low else 1)
    span = float(high) - float(low)
    if not math.isfinite(span):
        return -math.inf, math.inf
    if span < _NARROW:
        return low, high
    power = math.floor(math.log10(span / _PARTS))
    digit = next(d for d in (5, 2, 1) if d * 10.0**power <= span / _PARTS or d == 1)
    step = digit * 10.0**power
    if isinstance(low, int):
        whole = max(1, round(step))
        return low // whole * whole, -(-high // whole) * whole
    bottom = float(f"{math.floor(low / step) * digit}e{power}")
    top = float(f"{math.ceil(high / step) * digit}e{power}")
    return min(low, bottom), max(high, top)


_MOST_FIXED = 1_000
"""Records of D up to which made-up datasets have as many where that number is public."""


def domain_of_tables(
    datasets: Sequence[Any], relation: AnyRelation, domain: Domain | None = None
) -> TableDomain | None:
    """The domain derived from the tables of an audit, D and further ones.

    Where the relation fixes the number of records, datasets of the domain have as many as D,
    unless these are more than 1,000. All columns are derived where the caller has no domain, all
    but the user column where it names that alone.

    Returns:
        A domain; None where the datasets are not tables of the same columns, a column has a kind
        that no domain describes, or the relation measures distances between numbers.

    Raises:
        InputError: nothing names the user column, under user.
    """
    distance = isinstance(relation, Within) and relation.measure is not Measure.CHANGES
    if isinstance(domain, TableDomain):
        free = [name for name, _ in domain.columns] == [domain.user]
    else:
        free = domain is None
    if distance or not (free and _alike(datasets)):
        return None
    table = datasets[0] if len(datasets) == 1 else pd.concat(datasets, ignore_index=True)
    try:
        found = derived_domain(table, _users(table, relation, domain), _sizes(datasets, relation))
    except DomainError:
        return None
    return found if len(found.extremes) > 1 else None


def _alike(datasets: Sequence[Any]) -> bool:
    tables = all(isinstance(data, pd.DataFrame) for data in datasets)
    return tables and all(list(data.columns) == list(datasets[0].columns) for data in datasets)


def _users(table: Any, relation: AnyRelation, domain: Domain | None) -> dict[str, UserDomain]:
    """The user column, with as many rows as a user has, or as the caller's domain allows."""
    if domain is None and relation is not Relation.USER:
        return {}
    name = user_column(domain, table)
    rows = domain.rows_per_user if isinstance(domain, TableDomain) else None
    return {name: UserDomain(rows or max(Counter(owners(table, name)).values()))}


def _sizes(datasets: Sequence[Any], relation: AnyRelation) -> Sizes:
    fixed = relation is Relation.SUBSTITUTE or isinstance(relation, Within)
    counts = [len(data) for data in datasets]
    return Sizes(min(counts), max(counts)) if fixed and max(counts) <= _MOST_FIXED else Sizes()
