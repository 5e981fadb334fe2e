"""An empirical auditor for differential privacy."""

from __future__ import annotations

from audit.claim import ApproxDP, Claim, GaussianDP, PureDP, RenyiDP, ZeroConcentratedDP, claim_from
from audit.declaration import Catalog, Entry, Relation, Truth, mechanism, relation_named
from audit.errors import AuditError, InputError
from audit.result import AuditResult, Verdict, Witness
from audit.running import run
from audit.version import VERSION as __version__

__all__ = [
    "ApproxDP",
    "AuditError",
    "AuditResult",
    "Catalog",
    "Claim",
    "Entry",
    "GaussianDP",
    "InputError",
    "PureDP",
    "Relation",
    "RenyiDP",
    "Truth",
    "Verdict",
    "Witness",
    "ZeroConcentratedDP",
    "__version__",
    "claim_from",
    "mechanism",
    "relation_named",
    "run",
]
