"""Audits inside a project's tests.

`assert_private` audits one mechanism and fails with the witness; `audited` lets
Hypothesis choose parameters. The pytest plugin adds options, seeds and a summary.
"""

from __future__ import annotations

from audit.frontends.testing.assertion import AuditFailure, AuditInconclusive, assert_private
from audit.frontends.testing.hypothesis_tests import audited

__all__ = ["AuditFailure", "AuditInconclusive", "assert_private", "audited"]
