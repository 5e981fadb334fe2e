"""Record domains: what one record may be, and which records are worth trying."""

from __future__ import annotations

from audit.domain.choice import BoolDomain, ChoiceDomain
from audit.domain.interface import Domain
from audit.domain.notation import parse_domain
from audit.domain.number import FloatDomain, IntDomain
from audit.domain.sizes import Sizes
from audit.domain.special import with_special
from audit.domain.strategy import StrategyDomain
from audit.domain.table import TableDomain, UserDomain

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
