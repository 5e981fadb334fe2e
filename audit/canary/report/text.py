"""The answer of an audit of canaries on a terminal."""

from __future__ import annotations

from audit.canary.report.document import answer_of, document_of, one_line
from audit.canary.result import CanaryResult
from audit.report.document import Detail
from audit.report.text import line, render_answer, render_document


def render_canaries_text(result: CanaryResult, *, detail: Detail = "normal") -> str:
    """The answer: by default at most 20 lines of 80 columns.

    Args:
        result: of an audit of canaries.
        detail: "quiet" for one line, "verbose" for the whole report.
    """
    if detail == "quiet":
        return line(one_line(result))
    if detail == "verbose":
        return render_document(document_of(result))
    return render_answer(answer_of(result))
