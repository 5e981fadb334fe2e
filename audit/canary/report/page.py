"""The report of an audit of canaries as HTML: one file that needs nothing else."""

from __future__ import annotations

from audit.canary.report.chart import bound_chart, share_chart
from audit.canary.report.headline import last_line
from audit.canary.report.template import template_values
from audit.canary.result import CanaryResult
from audit.report.html.page import filled


def render_canaries_page(result: CanaryResult) -> str:
    """One result as a whole document: no scripts, and nothing to be loaded."""
    return _filled("page.html.j2", result)


def render_canaries_fragment(result: CanaryResult) -> str:
    """The same without what surrounds it, as a notebook shows it."""
    return _filled("canaries.html.j2", result)


def _filled(template: str, result: CanaryResult) -> str:
    charts = [share_chart(result), bound_chart(result)] if result.prefixes else []
    return filled(
        template,
        title=last_line(result),
        body="canaries.html.j2",
        charts=charts,
        **template_values(result),
    )
