"""Domains of one record, and the relations that make two datasets neighbors."""

from audit.neighbors.domain import (
    BoolDomain,
    ChoiceDomain,
    Domain,
    FloatDomain,
    IntDomain,
    Sizes,
    StrategyDomain,
    TableDomain,
    UserDomain,
    parse_domain,
)
from audit.relation import Measure, Relation, Within, relation_named

__all__ = [
    "BoolDomain",
    "ChoiceDomain",
    "Domain",
    "FloatDomain",
    "IntDomain",
    "Measure",
    "Relation",
    "Sizes",
    "StrategyDomain",
    "TableDomain",
    "UserDomain",
    "Within",
    "parse_domain",
    "relation_named",
]
