"""NaN and the infinities as records of a domain that does not name them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from audit.errors import DomainError
from audit.neighbors.domain.interface import Domain
from audit.neighbors.domain.missing import MissingDomain
from audit.neighbors.domain.number import FloatDomain
from audit.neighbors.domain.table import TableDomain


def with_special(domain: Domain) -> Domain:
    """The same domain, whose floating-point numbers may be NaN or infinite as well.

    Raises:
        DomainError: it has none.
    """
    found: Domain = _with_special(domain)
    if found == domain and not _special(domain):
        raise DomainError(
            f"domain {domain} has no floating-point numbers that could be NaN or infinite; leave "
            "`special` out, or write float:LOW:HIGH",
            domain,
        )
    return found


def _with_special(domain: Any) -> Any:
    if isinstance(domain, FloatDomain):
        return replace(domain, special=True)
    if isinstance(domain, MissingDomain):
        return replace(domain, values=_with_special(domain.values))
    if isinstance(domain, TableDomain):
        columns = tuple((name, _with_special(column)) for name, column in domain.columns)
        return replace(domain, columns=columns)
    return domain


def _special(domain: Domain) -> bool:
    """True if the notation names them already."""
    if isinstance(domain, TableDomain):
        return any(_special(column) for _, column in domain.columns)
    if isinstance(domain, MissingDomain):
        return _special(domain.values)
    return isinstance(domain, FloatDomain) and domain.special
