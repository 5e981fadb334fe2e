"""Hypothesis explores silently, repeatably and without a trace."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

import hypothesis.configuration
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from audit.neighbors.search import strategies
from audit.neighbors.search.strategies import Enough, explore

pytestmark = pytest.mark.lowest


def visited(start: int, examples: int = 60) -> list[int]:
    seen: list[int] = []

    def visit(number: int) -> float:
        seen.append(number)
        return float(number)

    explore(st.integers(0, 10**6), visit, examples, start)
    return seen


def storage() -> str:
    """Where Hypothesis would keep its notes; a path of its own kind in later versions."""
    place = hypothesis.configuration.storage_directory("a", intent_to_write=False)
    return str(getattr(place, "path", place))


def test_a_seed_shows_the_same_examples_again() -> None:
    assert visited(1) == visited(1) != visited(2)


def test_modules_that_happen_to_be_loaded_change_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = visited(1, 200)
    (tmp_path / "some_constants.py").write_text(f"NUMBERS = {list(range(700_000, 700_050))}\n")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("some_constants")
    assert visited(1, 200) == before


@pytest.mark.parametrize(
    ("place", "name"),
    [
        ("hypothesis.internal.conjecture.providers", "_get_local_constants"),
        ("hypothesis.internal.conjecture.providers", "CONSTANTS_CACHE"),
        ("hypothesis.internal.constants_ast", "Constants"),
        ("hypothesis.configuration", "set_hypothesis_home_dir"),
        ("hypothesis.configuration", "__hypothesis_home_directory"),
    ],
)
def test_private_names_that_a_version_lacks_are_not_missed(
    place: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without = ModuleType(place)
    names = vars(importlib.import_module(place))
    vars(without).update({key: value for key, value in names.items() if key != name})
    assert len(vars(without)) < len(names)
    monkeypatch.setitem(sys.modules, place, without)
    if place == "hypothesis.configuration":
        monkeypatch.setattr(strategies, "configuration", without)
    monkeypatch.chdir(tmp_path)
    assert visited(1) == visited(1) != visited(2)


def test_a_private_module_that_a_version_lacks_is_not_missed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "hypothesis.internal.constants_ast", None)
    assert visited(1) == visited(1) != visited(2)


def test_at_most_so_many_examples_are_shown() -> None:
    assert 10 <= len(visited(0, 20)) <= 20


def test_scores_steer() -> None:
    assert max(visited(0, 150)) > 990_000


def test_enough_ends_it() -> None:
    seen: list[int] = []

    def visit(number: int) -> float:
        seen.append(number)
        if len(seen) == 5:
            raise Enough
        return 0.0

    explore(st.integers(), visit, 100, 0)
    assert len(seen) == 5


def test_an_error_comes_out_as_it_is_and_at_once() -> None:
    seen: list[int] = []

    def visit(number: int) -> float:
        seen.append(number)
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        explore(st.integers(), visit, 100, 0)
    assert len(seen) == 1


@pytest.mark.slow
def test_a_strategy_without_examples_shows_none() -> None:
    explore(st.integers().filter(lambda number: False), lambda example: 0.0, 20, 0)


def test_it_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    home = storage()
    visited(0)
    assert list(tmp_path.iterdir()) == []
    assert capfd.readouterr() == ("", "")
    assert storage() == home


@settings(max_examples=2, suppress_health_check=list(HealthCheck))
@given(number=st.integers())
def test_it_works_inside_a_test_by_hypothesis(number: int) -> None:
    assert visited(0, 20)
