"""The formats a result can be written in, by name.

Whoever writes a result looks its format up here, so that a new one is one line; a
program that wants only the numbers never loads a template engine.
"""

from __future__ import annotations

import importlib
from typing import Any

from audit.errors import InputError

FORMATS: dict[str, str] = {
    "text": "audit.report.text:render_text",
    "json": "audit.report.json_node:render_json",
    "markdown": "audit.report.markdown:render_markdown",
    "html": "audit.report.html:render_page",
    "sarif": "audit.report.sarif:render_sarif",
    "html fragment": "audit.report.html:render_fragment",
    "canaries text": "audit.canary.report:render_canaries_text",
    "canaries json": "audit.report.json_node:render_json",
    "canaries markdown": "audit.canary.report:render_canaries_markdown",
    "canaries html": "audit.canary.report:render_canaries_page",
    "canaries html fragment": "audit.canary.report:render_canaries_fragment",
}
"""Where each format's function of a result stands, as module:function."""


def render(result: Any, format_name: str, **options: Any) -> str:
    """A result as text in one of the formats.

    Args:
        result: an `AuditResult` or a `CanaryResult`.
        format_name: one of `FORMATS`: "text", "json", "markdown", "html", "sarif".
        options: of that format; of "text" `detail`, one of "quiet", "normal" and "verbose".

    Returns:
        The whole text, as the command line writes it.

    Raises:
        InputError: there is no such format; the message lists those there are.
    """
    family = getattr(result, "family", "")
    name = f"{family} {format_name}".strip()
    if name not in FORMATS:
        own = [name for name in FORMATS if name.startswith("canaries ") == bool(family)]
        known = ", ".join(name.removeprefix("canaries ") for name in own)
        raise InputError(f"format {format_name!r} is not known; use one of {known}", format_name)
    module, _, function = FORMATS[name].partition(":")
    text: str = getattr(importlib.import_module(module), function)(result, **options)
    return text
