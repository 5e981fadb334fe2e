"""An empirical auditor for differential privacy."""

from __future__ import annotations

import importlib
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from audit.claim import (
        ApproxDP,
        Claim,
        GaussianDP,
        PureDP,
        RenyiDP,
        ZeroConcentratedDP,
        claim_from,
    )
    from audit.claim_kind import register_claim
    from audit.declaration import Catalog, Entry, Truth, mechanism
    from audit.errors import AuditError, ClaimError, InputError, Interrupted
    from audit.progress import Finished, Looked, StageStarted, Warned
    from audit.relation import Relation, relation_named
    from audit.run_audit import run
    from audit.verdict.result import AuditResult, Verdict, Witness


def _installed() -> str:
    try:
        return version("dp-audit")
    except PackageNotFoundError:
        return "0 (not installed)"


__version__ = _installed()
"""The version of the package, also part of every result."""

__all__ = [
    "ApproxDP",
    "AuditError",
    "AuditResult",
    "Catalog",
    "Claim",
    "ClaimError",
    "Entry",
    "Finished",
    "GaussianDP",
    "InputError",
    "Interrupted",
    "Looked",
    "PureDP",
    "Relation",
    "RenyiDP",
    "StageStarted",
    "Truth",
    "Verdict",
    "Warned",
    "Witness",
    "ZeroConcentratedDP",
    "__version__",
    "claim_from",
    "mechanism",
    "register_claim",
    "relation_named",
    "run",
]

_HOMES = {
    "audit.claim": (
        "ApproxDP",
        "Claim",
        "GaussianDP",
        "PureDP",
        "RenyiDP",
        "ZeroConcentratedDP",
        "claim_from",
    ),
    "audit.claim_kind": ("register_claim",),
    "audit.declaration": ("Catalog", "Entry", "Truth", "mechanism"),
    "audit.errors": ("AuditError", "ClaimError", "InputError", "Interrupted"),
    "audit.progress": ("Finished", "Looked", "StageStarted", "Warned"),
    "audit.relation": ("Relation", "relation_named"),
    "audit.verdict.result": ("AuditResult", "Verdict", "Witness"),
    "audit.run_audit": ("run",),
}


def __getattr__(name: str) -> Any:
    """Public names are imported when first used: the engine takes a second to load."""
    for home, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(home), name)
    raise AttributeError(f"module 'audit' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
