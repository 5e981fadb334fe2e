"""Record domains: what one record may be, and which records are worth trying."""

from __future__ import annotations

from audit.neighbors.domain.choice import BoolDomain, ChoiceDomain
from audit.neighbors.domain.interface import Domain
from audit.neighbors.domain.notation import parse_domain
from audit.neighbors.domain.number import FloatDomain, IntDomain
from audit.neighbors.domain.sizes import Sizes
from audit.neighbors.domain.special import with_special
from audit.neighbors.domain.strategy import StrategyDomain
from audit.neighbors.domain.table import TableDomain, UserDomain

__all__ = [
    "BoolDomain",
    "ChoiceDomain",
    "Domain",
    "FloatDomain",
    "IntDomain",
    "Sizes",
    "StrategyDomain",
    "TableDomain",
    "UserDomain",
    "parse_domain",
    "with_special",
]
