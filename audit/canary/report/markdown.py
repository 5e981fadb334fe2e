"""The report of an audit of canaries as Markdown."""

from __future__ import annotations

from audit.canary.report.document import GUESSES, document_of
from audit.canary.result import CanaryResult
from audit.report.markdown import render_document


def render_canaries_markdown(result: CanaryResult, figure: str = "") -> str:
    """One result as a Markdown document.

    Args:
        result: of an audit of canaries.
        figure: file of its figure, relative to the document; empty for none.
    """
    return render_document(document_of(result), {GUESSES: figure} if figure else {})
