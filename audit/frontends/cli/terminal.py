"""Color of the answer on a terminal."""

from __future__ import annotations

import io
import os
from typing import TextIO

_STYLES = {
    r"(?m)^FAIL\b": "bold red",
    r"(?m)^NOT REFUTED\b": "bold green",
    r"(?m)^INCONCLUSIVE\b": "bold yellow",
    r"(?m)^(Smallest c|C)ounterexample\b": "bold",
    r"(?m)^(Worst pair found|Likely cause|To fix|What to do|Reproduce):": "bold",
    r"(?m)^[A-Z][A-Za-z ]+(?=:)": "bold",
    r"(?m)^(Tried|Evidence|Tested|Notes|Limits|Reproduction|Tables)$": "bold",
    r"█+": "cyan",
    r"│": "red",
    r"[ερμ] ≥ [\d.,e+-]+": "bold",
    r"(?m)^.*Details: .*$": "dim",
}
"""By pattern; later ones add to earlier ones."""


def shows_color(stream: TextIO) -> bool:
    """True if a stream is a terminal whose user has not asked for plain text."""
    plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM", "") in ("dumb", "unknown")
    return stream.isatty() and not plain


def colored(text: str) -> str:
    """An answer with the codes that color it."""
    from rich.console import Console
    from rich.text import Text

    shown = Text(text)
    for pattern, style in _STYLES.items():
        shown.highlight_regex(pattern, style)
    lines = io.StringIO()
    console = Console(file=lines, force_terminal=True, no_color=False)
    console.print(shown, end="", soft_wrap=True)
    return lines.getvalue()
