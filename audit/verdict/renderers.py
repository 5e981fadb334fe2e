"""The formats a result can be written in, by name, and what every result can do.

Whoever writes a result looks its format up here, so that a new one is one line; a
program that wants only the numbers never loads a template engine.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from time import perf_counter
from typing import Any, TypeVar

from audit.errors import InputError

FORMATS: dict[str, str] = {
    "text": "audit.report.text:render_text",
    "json": "audit.report.json_node:render_json",
    "markdown": "audit.report.markdown:render_markdown",
    "html": "audit.report.html:render_page",
    "sarif": "audit.report.sarif:render_sarif",
    "html fragment": "audit.report.html:render_fragment",
}
"""Where each format's function of a result stands, as module:function."""


def formats(family: str) -> list[str]:
    """Names of the formats that show results of a family, empty for that of audits."""
    return [name for name in FORMATS if not (family and name == "sarif")]


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
    own = formats(getattr(result, "family", ""))
    if format_name not in own:
        known = ", ".join(own)
        raise InputError(f"format {format_name!r} is not known; use one of {known}", format_name)
    module, _, function = FORMATS[format_name].partition(":")
    text: str = getattr(importlib.import_module(module), function)(result, **options)
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """A result that shows itself, in notebooks too, and says how long its audit took."""

    seconds: float | None = field(default=None, compare=False)
    finished: str = field(default="", compare=False)

    def to_markdown(self) -> str:
        """The report for people, without its figures.

        Returns:
            Markdown, headed by the result's main values as YAML.
        """
        return render(self, "markdown")

    def to_html(self) -> str:
        """The report as one page that needs no other file.

        Returns:
            A whole HTML document, its figures in it.
        """
        return render(self, "html")

    def _repr_markdown_(self) -> str:
        """Markdown for a notebook without HTML."""
        return self.to_markdown()

    def _repr_html_(self) -> str:
        """HTML for a notebook: the body of the page."""
        return render(self, "html fragment")

    def _named(self, *names: str) -> dict[str, Any]:
        """Attributes by their names, in this order."""
        return {name: getattr(self, name) for name in names}

    def _stated(self, *names: str) -> dict[str, Any]:
        """Those of these attributes that say something."""
        empty: tuple[Any, ...] = (None, "", 0)
        return {name: value for name, value in self._named(*names).items() if value not in empty}


Timed = TypeVar("Timed", bound=Rendered)


def timed(result: Timed, started: float) -> Timed:
    """The result with the seconds since `started`, a reading of `perf_counter`, and the time."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return replace(result, seconds=round(perf_counter() - started, 3), finished=now)
