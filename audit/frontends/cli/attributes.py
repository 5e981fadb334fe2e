"""Help for a mechanism's parameters, from the docstring of its class."""

from __future__ import annotations

import inspect
import re

_SECTION = "Attributes:"
_NAMED = re.compile(r"    (\w+): (.*)")


def described(kind: type) -> dict[str, str]:
    """The words behind each name in the sections "Attributes:" of a class and its bases."""
    found: dict[str, str] = {}
    for part in reversed(kind.__mro__):
        found |= _named(_section(inspect.cleandoc(part.__doc__ or "")))
    return found


def _named(lines: list[str]) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    name = ""
    for line in lines:
        if named := _NAMED.fullmatch(line):
            name = named[1]
            found[name] = [named[2]]
        elif name:
            found[name].append(line.strip())
    return {name: " ".join(words).strip().rstrip(".") for name, words in found.items()}


def _section(text: str) -> list[str]:
    """The indented lines below the heading."""
    _, _, rest = text.partition(f"{_SECTION}\n")
    lines = rest.splitlines()
    end = next((i for i, line in enumerate(lines) if line and not line.startswith("    ")), None)
    return lines[:end]
