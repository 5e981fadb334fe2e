"""A folder of reports: for each result its Markdown, its JSON and its figures."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

from audit.errors import InputError, reason_of
from audit.report.figures import image
from audit.report.json_text import render_json
from audit.report.markdown import render_markdown
from audit.report.pair_figure import pair_figure
from audit.result import AuditResult

Kind = Literal["svg", "png"]
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST = 80


def write_report(
    result: AuditResult, folder: Path, kind: Kind = "svg", *, brief: bool = False
) -> list[Path]:
    """Write NAME.md, NAME.json and one figure for each pair.

    Args:
        result: what an audit found.
        folder: made when it is missing.
        kind: format of the figures.
        brief: whether only the most telling pair gets its figure: that of the
            witness, or the first.

    Returns:
        The files, the Markdown first.

    Raises:
        InputError: the folder cannot be written to.
    """
    name = file_name(result.mechanism)
    figures = {
        pair.name: (f"{name}-{place + 1}.{kind}", image(pair_figure(result, pair), kind))
        for place, pair in enumerate(result.pairs)
        if pair.bins and (not brief or pair.name == _telling(result))
    }
    links = {pair: link for pair, (link, _) in figures.items()}
    files = {
        f"{name}.md": render_markdown(result, links).encode("utf-8"),
        f"{name}.json": render_json(result).encode("utf-8"),
        **dict(figures.values()),
    }
    return write_files(folder, files)


def _telling(result: AuditResult) -> str:
    """The pair that a reader with time for one figure should see."""
    if result.witness is not None:
        return result.witness.pair
    return result.pairs[0].name if result.pairs else ""


def file_name(mechanism: str) -> str:
    """A mechanism's name as the start of a file's name, the same on every system."""
    return _UNSAFE.sub("-", mechanism).strip("-.")[:_LONGEST] or "audit"


def write_files(folder: Path, files: dict[str, bytes]) -> list[Path]:
    """Write files into one folder.

    Raises:
        InputError: the folder cannot be made or written to.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            (folder / name).write_bytes(content)
    # ValueError: a name that no file can have.
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or reason_of(error)
        raise InputError(
            f"the report cannot be written to {str(folder)!r}: {reason}; "
            "name a folder that can be written to",
            folder,
        ) from None
    return [folder / name for name in files]
