"""The formats a result can be written in, by name.

Whoever writes a result looks its format up here, so that a new one is one line; a
program that wants only the numbers never loads a template engine.
"""

from __future__ import annotations

import importlib
from typing import Any

FORMATS: dict[str, str] = {
    "text": "audit.report.text:render_text",
    "json": "audit.report.json_text:render_json",
    "markdown": "audit.report.markdown:render_markdown",
    "html": "audit.report.html.page:render_page",
    "sarif": "audit.report.sarif:render_sarif",
    "html fragment": "audit.report.html.page:render_fragment",
}
"""Where each format's function of a result stands, as module:function."""


def register_format(name: str, place: str) -> None:
    """Let results be written in another format.

    Args:
        name: what it is called, as behind `--format`.
        place: module:function; the function takes a result, and options by name that
            its callers know, and returns text.
    """
    FORMATS[name] = place


def rendered(result: Any, format_name: str, **options: Any) -> str:
    """A result as text in one of the formats.

    Raises:
        KeyError: there is no such format.
    """
    module, _, function = FORMATS[format_name].partition(":")
    text: str = getattr(importlib.import_module(module), function)(result, **options)
    return text
