"""The page on all libraries, from stored results."""

from __future__ import annotations

from pathlib import Path

import pytest
from numpy.random import Generator

from audit.declaration import Entry
from audit.errors import InputError
from audit.run_audit import run
from mechanisms.external.enumerated import keep_line
from mechanisms.external.index import write_index
from mechanisms.external.results import NAME, keep, stored
from mechanisms.external.shelf import Finding, Shelf
from mechanisms.external.walks.steps import step

_SHELF = Shelf("library", "1.2", "docs")


def _store(entry: Entry, folder: Path) -> None:
    place = folder / "library"
    place.mkdir(parents=True, exist_ok=True)
    keep(place, run(entry, max_samples=2_000).to_json())


def _copied(data: list[int], rng: Generator) -> int:
    return int(data[0])


def _coin(data: list[int], rng: Generator) -> int:
    return int(rng.integers(2))


def _explain(folder: Path, kind: str = "real", call: str = "library-copy") -> None:
    (folder / "causes.toml").write_text(
        f"""
[[cause]]
name = "library-copies"
library = "library"
kind = "{kind}"
calls = ["{call}"]
promise = "noise is added"
where = "copy, docstring"
cause = "the record | itself is released"
thread = "thread 7"
severity = "total"
""",
        "utf-8",
    )


def _stored(folder: Path) -> Path:
    broken = Finding("the record | itself is released", thread="thread 7")
    _store(_SHELF.entry("copy", "copy(x)", _copied, [0], [1], broken=broken), folder)
    _store(_SHELF.entry("coin", "coin(x)", _coin, [0], [1]), folder)
    return folder


def test_a_broken_promise_stands_with_its_witness_and_a_kept_claim_with_its_bound(
    tmp_path: Path,
) -> None:
    folder = _stored(tmp_path / "libraries")
    _explain(folder)
    page = write_index(folder)
    text = page.read_text("utf-8")
    assert page == folder / "README.md"
    assert "2 calls of 1 libraries, 2 written by hand and 0 enumerated: 1 refuted, 1 not" in text
    assert "| 1 | 1 | **broken promises**" in text
    assert "| 0 | 0 | **small print**" in text
    rows = [line for line in text.splitlines() if "library-copies" in line]
    assert "“noise is added”: copy, docstring" in rows[0]
    assert "the record \\| itself is released | thread 7 | total |" in rows[0]
    assert "1 of 1 records changed" in rows[1] or "0 became 1" in rows[1]
    assert "reproduce.sh library --entry library-copy" in rows[1]
    kept = next(line for line in text.splitlines() if line.startswith("| [library-coin]"))
    assert "ε = 1; declared" in kept


def test_enumerated_calls_are_counted_and_stand_in_a_row_for_each_constructor(
    tmp_path: Path,
) -> None:
    folder = _stored(tmp_path / "libraries")
    _explain(folder)
    entry = step(_SHELF, "coin(bias=0)", _coin, ([0], [1]))
    keep_line(folder / "library", run(entry, max_samples=2_000).to_json())
    text = write_index(folder).read_text("utf-8")
    assert "3 calls of 1 libraries, 2 written by hand and 1 enumerated: 1 refuted, 2 not" in text
    assert "3 calls, 1 refuted." in text
    assert "| coin | 1 | 1 | 0 | 0 | " in text
    assert "library-walk-coin" not in text


def test_small_print_is_no_broken_promise(tmp_path: Path) -> None:
    folder = _stored(tmp_path / "libraries")
    _explain(folder, kind="small print")
    text = write_index(folder).read_text("utf-8")
    assert "| 0 | 0 | **broken promises**" in text
    assert "| 1 | 1 | **small print**" in text
    assert "## Broken promises" not in text


def test_a_refuted_call_without_a_cause_is_refused(tmp_path: Path) -> None:
    folder = _stored(tmp_path / "libraries")
    with pytest.raises(InputError, match="'library-copy' is refuted and has no cause"):
        write_index(folder)


def test_a_cause_of_what_was_not_refuted_is_refused(tmp_path: Path) -> None:
    folder = _stored(tmp_path / "libraries")
    _explain(folder)
    more = (folder / "causes.toml").read_text("utf-8")
    _explain(folder, call="library-coin")
    other = (folder / "causes.toml").read_text("utf-8").replace("library-copies", "library-coins")
    (folder / "causes.toml").write_text(more + other, "utf-8")
    with pytest.raises(InputError, match="'library-coin' has a cause and is not refuted"):
        write_index(folder)


def test_a_call_has_one_cause(tmp_path: Path) -> None:
    folder = _stored(tmp_path / "libraries")
    _explain(folder)
    text = (folder / "causes.toml").read_text("utf-8")
    (folder / "causes.toml").write_text(text + text.replace("library-copies", "again"), "utf-8")
    with pytest.raises(InputError, match="'library-copy' stands twice"):
        write_index(folder)


def test_a_result_takes_the_place_of_an_earlier_one_of_its_name(tmp_path: Path) -> None:
    entries = [_SHELF.entry(name, f"{name}(x)", _coin, [0], [1]) for name in ("b", "a")]
    for entry in entries:
        _store(entry, tmp_path)
    before = (tmp_path / "library" / NAME).read_bytes()
    _store(entries[0], tmp_path)
    assert (tmp_path / "library" / NAME).read_bytes() == before
    assert [result["mechanism"] for result in stored(tmp_path / "library")] == [
        "library-a",
        "library-b",
    ]
    assert before.decode("utf-8").count("\n") == 4
    assert "effort" not in before.decode("utf-8")
    assert stored(tmp_path / "elsewhere") == []
