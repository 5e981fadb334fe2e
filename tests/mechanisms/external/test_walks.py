"""Walks: names of enumerated calls, their reports, continued walks. No library is needed."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from numpy.random import Generator

from audit.claims import ZCDP, ApproxDP, PureDP
from audit.declaration import Entry
from audit.errors import InputError
from audit.report.write import file_name
from mechanisms.external import Library, __main__
from mechanisms.external.shelf import Shelf
from mechanisms.external.walks.opendp import noise
from mechanisms.external.walks.opendp.measured import Measured, claim_of
from mechanisms.external.walks.steps import shown, step, walked

_SHELF = Shelf("library", "1.2", "docs")


def _noisy(data: list[int], rng: Generator) -> int:
    return int(rng.integers(2))


def _told(data: list[int], rng: Generator) -> int:
    return int(data[0])


def _calls() -> Iterator[Entry]:
    for scale in (1, 2):
        yield step(_SHELF, f"noise(scale={scale})", _noisy, ([0], [1]))
    yield step(_SHELF, "copy(x)", _told, ([0], [1]))


def test_a_call_is_named_by_its_words_in_letters_that_files_and_shells_take() -> None:
    call = "Noise(i32, scale=0.7, bounds=(-3, 5)), at its top"
    name = step(_SHELF, call, _noisy, ([0], [1])).name
    assert name == "library-walk-noise-i32-scale-0.7-bounds-minus-3-5-at-its-top"
    assert file_name(name) == name
    assert shown({"dtype": int, "bounds": (0, 1)}) == "dtype=int, bounds=(0, 1)"


def test_a_walk_that_comes_twice_to_one_name_is_refused() -> None:
    calls = [*_calls(), *_calls()]
    with pytest.raises(InputError, match="'library-walk-noise-scale-1' is walked twice"):
        walked(calls)
    assert len(walked(_calls())) == 3


def test_a_library_without_a_walk_has_no_enumerated_calls() -> None:
    assert Library("nowhere", "nothing==1").enumerated() == ()


def _options(report: Path | None, **more: Any) -> argparse.Namespace:
    given = {
        "library": "library",
        "entry": [],
        "enumerated": True,
        "list": False,
        "line": False,
        "max_samples": 1_000,
        "max_seconds": None,
        "until": "violation",
        "seed": 0,
    }
    return argparse.Namespace(report=report, **{**given, **more})


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library of this file, in the place of the real ones."""
    written = (_SHELF.entry("coin", "coin(x)", _noisy, [0], [1]),)
    found = SimpleNamespace(entries=lambda: written, enumerated=lambda: walked(_calls()))
    monkeypatch.setattr(__main__, "library_named", lambda name: found)


@pytest.mark.slow
@pytest.mark.usefixtures("library")
def test_a_walk_writes_reports_and_continues_with_the_calls_that_have_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = _options(tmp_path)
    first = __main__._chosen(options)
    assert len(first) == 3
    assert __main__._audited(first[1:], options) == [0, 1]
    written = {path.stem for path in (tmp_path / "library").glob("*.md")}
    assert written == {"library-walk-noise-scale-2", "library-walk-copy-x"}
    assert [entry.name for entry in __main__._chosen(options)] == ["library-walk-noise-scale-1"]
    assert "2 of 2: library-walk-copy-x, " in capsys.readouterr().err


@pytest.mark.usefixtures("library")
def test_one_call_is_found_by_its_name_whether_written_or_walked() -> None:
    names = ["library-walk-copy-x", "library-coin"]
    assert [entry.name for entry in __main__._chosen(_options(None, entry=names))] == names
    written = __main__._chosen(_options(None, enumerated=False))
    assert [entry.name for entry in written] == ["library-coin"]


def test_a_walk_is_made_only_for_a_call_that_is_not_written_by_hand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written = (_SHELF.entry("coin", "coin(x)", _noisy, [0], [1]),)

    def enumerated() -> tuple[Entry, ...]:
        raise AssertionError("a walk was made")

    found = SimpleNamespace(entries=lambda: written, enumerated=enumerated)
    monkeypatch.setattr(__main__, "library_named", lambda name: found)
    assert __main__._chosen(_options(None, entry=["library-coin"])) == written
    assert __main__._chosen(_options(None, enumerated=False)) == written
    with pytest.raises(AssertionError, match="a walk was made"):
        __main__._chosen(_options(None, entry=["library-walk-copy-x"]))


class _Made:
    """A measurement of a library that does not exist."""

    def __init__(self, measure: str, loss: Any) -> None:
        self.output_measure, self._loss = measure, loss

    def map(self, distance: Any) -> Any:
        return self._loss

    def __call__(self, data: Any) -> Any:
        return data


def test_a_claim_is_what_the_map_says_in_the_measure_of_the_measurement() -> None:
    assert claim_of(None, _Made("MaxDivergence", 2.0), 1) == PureDP(2.0)
    assert claim_of(None, _Made("Approximate<Max>", (1.0, 0.1)), 1) == ApproxDP(1.0, 0.1)
    found = claim_of(None, _Made("ZeroConcentratedDivergence", 0.5), 1)
    assert found == ZCDP(0.5)
    curve = SimpleNamespace(
        make_zCDP_to_approxDP=lambda made: made,
        make_fix_delta=lambda made, delta: _Made("", (3.0, delta)),
    )
    both = _Made("Approximate<ZeroConcentratedDivergence>", (0.5, 0.1))
    assert claim_of(SimpleNamespace(c=curve), both, 1) == ApproxDP(3.0, 0.101)


def test_neighbors_stand_one_apart_in_the_middle_and_at_the_ends_of_every_type() -> None:
    for name in ("i32", "i64", "u32", "f32", "f64"):
        found = list(noise.places(name))
        assert found[0][1:] == (0, 1)
        assert all(right - left == 1 for _, left, right in found), name
    assert [place for place, *_ in noise.places("u64")] == ["in the middle"]
    assert ("at its top", 2**31 - 2, 2**31 - 1) in list(noise.places("i32"))


def test_what_a_library_refuses_to_build_is_no_call() -> None:
    def refused() -> Any:
        raise LookupError("unsupported")

    measured = Measured(_SHELF, None, LookupError)
    assert measured.made(refused) is None
    assert measured.made(lambda: 1) == 1
    with pytest.raises(ZeroDivisionError):
        measured.made(lambda: 1 // 0)
