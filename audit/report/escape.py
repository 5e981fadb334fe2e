"""Safe Markdown out of anything a black box, a file or a user may have said.

Text is first made visible: characters that steer a terminal, break a line or
reverse the writing are shown as their escapes. What Markdown would read as
markup then becomes an entity or is escaped, so that any CommonMark or GFM
reader shows exactly the visible text and nothing else.
"""

from __future__ import annotations

import re

from audit.errors import visible

_ENTITIES = {
    **{mark: f"&#{ord(mark)};" for mark in "\\`|${}"},
    "&": "&amp;",
    "<": "&lt;",
    **{mark: f"\\{mark}" for mark in "*_[]#~"},
}
_TABLE = str.maketrans(_ENTITIES)
_LINK = re.compile(r":(?=//)|(?<=www)\.", re.IGNORECASE)
_LIST_NUMBER = re.compile(r"^(\d+)([.)])(?= |$)")
_BACKTICKS = re.compile("`+")


class Safe(str):
    """Markdown that needs no further escaping."""

    __slots__ = ()


def clip(text: str, limit: int) -> str:
    """At most about `limit` characters, saying how many were left out."""
    if len(text) <= limit:
        return text
    return f"{text[:limit]}… ({len(text) - limit:,} more characters)"


def inline(text: object) -> Safe:
    """Plain text inside a paragraph, a heading or a table cell."""
    if isinstance(text, Safe):
        return text
    shown = visible(str(text)).strip(" ")
    escaped = _LINK.sub(lambda found: f"&#{ord(found[0])};", shown.translate(_TABLE))
    return Safe(_at_line_start(escaped))


def code(text: object) -> Safe:
    """A code span; not for table cells, where a pipe would end it."""
    shown = visible(str(text))
    if not shown.strip(" "):
        return Safe("(empty)")
    fence = "`" * (1 + _longest_run(shown))
    pad = " " if shown[0] in "` " or shown[-1] in "` " else ""
    return Safe(f"{fence}{pad}{shown}{pad}{fence}")


def block(text: object, language: str = "") -> Safe:
    """A fenced code block, to stand alone between two line breaks."""
    lines = [visible(line) for line in str(text).split("\n")]
    fence = "`" * max(3, 1 + max(map(_longest_run, lines)))
    return Safe("\n".join([f"{fence}{language}", *lines, fence]))


def _longest_run(text: str) -> int:
    return max(map(len, _BACKTICKS.findall(text)), default=0)


def _at_line_start(text: str) -> str:
    """Without what makes a list, a rule or an underlined heading at the start of a line."""
    if text[:1] in ("-", "+", "=", ">"):
        return f"&#{ord(text[0])};{text[1:]}"
    return _LIST_NUMBER.sub(lambda found: f"{found[1]}&#{ord(found[2])};", text)
