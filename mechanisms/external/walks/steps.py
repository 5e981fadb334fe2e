"""Names of enumerated calls."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from audit.declaration import Entry
from audit.errors import InputError
from mechanisms.external.call import Release
from mechanisms.external.shelf import Shelf

PREFIX = "walk-"


def step(shelf: Shelf, call: str, does: Release, pair: tuple[Any, Any], **options: Any) -> Entry:
    """An enumerated call, named after its words.

    Args:
        shelf: of the library.
        call: the call in words of the library, its constructor first; unlike any other.
        does: makes the call.
        pair: two datasets that are neighbors.
        options: whatever `Shelf.entry` takes besides.
    """
    return shelf.entry(_own_name(call), call, does, *pair, **options)


def shown(options: Mapping[str, Any]) -> str:
    """Options as they are written in a call."""
    return ", ".join(
        f"{key}={value.__name__ if isinstance(value, type) else value}"
        for key, value in options.items()
    )


def walked(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """All calls of a walk.

    Raises:
        InputError: two of them have one name.
    """
    found: dict[str, Entry] = {}
    for entry in entries:
        if entry.name in found:
            raise InputError(
                f"{entry.name!r} is walked twice; say in its call what sets it apart", entry.name
            )
        found[entry.name] = entry
    return tuple(found.values())


def _own_name(call: str) -> str:
    """Letters, digits and dots of a text, for a file and for a shell."""
    text = re.sub(r"(?<![a-z0-9])-(?=\d)", " minus ", call.lower())
    return PREFIX + "-".join(re.findall(r"[a-z0-9]+(?:\.[0-9]+)?", text))
