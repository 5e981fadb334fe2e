"""A folder with the report of an audit: Markdown, JSON, page and figures."""

from __future__ import annotations

from pathlib import Path

from audit.canary.document import answer_of, document_of, one_line
from audit.canary.result import CanaryResult
from audit.report.document import Detail
from audit.report.html import fragment, page
from audit.report.json_node import render_json
from audit.report.markdown import render_document
from audit.report.text import line, render_answer
from audit.report.text import render_document as document_text
from audit.report.write import figures_of, file_name, own_name, write_files
from audit.report.write import write_report as write_audit_report
from audit.verdict.result import AuditResult


def write_report(
    result: AuditResult | CanaryResult, folder: str | Path, *, again: bool = False
) -> list[Path]:
    """Write NAME.md, NAME.json, NAME.html and figures, of a black box or of canaries.

    The report of an earlier run of the same audit is written anew. Where another
    audit's report has the name, this one is called NAME-2, and so on.

    Args:
        result: what an audit found.
        folder: made when it is missing.
        again: whether whatever has the name is written anew, in a collection
            where names say enough.

    Returns:
        The files, the Markdown first.

    Raises:
        InputError: the folder cannot be written to.
    """
    if isinstance(result, CanaryResult):
        return write_canaries_report(result, Path(folder), again=again)
    return write_audit_report(result, Path(folder), again=again)


def write_canaries_report(result: CanaryResult, folder: Path, *, again: bool = False) -> list[Path]:
    """Write NAME.md, NAME.json, NAME.html and figures, as `write_report` does.

    Args:
        result: what an audit of canaries found.
        folder: made when it is missing.
        again: whether whatever has the name is written anew.

    Returns:
        The files, the Markdown first.

    Raises:
        InputError: the folder cannot be written to.
    """
    name = file_name(result.mechanism) if again else own_name(result, folder)
    document = document_of(result)
    links, files = figures_of(document, name)
    written = {
        f"{name}.md": render_document(document, links).encode("utf-8"),
        f"{name}.json": render_json(result).encode("utf-8"),
        f"{name}.html": render_canaries_page(result).encode("utf-8"),
    }
    return write_files(folder, written | files)


def render_canaries_markdown(result: CanaryResult) -> str:
    """One result as a Markdown document, without figures."""
    return render_document(document_of(result))


def render_canaries_page(result: CanaryResult) -> str:
    """One result as a whole document: no scripts, and nothing to be loaded."""
    return page(one_line(result), document_of(result))


def render_canaries_fragment(result: CanaryResult) -> str:
    """The same without what surrounds it, as a notebook shows it."""
    return fragment(document_of(result))


def render_canaries_text(result: CanaryResult, *, detail: Detail = "normal") -> str:
    """The answer: by default at most 20 lines of 80 columns.

    Args:
        result: of an audit of canaries.
        detail: "quiet" for one line, "verbose" for the whole report.
    """
    if detail == "quiet":
        return line(one_line(result))
    if detail == "verbose":
        return document_text(document_of(result))
    return render_answer(answer_of(result))
