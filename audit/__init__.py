"""An empirical auditor for differential privacy.

`run` audits a mechanism: a Python function, or one of the black boxes for programs
(`CommandBlackBox`; `ServedBlackBox` where they stay), services (`HttpBlackBox`) and queries
(`SqlBlackBox`, `PostgresBlackBox`); `audit_samples` audits files of recorded outputs. Both give
an `AuditResult`. `canaries` audits what is trained once and gives a `CanaryResult`. `render` and
`write_report` turn results of either kind into reports, and `read_result` reads them back from
their JSON.
"""

from __future__ import annotations

import importlib
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from audit.blackbox.command import CommandBlackBox
    from audit.blackbox.http import HttpBlackBox
    from audit.blackbox.interface import BlackBox
    from audit.blackbox.postgres import PostgresBlackBox
    from audit.blackbox.python import PythonBlackBox
    from audit.blackbox.served import ServedBlackBox
    from audit.blackbox.sql import SqlBlackBox
    from audit.canary.report.write import write_report
    from audit.canary.restore import read_result
    from audit.canary.result import CanaryResult
    from audit.canary.running import canaries
    from audit.case import Budget, Execution, Until
    from audit.claims import (
        ApproxDP,
        Claim,
        GaussianDP,
        ProfileDP,
        PureDP,
        RenyiDP,
        ZeroConcentratedDP,
        claim_from,
        register_claim,
    )
    from audit.declaration import Catalog, Entry, Truth, mechanism
    from audit.engine.run import run, session
    from audit.errors import (
        AuditError,
        BlackBoxError,
        ClaimError,
        DomainError,
        InputError,
        Interrupted,
        OutcomeError,
        RelationError,
        StoreError,
    )
    from audit.frontends.testing.given import given_neighbors
    from audit.neighbors.data.read import read_data
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
    from audit.progress import Finished, Looked, StageStarted, Warned
    from audit.relation import Measure, Relation, Within, relation_named
    from audit.verdict.function_shown import FunctionShown, StrongestEvent
    from audit.verdict.leak import Leak
    from audit.verdict.recorded.run import audit_samples
    from audit.verdict.renderers import register_format, render
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
    "BlackBox",
    "BlackBoxError",
    "BoolDomain",
    "Budget",
    "CanaryResult",
    "Catalog",
    "ChoiceDomain",
    "Claim",
    "ClaimError",
    "CommandBlackBox",
    "Domain",
    "DomainError",
    "Entry",
    "Execution",
    "Finished",
    "FloatDomain",
    "FunctionShown",
    "GaussianDP",
    "HttpBlackBox",
    "InputError",
    "IntDomain",
    "Interrupted",
    "Leak",
    "Looked",
    "Measure",
    "OutcomeError",
    "PostgresBlackBox",
    "ProfileDP",
    "PureDP",
    "PythonBlackBox",
    "Relation",
    "RelationError",
    "RenyiDP",
    "ServedBlackBox",
    "Sizes",
    "SqlBlackBox",
    "StageStarted",
    "StoreError",
    "StrategyDomain",
    "StrongestEvent",
    "TableDomain",
    "Truth",
    "Until",
    "UserDomain",
    "Verdict",
    "Warned",
    "Within",
    "Witness",
    "ZeroConcentratedDP",
    "__version__",
    "audit_samples",
    "canaries",
    "claim_from",
    "given_neighbors",
    "mechanism",
    "parse_domain",
    "read_data",
    "read_result",
    "register_claim",
    "register_format",
    "relation_named",
    "render",
    "run",
    "session",
    "write_report",
]

_HOMES = {
    "audit.blackbox.command": ("CommandBlackBox",),
    "audit.blackbox.http": ("HttpBlackBox",),
    "audit.blackbox.interface": ("BlackBox",),
    "audit.blackbox.postgres": ("PostgresBlackBox",),
    "audit.blackbox.python": ("PythonBlackBox",),
    "audit.blackbox.served": ("ServedBlackBox",),
    "audit.blackbox.sql": ("SqlBlackBox",),
    "audit.canary.report.write": ("write_report",),
    "audit.canary.result": ("CanaryResult",),
    "audit.canary.running": ("canaries",),
    "audit.canary.restore": ("read_result",),
    "audit.case": ("Budget", "Execution", "Until"),
    "audit.claims": (
        "ApproxDP",
        "Claim",
        "GaussianDP",
        "ProfileDP",
        "PureDP",
        "RenyiDP",
        "ZeroConcentratedDP",
        "claim_from",
        "register_claim",
    ),
    "audit.declaration": ("Catalog", "Entry", "Truth", "mechanism"),
    "audit.errors": (
        "AuditError",
        "BlackBoxError",
        "ClaimError",
        "DomainError",
        "InputError",
        "Interrupted",
        "OutcomeError",
        "RelationError",
        "StoreError",
    ),
    "audit.frontends.testing.given": ("given_neighbors",),
    "audit.neighbors.data.read": ("read_data",),
    "audit.neighbors.domain": (
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
    ),
    "audit.progress": ("Finished", "Looked", "StageStarted", "Warned"),
    "audit.relation": ("Measure", "Relation", "Within", "relation_named"),
    "audit.engine.run": ("run", "session"),
    "audit.verdict.recorded.run": ("audit_samples",),
    "audit.verdict.renderers": ("register_format", "render"),
    "audit.verdict.function_shown": ("FunctionShown", "StrongestEvent"),
    "audit.verdict.leak": ("Leak",),
    "audit.verdict.result": ("AuditResult", "Verdict", "Witness"),
}


def __getattr__(name: str) -> Any:
    """Public names are imported when first used: the engine takes a second to load."""
    for home, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(home), name)
    raise AttributeError(f"module 'audit' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
