"""What a collection of reports holds, folder by folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Page:
    """A page that is no report, for example that of a study.

    Attributes:
        title: its first heading.
        file: where it lies, from the collection's folder.
    """

    title: str
    file: str


@dataclass(frozen=True, slots=True)
class Folder:
    """One folder of the collection.

    Attributes:
        name: its name.
        reports: how many of the collection's reports are in it.
        pages: what else it has for people.
    """

    name: str
    reports: int
    pages: tuple[Page, ...]


def contents(folder: Path, reports: Mapping[str, int]) -> list[Folder]:
    """The folders that have something to read, by name.

    Args:
        folder: the collection.
        reports: how many of its reports each folder holds.
    """
    places = sorted(p for p in folder.iterdir() if p.is_dir()) if folder.is_dir() else []
    found = [Folder(p.name, reports.get(p.name, 0), tuple(_pages(p))) for p in places]
    return [one for one in found if one.reports or one.pages]


def _pages(place: Path) -> list[Page]:
    """Reports begin with their front matter, all other pages with a heading."""
    heads = [(path, path.read_text("utf-8", "replace")) for path in sorted(place.glob("*.md"))]
    return [
        Page(text.partition("\n")[0].removeprefix("# "), f"{place.name}/{path.name}")
        for path, text in heads
        if text.startswith("# ")
    ]
