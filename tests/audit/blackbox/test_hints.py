"""What to try is told where the cause is known, and nothing where it is not."""

from __future__ import annotations

import json
import random
import sys
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.random import Generator, default_rng

from audit.blackbox.command import CommandBlackBox
from audit.blackbox.interface import BlackBox
from audit.blackbox.python import PythonBlackBox
from audit.outcomes.failed_run import FailedRun, hint_for

TABLE = pd.DataFrame({"age": [30, 40], "sex": ["f", "m"]})
NUMBERS = np.array([1.0, 2.0])


def hint(box: BlackBox, data: Any) -> str:
    with pytest.raises(Exception) as caught:  # noqa: PT011
        box.bind(data).draw(default_rng(0), 1)
    return hint_for(caught.value, data, getattr(box, "records", None))


def hint_of(function: Any, data: Any) -> str:
    found = hint(PythonBlackBox(function), data)
    assert "\n" not in found
    return found


def test_the_line_that_failed_is_the_users_and_not_a_librarys() -> None:
    def release(data: Any) -> float:
        return float(data["wages"].sum())

    with pytest.raises(KeyError) as caught:
        release(TABLE)
    where = FailedRun.of(caught.value, TABLE, 1).where or ""
    assert where.startswith("test_hints.py:")
    assert where.endswith(" in release")
    with pytest.raises(ValueError, match="Expecting value") as caught_alone:
        json.JSONDecoder().decode("")
    alone = caught_alone.value.with_traceback(caught_alone.tb.tb_next)
    assert (FailedRun.of(alone, TABLE, 1).where or "").startswith("decoder.py:")


@pytest.mark.parametrize(
    "function",
    [
        lambda data: sum(record["age"] for record in data),
        lambda data: [record.get("age") for record in data],
        lambda data: data[0]["age"],
        lambda data: sum(data[place]["age"] for place in range(len(data))),
    ],
)
def test_a_table_taken_for_a_list_of_dicts(function: Any) -> None:
    assert "use data['age'], or give `records='dict'`" in hint_of(function, TABLE)
    assert PythonBlackBox(function, records="dict").bind(TABLE).draw(default_rng(0), 1)


def test_what_comes_of_dicts_is_somebody_s_own() -> None:
    box = PythonBlackBox(lambda data: [key["age"] for key in data[0]], records="dict")
    assert hint(box, TABLE) == ""


@pytest.mark.parametrize(("data", "kind"), [(TABLE, "DataFrame"), (NUMBERS, "ndarray")])
def test_the_truth_of_many(data: Any, kind: str) -> None:
    found = hint_of(lambda data: 0 if not data else 1, data)
    assert kind in found
    assert "len(data)" in found


def test_the_methods_of_lists() -> None:
    assert "data.tolist()" in hint_of(lambda data: data.append(1), NUMBERS)
    assert "data.tolist()" in hint_of(lambda data: data.count(1), NUMBERS)


@pytest.mark.parametrize(
    "function", [lambda data: data["age"], lambda data: [record["age"] for record in data]]
)
def test_numbers_taken_for_a_table(function: Any) -> None:
    assert "name columns in `domain`" in hint_of(function, NUMBERS)


@pytest.mark.parametrize(
    "function",
    [
        lambda data, n: [0.0 for _ in range(n)],
        lambda data, n: np.zeros(n),
        lambda data, n: [0.0] * n,
        lambda data, n: n + 1,
        lambda data, n: n > 1,
        lambda data, n: np.random.laplace(size=n),  # noqa: NPY002
        lambda data, n: int(n),
    ],
)
def test_a_generator_taken_for_a_number(function: Any) -> None:
    assert "call it size or num_samples" in hint_of(function, NUMBERS)
    assert "call it size or num_samples" in hint_of(function, TABLE)


@pytest.mark.parametrize(
    ("old", "new"), [("randint", "integers"), ("randn", "standard_normal"), ("gauss", "normal")]
)
def test_a_generator_taken_for_another_one(old: str, new: str) -> None:
    found = hint_of(lambda data, rng: getattr(rng, old)(1), NUMBERS)
    assert found.endswith(f"which has no {old}; it has {new} instead")
    assert hasattr(default_rng(0), new)
    assert hasattr(np.random.RandomState(0), old) or hasattr(random.Random(0), old)


def fails_by_itself(data: Any, rng: Generator) -> Any:
    raise ValueError("epsilon must be positive")


class Unprintable(Exception):
    def __str__(self) -> str:
        raise ValueError


def fails_without_words(data: Any) -> Any:
    raise Unprintable


@pytest.mark.parametrize("data", [TABLE, NUMBERS, ["a"], [{"age": 1}]])
@pytest.mark.parametrize(
    "function",
    [
        fails_by_itself,
        fails_without_words,
        lambda data: 1 // 0,
        lambda data: dict[str, float]()["weight"],
        lambda data, rng: rng.laplace(scale=-1.0),
    ],
)
def test_anything_else_is_anybody_s_guess(function: Any, data: Any) -> None:
    assert hint_of(function, data) == ""


READS_LINES = "import json, sys; print(sum(json.loads(x)['age'] for x in open(sys.argv[1])))"
READS_ALL = "import json, sys; print(len(json.load(open(sys.argv[1]))))"


def program(source: str, records: str | None = None) -> CommandBlackBox:
    return CommandBlackBox([sys.executable, "-c", source, "{data}"], records=records)


@pytest.mark.parametrize("source", [READS_LINES, READS_ALL])
def test_a_program_that_expects_json(source: str) -> None:
    assert "give `records='json'`" in hint(program(source), TABLE)


def test_a_program_that_reads_all_json_at_once() -> None:
    assert "read it line by line" in hint(program(READS_ALL, "json"), TABLE)
    assert program(READS_LINES, "json").bind(TABLE).draw(default_rng(0), 1) == 70.0


def test_programs_that_fail_on_their_own() -> None:
    assert hint(program("raise SystemExit('no epsilon')"), TABLE) == ""
    assert hint(program("import json; json.loads('{')", "json"), TABLE) == ""


@pytest.mark.parametrize(
    "words",
    [
        "SyntaxError: Unexpected token a in JSON at position 0",
        "invalid character 'a' looking for beginning of value",
        "json: cannot unmarshal number into Go value",
        "jq: parse error: Invalid numeric literal at line 1, column 4",
        "expected value at line 1 column 1",
    ],
)
def test_other_languages_have_other_words_for_it(words: str) -> None:
    source = f"raise SystemExit({json.dumps(words)})"
    assert "give `records='json'`" in hint(program(source), NUMBERS)


def test_a_table_is_named_by_its_records() -> None:
    table = pd.DataFrame({"n": [1, 2]})
    for data, named in (
        (table, "[{'n': 1}, {'n': 2}]"),
        (table[:0], "[]"),
        ([5], "[5]"),
    ):
        failed = FailedRun.of(ValueError("no luck"), data, 1)
        assert failed.line == f"ValueError: no luck on the dataset {named}"
