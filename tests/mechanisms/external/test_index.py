"""The page on all libraries, from stored results."""

from __future__ import annotations

from pathlib import Path

from numpy.random import Generator

from audit.declaration import Entry
from audit.run_audit import run
from mechanisms.external.index import write_index
from mechanisms.external.results import NAME, keep, stored
from mechanisms.external.shelf import Finding, Shelf

_SHELF = Shelf("library", "1.2", "docs")


def _store(entry: Entry, folder: Path) -> None:
    place = folder / "library"
    place.mkdir(parents=True, exist_ok=True)
    keep(place, run(entry, max_samples=2_000).to_json())


def test_a_violation_stands_with_its_witness_and_a_kept_claim_with_its_bound(
    tmp_path: Path,
) -> None:
    def copied(data: list[int], rng: Generator) -> int:
        return int(data[0])

    def constant(data: list[int], rng: Generator) -> int:
        return int(rng.integers(2))

    broken = Finding("the record | itself is released", thread="thread 7")
    _store(_SHELF.entry("copy", "copy(x)", copied, [0], [1], broken=broken), tmp_path / "libraries")
    _store(_SHELF.entry("coin", "coin(x)", constant, [0], [1]), tmp_path / "libraries")
    page = write_index(tmp_path / "libraries")
    text = page.read_text("utf-8")
    assert page == tmp_path / "libraries" / "README.md"
    assert "2 calls of 1 libraries: 1 violations, 1 not refuted, 0 without an answer." in text
    row = next(line for line in text.splitlines() if line.startswith("| [library-copy]"))
    assert "1 of 1 records changed" in row or "0 became 1" in row
    assert "the record \\| itself is released | thread 7 |" in row
    kept = next(line for line in text.splitlines() if line.startswith("| [library-coin]"))
    assert "ε = 1; declared" in kept


def test_a_result_takes_the_place_of_an_earlier_one_of_its_name(tmp_path: Path) -> None:
    def coin(data: list[int], rng: Generator) -> int:
        return int(rng.integers(2))

    entries = [_SHELF.entry(name, f"{name}(x)", coin, [0], [1]) for name in ("b", "a")]
    for entry in entries:
        _store(entry, tmp_path)
    before = (tmp_path / "library" / NAME).read_bytes()
    _store(entries[0], tmp_path)
    assert (tmp_path / "library" / NAME).read_bytes() == before
    assert [result["mechanism"] for result in stored(tmp_path / "library")] == [
        "library-a",
        "library-b",
    ]
    assert stored(tmp_path / "elsewhere") == []
