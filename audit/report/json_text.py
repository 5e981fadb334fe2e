"""The result as JSON text, for programs and for storing."""

from __future__ import annotations

import json

from audit.errors import visible
from audit.verdict.result import AuditResult


def render_json(result: AuditResult) -> str:
    """One JSON object in UTF-8, which `restore` reads back.

    Strings from a black box may hold what steers a terminal, and halves of
    surrogate pairs, which UTF-8 cannot; they are written as JSON's own escapes.
    """
    text = json.dumps(result.to_json(), ensure_ascii=False, allow_nan=False, indent=2)
    return "\n".join(visible(line, json.dumps) for line in text.split("\n")) + "\n"
