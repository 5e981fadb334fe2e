"""Outputs that are huge: one line that names size, limit and remedy, and soon.

What is huge is made so that it takes no memory itself: copying it would fail, or
take longer than any test may.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.random import Generator, default_rng

from audit.blackbox.command import CommandBlackBox
from audit.blackbox.output import LONGEST_TEXT, MOST_NAMES, MOST_NUMBERS, MOST_PARTS, taken
from audit.blackbox.sql import SqlBlackBox
from audit.errors import BlackBoxError, OutcomeError
from audit.outcomes.encoding import encode, joined

from .conftest import Audited, Refused

pytestmark = pytest.mark.slow

ZERO = np.float64(0.0)


@pytest.mark.parametrize("numbers", [MOST_NUMBERS + 1, 10**12])
@pytest.mark.parametrize("dtype", [np.float64, np.bool_])
def test_large_arrays_are_refused_before_they_are_copied(
    refused: Refused, numbers: int, dtype: type
) -> None:
    def one(data: Any, rng: Generator) -> Any:
        return np.broadcast_to(dtype(0), (numbers,))

    def many(data: Any, rng: Generator, size: int) -> Any:
        return np.broadcast_to(dtype(0), (size, numbers))

    def listed(data: Any, rng: Generator, size: int) -> Any:
        return [np.broadcast_to(dtype(0), (numbers,))] * size

    def one_by_one(data: Any, rng: Generator, size: int) -> Any:
        if size > 1:
            raise MemoryError
        return [np.broadcast_to(dtype(0), (numbers,))]

    def row_by_row(data: Any, rng: Generator, size: int) -> Any:
        return np.array(one_by_one(data, rng, size)[0], copy=None)[np.newaxis]

    for function in (one, many, listed, one_by_one, row_by_row):
        told = refused(function)
        assert f"more than 250,000 numbers (at least {numbers:,}); return" in told


def test_arrays_just_as_large_as_allowed_are_audited(audited: Audited) -> None:
    def wide(data: Any, rng: Generator) -> Any:
        return np.broadcast_to(rng.random(), (MOST_NUMBERS,))

    assert audited(wide, max_samples=100).verdict == "not-refuted"
    assert audited(lambda data, rng: np.zeros((0, 5, 10**9)), max_samples=80).verdict


MANY = 10**5
LARGE: dict[str, Callable[[], Any]] = {
    "dict": lambda: dict.fromkeys(range(MANY), 0.0),
    "list": lambda: [0.0] * MANY,
    "tuple": lambda: (0.0,) * MANY,
    "set": lambda: set(range(MANY)),
    "subclass": lambda: OrderedDict.fromkeys(range(MANY), 0.0),
    "nested": lambda: [[0.0] * 1000] * 5,
    "arrays": lambda: {i: np.broadcast_to(ZERO, (10**9,)) for i in range(3)},
    "objects": lambda: np.broadcast_to(np.array(None, object), (10**9,)),
    "series": lambda: pd.Series(np.zeros(MANY)),
    "table": lambda: pd.DataFrame(np.zeros((1000, 100))),
}


@pytest.mark.parametrize("kind", LARGE)
@pytest.mark.parametrize("many", [False, True])
def test_outputs_of_very_many_parts_are_refused(refused: Refused, kind: str, many: bool) -> None:
    def one(data: Any, rng: Generator) -> Any:
        return LARGE[kind]()

    def several(data: Any, rng: Generator, size: int) -> Any:
        return [LARGE[kind]()] * size

    told = refused(several if many else one)
    assert f"more than {MOST_PARTS} parts" in told
    assert "return an array of numbers (up to 250,000), or a summary" in told


@pytest.mark.parametrize("wrap", [lambda t: t, lambda t: [t], lambda t: {t: 1}, str.encode])
@pytest.mark.parametrize("many", [False, True])
def test_huge_texts_are_refused(refused: Refused, wrap: Any, many: bool) -> None:
    text = "x" * (LONGEST_TEXT + 1)
    told = refused(
        (lambda data, rng, size: [wrap(text)] * size) if many else (lambda data, rng: wrap(text)),
    )
    assert "a text of 1,000,001 characters, more than 1,000,000" in told


def test_texts_just_as_long_as_allowed_are_told_apart() -> None:
    first, second = ("x" * (LONGEST_TEXT - 1) + end for end in "ab")
    assert len(encode([first, second], 2).columns["output"].names) == 3


def test_keys_that_never_repeat_are_refused(refused: Refused) -> None:
    def tokens(data: Any, rng: Generator) -> Any:
        return dict.fromkeys(rng.integers(0, 2**60, 3000).tolist(), 1.0)

    assert "different names, more than 20,000" in refused(tokens)
    few = [encode([set(range(k, k + 4000))], 1) for k in range(0, MOST_NAMES, 4000)]
    with pytest.raises(OutcomeError, match="keys of dicts or members of sets that hardly repeat"):
        joined(few)


def test_a_copy_is_as_deep_as_what_can_change() -> None:
    inner, buffer = [1.0], np.zeros(2)
    output = ({"a": inner, "b": "text"}, buffer, np.array([inner, None], object), {1}, None)
    copied = taken(output)
    inner.append(2.0)
    buffer[:] = 1.0
    assert copied[0] == {"a": [1.0], "b": "text"}
    assert copied[1].tolist() == [0.0, 0.0]
    assert copied[2].tolist() == [[1.0], None]
    assert copied[3:] == ({1}, None)


def printed(script: str, *more: str, size: int = 1) -> Any:
    box = CommandBlackBox(["sh", "-c", script, "sh", "{data}", *more])
    return box.bind([1]).draw(default_rng(0), size)


def test_what_programs_print_at_length_is_refused() -> None:
    with pytest.raises(OutcomeError, match="more than 250,000 numbers"):
        printed("yes 1 | head -n 300000")
    with pytest.raises(OutcomeError, match="more than 4096 parts"):
        printed("yes a | head -n 5000")
    with pytest.raises(OutcomeError, match=r"a text of 1,500,000 characters"):
        printed("yes a | head -n 1500000 | tr -d '\\n'")
    with pytest.raises(OutcomeError, match="more than 4096 parts"):
        printed("echo '[1'; yes ,1 | head -n 5000; echo ']'" + " | tr -d '\\n'")
    with pytest.raises(BlackBoxError, match="more than 250000 lines where 3 outputs"):
        printed("yes 1 | head -n 300000", "{size}", size=3)


def test_thousands_of_numbers_of_a_program_are_an_array() -> None:
    numbers = printed("seq 5000")
    assert isinstance(numbers, np.ndarray)
    assert numbers.tolist() == list(range(1, 5001))
    assert isinstance(printed("seq 4000"), list)


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("SELECT range FROM range(10000000000)", "more than 4096 parts"),
        ("SELECT repeat('x', 5000000)", "a text of 5,000,000 characters"),
        ("SELECT range(100000)", "more than 4096 parts"),
        ("SELECT range FROM range(10000000000 + {size})", "more than 4096 rows where 1 outputs"),
    ],
)
def test_results_of_very_many_rows_are_not_fetched(query: str, told: str) -> None:
    with pytest.raises(BlackBoxError, match=told):
        SqlBlackBox(query).bind(np.array([1.0])).draw(default_rng(0), 1)
