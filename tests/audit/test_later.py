"""Datasets of a catalogue that are made when somebody asks for them, once."""

from __future__ import annotations

from dataclasses import replace

from audit.declaration import Entry, Later
from mechanisms import CATALOG

MECHANISM = CATALOG["laplace"].mechanism


def entry_of(made: list[str]) -> Entry:
    """One that notes what was made."""

    def later(name: str) -> Later:
        return Later(lambda: made.append(name) or [name])  # type: ignore[func-returns-value]

    return Entry(
        name="later",
        group="",
        summary="",
        mechanism=MECHANISM,
        data=later("D"),
        neighbors=(later("D1"), ["D2"]),
    )


def test_nothing_is_made_before_it_is_asked_for_and_then_once() -> None:
    made: list[str] = []
    entry = entry_of(made)
    assert made == []
    assert entry.data == ["D"]
    assert made == ["D"]
    assert entry.neighbors == (["D1"], ["D2"])
    assert entry.neighbors[0] is entry.neighbors[0]
    assert entry.data is entry.data
    assert made == ["D", "D1"]


def test_copies_hold_the_same() -> None:
    entry = replace(entry_of([]), name="copy")
    assert (entry.name, entry.data, entry.neighbors) == ("copy", ["D"], (["D1"], ["D2"]))


def test_an_entry_without_datasets_has_none() -> None:
    bare = Entry(name="bare", group="", summary="", mechanism=MECHANISM)
    assert (bare.data, bare.neighbors) == (None, ())
