"""What a failing audit says."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from audit.amounts import MOST_SAMPLES

if TYPE_CHECKING:
    from audit.verdict.result import AuditResult


class AuditFailure(AssertionError):
    """A mechanism breaks its claim.

    Attributes:
        result: what the audit found.
    """

    __module__ = "audit.testing"

    def __init__(self, result: AuditResult) -> None:
        super().__init__(_told(result))
        self.result = result


class AuditInconclusive(AssertionError):
    """An audit without an answer, which is no reason to let a test pass.

    Attributes:
        result: what the audit found.
    """

    __module__ = "audit.testing"

    def __init__(self, result: AuditResult) -> None:
        super().__init__(_told(result) + _remedy(result))
        self.result = result


def _told(result: AuditResult) -> str:
    """The whole answer but for the tables, which reports have."""
    from audit.report.text import render_text

    return render_text(replace(result, pairs=())).rstrip()


def _remedy(result: AuditResult) -> str:
    runs = result.wanted
    if runs == 0 or runs > MOST_SAMPLES:
        return ""
    return f"\n\nIn a test: assert_private(..., max_samples={runs}), or --audit-max-samples {runs}"
