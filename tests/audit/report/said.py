"""A report taken apart into what it says: fields as "name: what it says", paragraphs, rows."""

from __future__ import annotations

import json
import re
from typing import Any
from unittest.mock import patch

from audit.report.text import render_text
from audit.verdict.result import AuditResult

_WIDE = 10**6
_FIELD = re.compile(r"  (.{12})(\S.*)")
_ROW = re.compile(r"!?\s+(\S.*?)((?:\s{2,}\S+ \[\S+, \S+\]){4})")
_NAMES = {
    "Claim": "claim",
    "Failed runs": "failed runs",
    "Level": "level",
    "Lower bound": "lower bound",
    "Runs": "runs",
    "Wealth": "evidence",
    "Would have been seen": "would show",
    "What it means": "it means",
    "Whom it concerns": "it concerns",
    "What to do": "what to do",
    "When to ignore it": "ignore it",
    "p = P[E on D]": "p on D",
    "the claim": "claim",
    "so that at most": "allowed",
    "the event that earned most": "strongest",
}
"""What Markdown calls the fields of the text."""
_MARKS = {"\\[": "[", "\\]": "]", "&lt;": "<", "&#62;": ">", "\\|": "|", "**": ""}


def text(result: AuditResult) -> list[str]:
    """What the text says, nothing wrapped or left out."""
    with (
        patch("audit.report.text.WIDTH", _WIDE),
        patch("audit.report.text.LINES", _WIDE),
        patch("audit.report.text._LONGEST_LIST", _WIDE),
    ):
        lines = render_text(result, tables=True).splitlines()
    found: list[str] = []
    name = ""
    for line in lines:
        if row := _ROW.fullmatch(line):
            found.append(f"row: {'!' if line[0] == '!' else ' '} {row[1]}{row[2]}")
        elif (field := _FIELD.fullmatch(line)) and not line.startswith("   ", 0, 3 + 12):
            name = field[1].strip() or name
            found.append(f"{name}: {field[2].strip()}")
        elif line.startswith(" " * 14):
            found.append(f"{name}: {line.strip()}")
        elif line.strip():
            found.append(line.strip())
    return found


def front(result: AuditResult) -> dict[str, Any]:
    """The front matter of the Markdown, by its names."""
    lines = result.to_markdown().split("---\n", 2)[1].splitlines()
    return {key: json.loads(value) for key, _, value in (line.partition(": ") for line in lines)}


def markdown(result: AuditResult) -> list[str]:
    """What the Markdown says below its front matter, in the names of the text."""
    found, section = [], ""
    for line in result.to_markdown().split("---\n", 2)[2].splitlines():
        section = line.removeprefix("## ") if line.startswith("## ") else section
        if said := _plain(line.strip()):
            tried = section == "What was tried" and not line.startswith("#")
            found.append(f"tried: {said[:1].lower()}{said[1:]}" if tried else said)
    return found


def _plain(line: str) -> str:
    for mark, meant in _MARKS.items():
        line = line.replace(mark, meant)
    if re.fullmatch(r"[|:\- ]*", line):
        return ""
    if line.startswith("|"):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        return _cells(cells, line)
    name, colon, rest = line.removeprefix("- ").partition(": ")
    named = f"{_NAMES[name]}: {rest}" if colon and name in _NAMES else line.removeprefix("- ")
    return named.removesuffix(".")


def _cells(cells: list[str], line: str) -> str:
    if len(cells) == 2:
        name = re.sub(r"^q = P\[E on (\w+)\]$", r"q on \1", cells[0])
        return f"{_NAMES.get(name, name)}: {cells[1]}"
    if cells[0] == "" and not cells[2].startswith("p on"):
        cells[0] = " "
    return f"row: {cells[0] or ' '} {'  '.join(cells[1:])}"
