"""A folder with the report of an audit: Markdown, JSON, page and figures."""

from __future__ import annotations

from pathlib import Path

from audit.canary.report.figure import canary_figure
from audit.canary.report.markdown import render_canaries_markdown
from audit.canary.report.page import render_canaries_page
from audit.canary.result import CanaryResult
from audit.report.figures import image
from audit.report.json_text import render_json
from audit.report.write import Kind, file_name, own_name, write_files
from audit.report.write import write_report as write_audit_report
from audit.verdict.result import AuditResult


def write_report(
    result: AuditResult | CanaryResult, folder: Path, kind: Kind = "svg", *, again: bool = False
) -> list[Path]:
    """Write NAME.md, NAME.json, NAME.html and figures, of a black box or of canaries.

    The report of an earlier run of the same audit is written anew. Where another
    audit's report has the name, this one is called NAME-2, and so on.

    Args:
        result: what an audit found.
        folder: made when it is missing.
        kind: format of the figures.
        again: whether whatever has the name is written anew, in a collection
            where names say enough.

    Returns:
        The files, the Markdown first.

    Raises:
        InputError: the folder cannot be written to.
    """
    if isinstance(result, CanaryResult):
        return write_canaries_report(result, folder, kind, again=again)
    return write_audit_report(result, folder, kind, again=again)


def write_canaries_report(
    result: CanaryResult, folder: Path, kind: Kind = "svg", *, again: bool = False
) -> list[Path]:
    """Write NAME.md, NAME.json, NAME.html and one figure, as `write_report` does.

    Args:
        result: what an audit of canaries found.
        folder: made when it is missing.
        kind: format of the figure.
        again: whether whatever has the name is written anew.

    Returns:
        The files, the Markdown first.

    Raises:
        InputError: the folder cannot be written to.
    """
    name = file_name(result.mechanism) if again else own_name(result, folder)
    figure = f"{name}.{kind}" if result.prefixes else ""
    files = {
        f"{name}.md": render_canaries_markdown(result, figure).encode("utf-8"),
        f"{name}.json": render_json(result).encode("utf-8"),
        f"{name}.html": render_canaries_page(result).encode("utf-8"),
    }
    if figure:
        files[figure] = image(canary_figure(result), kind)
    return write_files(folder, files)
