"""Files that belong together, and those that do not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from audit.errors import InputError
from audit.verdict.recorded.files import of_json
from audit.verdict.recorded.recording import Recording, gathered, halves_of, recordings_of


def samples(name: str, outputs: list[Any], columns: tuple[str, ...] = ()) -> Recording:
    return Recording("D", name, gathered(list(map(of_json, outputs))), columns)


@pytest.mark.parametrize(
    ("here", "there", "held"),
    [
        ([1, 2], [[1, 2], [3, 4]], ("a number", "a vector of 2 numbers")),
        ([[1], [2]], [[1, 2], [3, 4]], ("a vector of one number", "a vector of 2 numbers")),
        (["a", "b"], [1, 2], ("a text", "a number")),
        ([{"a": 1}], [1], ("an object with keys", "a number")),
        ([["a", 1]], [[1, 2]], ("a list of 2", "a vector of 2 numbers")),
        ([None], [True], ("null", "a truth value")),
    ],
)
def test_kinds_that_are_certain_and_unlike_are_an_error_of_input(
    here: list[Any], there: list[Any], held: tuple[str, str]
) -> None:
    for first, second, kinds in ((here, there, held), (there, here, held[::-1])):
        with pytest.raises(InputError, match="do these files belong together") as caught:
            recordings_of([samples("D.jsonl", first), samples("D1.jsonl", second)])
        assert str(caught.value).startswith(
            f"every output in 'D.jsonl' is {kinds[0]} and every one in 'D1.jsonl' {kinds[1]}: "
        )
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("here", "there"),
    [
        ([1, 2], [1, "error"]),
        ([[1], [1, 2]], [[1, 2, 3]]),
        ([1, [1]], [[1]]),
        ([1, None], ["a", "b"]),
        (["a"], ["b"]),
        ([{"a": 1}], [{"b": 1, "c": 2}]),
    ],
)
def test_kinds_that_vary_and_contents_that_differ_are_outputs(
    here: list[Any], there: list[Any]
) -> None:
    found = recordings_of([samples("D.jsonl", here), samples("D1.jsonl", there)])
    assert [(r.name, len(r)) for r in found] == [("D", len(here)), ("D1", len(there))]


def test_rows_have_the_same_columns_in_the_same_order() -> None:
    rows = [[1, 2], [3, 4]]
    with pytest.raises(InputError, match="'D.csv' has columns a, b and 'D1.csv' has columns b, a"):
        recordings_of([samples("D.csv", rows, ("a", "b")), samples("D1.csv", rows, ("b", "a"))])
    assert recordings_of([samples("D.csv", rows, ("a", "b")), samples("D1.npy", rows)])


def test_halves_leave_the_middle_out() -> None:
    first, second = halves_of(samples("D.txt", [1, 2, 3, 4, 5]))
    assert (list(first.outputs), list(second.outputs)) == ([1, 2], [4, 5])
    assert (first.name, second.name) == ("D", "D0")
    with pytest.raises(InputError, match="halves need two"):
        halves_of(samples("D.txt", [1]))


def test_a_part_is_sorted_into_columns() -> None:
    recording = Recording("D", "D.txt", np.arange(5.0))
    assert recording.part(1, 3).columns["output"].values.tolist() == [1.0, 2.0]
