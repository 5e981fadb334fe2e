"""A folder of reports: for each result its page, its Markdown, its JSON and its figures."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from audit.errors import InputError, reason_of
from audit.report.document import Document, Picture, document_of
from audit.report.html import page
from audit.report.json_node import Stored, render_json
from audit.report.markdown import front_matter, head_of, render_document
from audit.report.svg import Drawing
from audit.report.tables import pair_chart
from audit.verdict.pair_table import PairTable
from audit.verdict.result import AuditResult

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST = 80
_ENDINGS = (".md", ".json", ".html", ".svg")
_SAME = ("mechanism", "parameters", "claim", "relation", "command")
"""What two reports of one audit agree in, and the file of its code; lines of it may move."""


def write_report(result: Stored, folder: str | Path, *, again: bool = False) -> list[Path]:
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
    document = document_of(result)
    pages = {".html": page(document).encode("utf-8")}
    return _write(document, pages, Path(folder), again=again)


def write_page(result: AuditResult, folder: Path) -> list[Path]:
    """Write NAME.md, NAME.json and one figure, for a collection that is made again as a whole.

    The figure is that of the witness's pair, or of the first. What an earlier run
    wrote under this name is written anew.

    Returns:
        The files, the Markdown first.

    Raises:
        InputError: the folder cannot be written to.
    """
    first = result.pairs[0].name if result.pairs else ""
    only = first if result.witness is None else result.witness.pair
    return _write(document_of(result), {}, folder, again=True, only=only)


def _write(
    document: Document, more: Mapping[str, bytes], folder: Path, *, again: bool, only: str = ""
) -> list[Path]:
    """Write a document as Markdown, its result as JSON, more files by ending, and its pictures.

    Of the pictures only the one of that name is written, if one is named.
    """
    result: Stored = document.result
    name = file_name(result.mechanism)
    if not again:
        own = head_of(front_matter(result))
        name = free_name(name, folder, lambda report: _same(own, head_of(report)))
    wanted = {title: draw for title, draw in _pictures(document) if only in ("", title)}
    links = {
        title: f"{name}.svg" if only else f"{name}-fig{place}.svg"
        for place, title in enumerate(wanted, 1)
    }
    written = {
        f"{name}.md": render_document(document, links).encode("utf-8"),
        f"{name}.json": render_json(result).encode("utf-8"),
        **{f"{name}{ending}": content for ending, content in more.items()},
        **{links[title]: draw().file for title, draw in wanted.items()},
    }
    return write_files(folder, written)


def _pictures(document: Document) -> Iterator[tuple[str, Callable[[], Drawing]]]:
    """Pictures by name, that of a table by the name of its pair."""
    for part in (part for section in document.sections for part in section.parts):
        if isinstance(part, Picture):
            yield part.name, part.draw
        elif isinstance(part, PairTable):
            yield part.name, partial(pair_chart, document.result, part)


def free_name(name: str, folder: Path, ours: Callable[[str], bool]) -> str:
    """NAME, or NAME-2 and so on if a report, as Markdown, that is not ours has it."""
    names = (name if place == 1 else f"{name}-{place}" for place in count(1))

    def taken(one: str) -> bool:
        return any(os.path.lexists(folder / f"{one}{ending}") for ending in _ENDINGS)

    return next(n for n in names if ours(_read(folder / f"{n}.md")) or not taken(n))


def _read(report: Path) -> str:
    try:
        return report.read_text("utf-8")
    # ValueError: a name that no file can have, or bytes that are no text.
    except (OSError, ValueError):
        return ""


def _same(own: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """True if two reports are of an audit of the same thing, whatever its result."""
    file, others = (str(head.get("place", "")).partition(":")[0] for head in (own, other))
    return file == others and all(other.get(key) == own[key] for key in _SAME)


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
