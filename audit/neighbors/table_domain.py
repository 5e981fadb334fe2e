"""The domain for the search where an audit has tables and no domain of all their columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from audit.errors import DomainError
from audit.lazy_modules import loaded_pandas as pd
from audit.neighbors.domain import Domain, Sizes, TableDomain, UserDomain
from audit.neighbors.domain.derived import derived_domain
from audit.neighbors.rows import owners, user_column
from audit.relation import AnyRelation, Measure, Relation, Within

_MOST_FIXED = 1_000
"""Records of D up to which made-up datasets have as many where that number is public."""


def domain_of_tables(
    datasets: Sequence[Any], relation: AnyRelation, domain: Domain | None = None
) -> TableDomain | None:
    """The domain derived from the tables of an audit.

    Args:
        datasets: D and further datasets.
        relation: what makes datasets neighbors. Where it fixes the number of records, datasets
            of the domain have as many as D, unless these are more than 1,000.
        domain: the caller's own, if any: all columns are derived where there is none, all but
            the user column where it names that alone.

    Returns:
        A domain; None where the datasets are not tables of the same columns, a column has a kind
        that no domain describes, or the relation measures distances between numbers.

    Raises:
        InputError: nothing names the user column, under user.
    """
    distance = isinstance(relation, Within) and relation.measure is not Measure.CHANGES
    if distance or not (domain is None or _names_users_alone(domain)) or not _alike(datasets):
        return None
    table = datasets[0] if len(datasets) == 1 else pd.concat(datasets, ignore_index=True)
    try:
        found = derived_domain(table, _users(table, relation, domain), _sizes(datasets, relation))
    except DomainError:
        return None
    return found if len(found.extremes) > 1 else None


def _names_users_alone(domain: Domain) -> bool:
    names = [name for name, _ in domain.columns] if isinstance(domain, TableDomain) else []
    return isinstance(domain, TableDomain) and names == [domain.user]


def _alike(datasets: Sequence[Any]) -> bool:
    """True if all are tables of the same columns."""
    if not all(isinstance(data, pd.DataFrame) for data in datasets):
        return False
    return all(list(data.columns) == list(datasets[0].columns) for data in datasets)


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
