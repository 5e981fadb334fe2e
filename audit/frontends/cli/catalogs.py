"""Catalogues and benchmarks that installed packages offer by entry points."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from audit.declaration import Catalog, Entry
from audit.errors import InputError, reason_of

CATALOGS = "dp_audit.catalogs"
BENCHMARKS = "dp_audit.benchmarks"


def catalog() -> Catalog:
    """Every mechanism that an installed package offers, by name.

    Raises:
        InputError: no package offers one, one cannot be loaded, or two
            mechanisms share a name.
    """
    points = entry_points(group=CATALOGS)
    if not points:
        raise InputError(
            "no catalogue of mechanisms is installed; install the project with pip, or audit "
            "your own with: audit python FILE.py:FUNCTION"
        )
    entries: dict[str, Entry] = {}
    for point in points:
        offered: Catalog = loaded(point)
        for name in offered:
            if name in entries:
                raise InputError(f"two catalogues offer {name!r}; uninstall one of them", name)
        entries |= offered
    return entries


def loaded(point: EntryPoint) -> Any:
    """Object that an entry point names.

    Raises:
        InputError: the package that offers it is broken.
    """
    try:
        return point.load()
    except Exception as error:
        raise InputError(
            f"{point.group} of {point.value!r} cannot be loaded ({reason_of(error)}); "
            "reinstall the package that offers it",
            point.value,
        ) from error


def entry_named(name: str) -> Entry:
    """The mechanism of that name.

    Raises:
        InputError: there is none; the message suggests near names.
    """
    entries = catalog()
    if name not in entries:
        raise InputError(f"{name!r} is no mechanism of the catalogue; {_near(name, entries)}", name)
    return entries[name]


def in_groups(entries: Catalog, groups: Sequence[str]) -> Catalog:
    """Mechanisms under these headings, all if there are none.

    Raises:
        InputError: there is no such heading.
    """
    known = list(dict.fromkeys(entry.group for entry in entries.values()))
    for group in groups:
        if group not in known:
            near = difflib.get_close_matches(group, known, n=1)
            said = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}"
            raise InputError(f"--group {group!r} is no heading of audit list; {said}", group)
    return {name: entry for name, entry in entries.items() if not groups or entry.group in groups}


def with_words(entries: Catalog, words: Sequence[str]) -> Catalog:
    """Mechanisms whose names contain all these words.

    Raises:
        InputError: there is none.
    """
    found = {
        name: entry
        for name, entry in entries.items()
        if all(word.lower() in name.lower() for word in words)
    }
    if words and not found:
        said = " and ".join(map(repr, words))
        near = _near("-".join(words), entries)
        raise InputError(f"no name of these mechanisms contains {said}; {near}", words)
    return found


def _near(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, known, n=3)
    found = f"did you mean {' or '.join(near)}? " if near else ""
    return f"{found}`audit list` shows all of them"


def benchmarks() -> dict[str, EntryPoint]:
    """Benchmarks that installed packages offer, not loaded yet, by name."""
    return {point.name: point for point in entry_points(group=BENCHMARKS)}
