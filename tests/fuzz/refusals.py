"""What a refusal must look like, wherever it comes from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from audit.errors import AuditError


def refused(function: Callable[..., Any], *arguments: Any, **named: Any) -> str | None:
    """The line in which something is refused, None where it is accepted.

    Whatever is raised other than an `AuditError` fails the test.
    """
    try:
        function(*arguments, **named)
    except AuditError as error:
        return clear(str(error))
    return None


def clear(line: str) -> str:
    """The line itself, which is one, prints and says something."""
    assert line.isprintable(), line
    assert len(line.split()) > 3, line
    return line
