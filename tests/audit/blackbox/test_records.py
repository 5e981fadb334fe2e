"""Records arrive as they are asked for: a DataFrame or dicts, CSV or JSON."""

from __future__ import annotations

import datetime
import json
import math
import pickle
import sys
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.random import Generator, default_rng

import audit
from audit.blackbox.command import CommandBlackBox
from audit.blackbox.exchange import JSON_LINES, dicts_of, file_of
from audit.blackbox.python import PythonBlackBox
from audit.errors import BlackBoxError, InputError

TABLE = pd.DataFrame({"age": [3, 40], "sex": ["f", "m"], "height": [1.5, math.nan]})


def as_json(data: Any) -> list[str]:
    return file_of(data, JSON_LINES).decode("utf-8", "surrogatepass").splitlines()


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (np.array([1, 2]), ["1", "2"]),
        (np.array([0.1, -0.0, 1e300]), ["0.1", "-0.0", "1e+300"]),
        (np.array([math.nan, math.inf, -math.inf]), ["null", "1e999", "-1e999"]),
        (np.array([[1.0, math.inf], [2.0, 3.0]]), ["[1.0, 1e999]", "[2.0, 3.0]"]),
        (["a", 'NaN "Infinity"', "two\nlines", None, True], None),
        ([{"a": [1, {"b": "NaN"}]}, {}], None),
        (pd.Series(["x", "y"]), ['"x"', '"y"']),
        (
            TABLE,
            ['{"age": 3, "sex": "f", "height": 1.5}', '{"age": 40, "sex": "m", "height": null}'],
        ),
        ([np.int64(3), np.bool_(True), pd.NA], ["3", "true", "null"]),
        ([np.array([1.0, 2.0])], ["[1.0, 2.0]"]),
        ([datetime.date(2020, 1, 2), pd.NaT], ['"2020-01-02"', "null"]),
        (5.0, ["5.0"]),
        ([], []),
        (pd.DataFrame({"a": []}), []),
    ],
)
def test_a_json_value_a_line(data: Any, lines: list[str] | None) -> None:
    assert as_json(data) == (lines if lines is not None else [json.dumps(x) for x in data])


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(), inner)),
    max_leaves=5,
)


@pytest.mark.slow
@settings(derandomize=True, database=None, deadline=None)
@given(st.lists(JSON, max_size=4))
def test_json_is_read_back_as_it_was(records: list[Any]) -> None:
    assert [json.loads(line, parse_constant=refused) for line in as_json(records)] == records


def refused(word: str) -> None:
    raise ValueError(word)


def test_what_has_no_json_is_refused() -> None:
    with pytest.raises(BlackBoxError, match="of type object cannot be written"):
        as_json([object()])


def test_both_ways_of_writing_are_kept_apart() -> None:
    assert file_of(TABLE).startswith(b"age,sex,height\n")
    assert file_of(TABLE, JSON_LINES).startswith(b'{"age": 3')
    assert file_of(TABLE).startswith(b"age,sex,height\n")


def test_a_table_as_dicts() -> None:
    first, second = dicts_of(TABLE)
    assert first == {"age": 3, "sex": "f", "height": 1.5}
    assert math.isnan(second.pop("height"))
    assert [*map(type, second.values())] == [int, str]
    assert dicts_of(TABLE.iloc[:0]) == []
    assert dicts_of(pd.DataFrame(index=[0, 1])) == [{}, {}]


def adults(data: Any, rng: Generator) -> float:
    return float(sum(record["age"] >= 18 for record in data) + rng.laplace())


def test_a_function_gets_dicts_where_it_asks_for_them() -> None:
    box = PythonBlackBox(adults, records="dict")
    assert box.bind(TABLE).draw(default_rng(0), 1) == 1 + default_rng(0).laplace()
    assert pickle.loads(pickle.dumps(box)).bind(TABLE).draw(default_rng(0), 1) > -30
    with pytest.raises(TypeError):
        PythonBlackBox(adults).bind(TABLE).draw(default_rng(0), 1)


def test_other_data_stay_as_they_are() -> None:
    box = PythonBlackBox(lambda data: type(data).__name__, records="dict")
    assert box.bind(np.array([1])).draw(default_rng(0), 1) == "ndarray"


@pytest.mark.slow
@pytest.mark.parametrize(
    "data", [{"data": TABLE[["age"]]}, {"domain": "age=int:0:99,sex=choice:f,m"}]
)
def test_an_audit_with_dicts(data: dict[str, Any]) -> None:
    few: dict[str, Any] = {"records": "dict", "max_samples": 3000}
    assert audit.run(adults, epsilon=1.0, **data, **few).verdict == "not-refuted"
    assert audit.run(adults, epsilon=0.2, **data, **few).verdict == "violation"
    for runs in (200, 3000):
        with pytest.raises(BlackBoxError, match="use data\\['age'\\], or give `records='dict'`"):
            audit.run(adults, epsilon=1.0, **data, max_samples=runs)


SUM = (
    "import json, sys; records = [json.loads(line) for line in open(sys.argv[1])]; "
    "print(sum(record['age'] for record in records))"
)


def test_a_program_gets_json_where_it_asks_for_it() -> None:
    words = [sys.executable, "-c", SUM, "{data}"]
    box = CommandBlackBox(words, records="json")
    assert box.bind(TABLE).draw(default_rng(0), 1) == 43.0
    assert box.identity != CommandBlackBox(words).identity


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (
            lambda: PythonBlackBox(adults, records="json"),
            "`records='json'` is nothing that a function",
        ),
        (
            lambda: CommandBlackBox([sys.executable, "{data}"], records="dict"),
            "`records='dict'` is nothing that a program .*; write `records='json'`",
        ),
        (
            lambda: audit.run(adults, epsilon=1, data=[1, 2], records="dict"),
            "`records='dict'` needs records with named columns",
        ),
        (
            lambda: audit.run(adults, epsilon=1, domain="int:0:9", records="dict"),
            "`records='dict'` needs records with named columns",
        ),
        (
            lambda: audit.run(PythonBlackBox(adults), epsilon=1, data=TABLE, records="dict"),
            "takes records in its own way",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(asked: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        asked()


def test_rows_with_names_are_records_that_have_them() -> None:
    """They were refused with the words that no record has a name."""

    def visits(data: list[dict[str, int]], rng: Generator) -> float:
        assert all("visits" in row for row in data)
        return sum(row["visits"] for row in data) + rng.laplace(0.0, 9.0)

    rows = [{"visits": 9}, {"visits": 2}]
    found = audit.run(visits, epsilon=1.0, data=rows, max_samples=400, records="dict")
    assert found.failure is None
