"""Record domains: the values that one record may have, and which records to try first."""

from __future__ import annotations

from audit.neighbors.domain.columns import (
    BoolDomain,
    ChoiceDomain,
    DateDomain,
    FloatDomain,
    IntDomain,
    MissingDomain,
    TextDomain,
)
from audit.neighbors.domain.notation import DomainLike, domain_of, parse_domain, with_special
from audit.neighbors.domain.record import Domain, Sizes
from audit.neighbors.domain.strategy import StrategyDomain
from audit.neighbors.domain.table import TableDomain, UserDomain

__all__ = [
    "BoolDomain",
    "ChoiceDomain",
    "DateDomain",
    "Domain",
    "DomainLike",
    "FloatDomain",
    "IntDomain",
    "MissingDomain",
    "Sizes",
    "StrategyDomain",
    "TableDomain",
    "TextDomain",
    "UserDomain",
    "domain_of",
    "parse_domain",
    "with_special",
]
