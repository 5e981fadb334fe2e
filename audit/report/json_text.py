"""The result as JSON text, for programs and for storing."""

from __future__ import annotations

import json

from audit.result import AuditResult


def render_json(result: AuditResult) -> str:
    """One JSON object in UTF-8, which `restore` reads back.

    Strings from a black box may hold what steers a terminal, and halves of
    surrogate pairs, which UTF-8 cannot; they are written as JSON's own escapes.
    """
    text = json.dumps(result.to_json(), ensure_ascii=False, allow_nan=False, indent=2)
    return "\n".join(map(_visible, text.split("\n"))) + "\n"


def _visible(line: str) -> str:
    """A line of JSON whose strings hold nothing but what prints."""
    if line.isprintable():
        return line
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in line)
