"""A folder with the report of an audit of canaries: Markdown, JSON, page and figure."""

from __future__ import annotations

from pathlib import Path

from audit.canary.report.figure import canary_figure
from audit.canary.report.markdown import render_canaries_markdown
from audit.canary.report.page import render_canaries_page
from audit.canary.result import CanaryResult
from audit.report.figures import image
from audit.report.json_text import render_json
from audit.report.write import Kind, own_name, write_files


def write_canaries_report(result: CanaryResult, folder: Path, kind: Kind = "svg") -> list[Path]:
    """Write NAME.md, NAME.json, NAME.html and a figure; another audit's report of that name stays.

    Args:
        result: what an audit of canaries found.
        folder: made when it is missing.
        kind: format of the figure.

    Returns:
        The files, the Markdown first.

    Raises:
        InputError: the folder cannot be written to.
    """
    name = own_name(result, folder)
    figure = f"{name}.{kind}" if result.prefixes else ""
    files = {
        f"{name}.md": render_canaries_markdown(result, figure).encode("utf-8"),
        f"{name}.json": render_json(result).encode("utf-8"),
        f"{name}.html": render_canaries_page(result).encode("utf-8"),
    }
    if figure:
        files[figure] = image(canary_figure(result), kind)
    return write_files(folder, files)
