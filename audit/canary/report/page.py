"""The report of an audit of canaries as HTML: one file that needs nothing else."""

from __future__ import annotations

from audit.canary.report.document import document_of, one_line
from audit.canary.result import CanaryResult
from audit.report.html.page import fragment, page


def render_canaries_page(result: CanaryResult) -> str:
    """One result as a whole document: no scripts, and nothing to be loaded."""
    return page(one_line(result), document_of(result))


def render_canaries_fragment(result: CanaryResult) -> str:
    """The same without what surrounds it, as a notebook shows it."""
    return fragment(document_of(result))
