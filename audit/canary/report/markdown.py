"""The report of an audit of canaries as Markdown."""

from __future__ import annotations

import json

from audit.canary.report import headline, method, sentences
from audit.canary.report.prefix_words import allowed, telling
from audit.canary.result import CanaryResult
from audit.report.markdown import page


def render_canaries_markdown(result: CanaryResult, figure: str = "") -> str:
    """One result as a Markdown document.

    Args:
        result: what an audit of canaries found.
        figure: file of its figure, relative to the document; empty for none.
    """
    return page(
        "canaries.md.j2",
        result=result,
        headline=headline,
        method=method,
        words=sentences,
        telling=telling,
        allowed=allowed,
        figure=figure,
        parameters=json.dumps(result.parameters, ensure_ascii=False),
    )
