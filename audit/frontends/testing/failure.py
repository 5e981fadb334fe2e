"""Errors of failing audits."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from audit.verdict.result import AuditResult


class AuditFailure(AssertionError):
    """A mechanism breaks its claim.

    Attributes:
        result: of the audit.
        short: the numbers in a few words.
    """

    __module__ = "audit.testing"

    def __init__(self, result: AuditResult) -> None:
        super().__init__(_message(result))
        self.result = result
        self.short = _short(result)


class AuditInconclusive(AssertionError):
    """An audit without an answer, which is no reason to let a test pass.

    Attributes:
        result: of the audit.
        short: the numbers in a few words.
    """

    __module__ = "audit.testing"

    def __init__(self, result: AuditResult) -> None:
        super().__init__(_message(result))
        self.result = result
        self.short = _short(result)


def _message(result: AuditResult) -> str:
    """The short answer."""
    from audit.report.loss import Interface
    from audit.report.text import render_text

    return render_text(result, interface=Interface.PYTEST).rstrip()


def _short(result: AuditResult) -> str:
    from audit.report.answer import short

    return short(result)
