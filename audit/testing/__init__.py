"""Audits inside a test suite: `assert_private`, and a pytest plugin around it.

Outside pytest, or with the plugin switched off, `assert_private` works the same
with the default budget; the plugin adds settings, the marker `private`, a
summary and reports.
"""

from __future__ import annotations

from audit.testing.assertion import assert_private
from audit.testing.examples import audited
from audit.testing.failure import AuditFailure, AuditInconclusive

__all__ = ["AuditFailure", "AuditInconclusive", "assert_private", "audited"]
