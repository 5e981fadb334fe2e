"""An empirical auditor for differential privacy.

`run` audits a mechanism: a Python function, or a black box of `audit.boxes` for programs, services
and queries; `session` one that is asked question after question; `samples` audits files of
recorded outputs. All give an `AuditResult`. `canaries` audits what is trained once and gives a
`CanaryResult`. `render` and `write_report` turn results of either kind into reports, and
`read_result` reads them back from their JSON.

A claim is an epsilon, `DP` or `ZCDP`; the other kinds are in `audit.claims`, domains and relations
in `audit.domains`, black boxes in `audit.boxes`, errors in `audit.errors`, events of a running
audit in `audit.progress`, and tools for tests in `audit.testing`.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from audit import boxes as boxes
    from audit import claims as claims
    from audit import domains as domains
    from audit import errors as errors
    from audit import progress as progress
    from audit import testing as testing
    from audit.canary.audit import canaries
    from audit.canary.result import CanaryResult, read_result
    from audit.case import Budget, Execution
    from audit.claims import DP, ZCDP
    from audit.declaration import mechanism
    from audit.engine.run import run, session
    from audit.errors import AuditError
    from audit.frontends.testing.hypothesis_tests import given_neighbors
    from audit.neighbors.data_files import read_data
    from audit.report.write import write_report
    from audit.verdict.recorded.run import samples
    from audit.verdict.renderers import render
    from audit.verdict.result import AuditResult, Verdict, Witness


__version__: str
"""The version of the package, also part of every result."""

__all__ = [
    "DP",
    "ZCDP",
    "AuditError",
    "AuditResult",
    "Budget",
    "CanaryResult",
    "Execution",
    "Verdict",
    "Witness",
    "__version__",
    "canaries",
    "given_neighbors",
    "mechanism",
    "read_data",
    "read_result",
    "render",
    "run",
    "samples",
    "session",
    "write_report",
]

_HOMES = {
    "audit.canary.audit": ("canaries",),
    "audit.canary.result": ("CanaryResult", "read_result"),
    "audit.case": ("Budget", "Execution"),
    "audit.claims": ("DP", "ZCDP"),
    "audit.declaration": ("mechanism",),
    "audit.engine.run": ("run", "session"),
    "audit.errors": ("AuditError",),
    "audit.frontends.testing.hypothesis_tests": ("given_neighbors",),
    "audit.neighbors.data_files": ("read_data",),
    "audit.report.write": ("write_report",),
    "audit.verdict.recorded.run": ("samples",),
    "audit.verdict.renderers": ("render",),
    "audit.verdict.result": ("AuditResult", "Verdict", "Witness"),
}
_ROOMS = ("boxes", "claims", "domains", "errors", "progress", "testing")
"""Modules with the other public names."""


def __getattr__(name: str) -> Any:
    """Public names are imported when first used: the engine takes a second to load."""
    if name == "__version__":
        return _version()
    if name in _ROOMS:
        return importlib.import_module(f"audit.{name}")
    for home, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(home), name)
    raise AttributeError(f"module 'audit' has no attribute {name!r}")


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("dp-audit")
    except PackageNotFoundError:
        return "0 (not installed)"


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_ROOMS})
