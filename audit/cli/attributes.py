"""Help for a mechanism's parameters, from the docstring of its class."""

from __future__ import annotations

import inspect
import re

_SECTION = "Attributes:"
_NAMED = re.compile(r"    (\w+): (.*)")


def described(kind: type) -> dict[str, str]:
    """The words behind each name in the section "Attributes:" of a Google-style docstring."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in _section(inspect.getdoc(kind) or ""):
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
