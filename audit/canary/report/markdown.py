"""The report of an audit of canaries as Markdown."""

from __future__ import annotations

from audit.canary.report.template import template_values
from audit.canary.result import CanaryResult
from audit.report.markdown import page


def render_canaries_markdown(result: CanaryResult, figure: str = "") -> str:
    """One result as a Markdown document.

    Args:
        result: what an audit of canaries found.
        figure: file of its figure, relative to the document; empty for none.
    """
    return page("canaries.md.j2", figure=figure, **template_values(result))
