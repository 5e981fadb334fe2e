"""Recorded outputs come back as they were, and what was left out is said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from audit.errors import InputError
from audit.outcomes.encoding import Column, encode
from audit.verdict.recorded.files import read_samples

pytestmark = pytest.mark.lowest


def written(folder: Path, name: str, content: str | bytes | Any) -> Path:
    path = folder / name
    if isinstance(content, str):
        path.write_text(content)
    elif isinstance(content, bytes):
        path.write_bytes(content)
    else:
        np.save(path, content, allow_pickle=True)
    return path


@pytest.mark.parametrize(
    ("name", "content", "column", "expected"),
    [
        ("d.txt", "42.5\n43\n 1e3 \n\n", None, [42.5, 43.0, 1000.0]),
        ("d", "nan\n-inf\n", None, [np.nan, -np.inf]),
        ("d.txt", "\ufeff1\r\n2\r\n", None, [1.0, 2.0]),
        ("d.csv", "age,total\n1,2.5\n3,4\n", None, [[1.0, 2.5], [3.0, 4.0]]),
        ("d.csv", "age,total\n1,2.5\n3,4\n", "total", [2.5, 4.0]),
        ("d.csv", "1,2\n3,4\n", "1", [2.0, 4.0]),
        ("d.csv", "total\n1\n2\n", None, [1.0, 2.0]),
        ("d.csv", "total,x\n1,1\n,2\n", "total", [1.0, np.nan]),
        ("d.csv", "total,x\n1,1\n,2\n", None, [[1.0, 1.0], [np.nan, 2.0]]),
        ("d.tsv", "a\tb\n1\t2\n", None, [[1.0, 2.0]]),
        ("d.npy", np.array([1, 2], dtype=np.int16), None, [1.0, 2.0]),
        ("d.npy", np.ones((3, 2), dtype=np.float32), None, np.ones((3, 2)).tolist()),
        ("d.npy", np.ones((3, 1)), None, [1.0, 1.0, 1.0]),
        ("d.jsonl", "1\n2.5\nNaN\n", None, [1.0, 2.5, np.nan]),
        ("d.jsonl", "[1, 2]\n[3, 4]\n", None, [[1.0, 2.0], [3.0, 4.0]]),
        ("d.jsonl", "[1]\n[3]\n", None, [[1.0], [3.0]]),
        ("d.jsonl", '{"a": 1, "b": "x"}\n\n{"b": "y", "a": 2.5}\n', "a", [1.0, 2.5]),
        ("d.json", '[{"a": [1, 2]}, {"a": [3, 4]}]', "a", [[1.0, 2.0], [3.0, 4.0]]),
        ("d.json", "[1, 2]", None, [1.0, 2.0]),
        ("d.txt", f"{10**400}\n1\n", None, None),
        ("d.json", f"[{10**400}, {-(10**400)}]", None, [np.inf, -np.inf]),
    ],
)
def test_numbers(
    name: str, content: Any, column: str | None, expected: Any, tmp_path: Path
) -> None:
    samples = read_samples(written(tmp_path, name, content), column)
    assert isinstance(samples.outputs, np.ndarray)
    assert samples.outputs.dtype == np.float64
    if expected is not None:
        np.testing.assert_equal(samples.outputs.tolist(), expected)
        assert samples.notes == ()
    assert len(samples) == len(samples.outputs)


VECTOR = np.array([1.0])


@pytest.mark.parametrize(
    ("name", "content", "column", "expected"),
    [
        ("d.txt", "yes\nno\nyes\n", None, ["yes", "no", "yes"]),
        ("d.txt", "a\nb\n7\n", None, ["a", "b", 7.0]),
        ("d.csv", "key,n\na,1\nb,2\n", "key", ["a", "b"]),
        ("d.csv", "key,n\na,1\nb,2\n", None, [["a", 1.0], ["b", 2.0]]),
        ("d.csv", "k,l\na,b\n", None, [["a", "b"]]),
        ("d.csv", "k,n\na,1\n3,2\n", None, [["a", 1.0], np.array([3.0, 2.0])]),
        ("d.csv", 'k\na\n""\nTRUE\n', None, ["a", np.nan, "True"]),
        ("d.csv", "k\ntrue\nFALSE\n", None, ["True", "False"]),
        ("d.npy", np.array(["a", "b"]), None, ["a", "b"]),
        ("d.npy", np.array([True, False]), None, [True, False]),
        ("d.jsonl", '1\n"a"\nnull\n[1]\n', None, [1.0, "a", None, VECTOR]),
        ("d.jsonl", "[1]\n[1, 2]\n", None, [VECTOR, np.array([1.0, 2.0])]),
        ("d.jsonl", "[]\n[true]\n[1, true]\n", None, [[], [True], [1, True]]),
        ("d.json", '[{"a": 1}]', None, [{"a": 1}]),
    ],
)
def test_other_outputs(
    name: str, content: Any, column: str | None, expected: Any, tmp_path: Path
) -> None:
    samples = read_samples(written(tmp_path, name, content), column)
    assert list(map(type, samples.outputs)) == [
        np.float64 if isinstance(output, float) else type(output) for output in expected
    ]
    for output, one in zip(samples.outputs, expected, strict=True):
        np.testing.assert_equal(output, one)


@pytest.mark.parametrize(
    ("name", "content", "column", "read", "note"),
    [
        ("d.txt", "value\n1\n2\n", None, [1, 2], "line 1 ('value') was taken for a header"),
        ("d.txt", "1\n\n\n2\n\n", None, [1, 2], "2 blank lines between others do not count"),
        ("d.txt", "1\nx\ny\n2\n", None, [1, "x", "y", 2], "line 2 ('x') and 1 more read as text"),
        ("d.csv", "a,b\n1,x\nbad,y\n2,z\n", "a", [1, "bad", 2], "row 2 ('bad') read as text"),
        ("d.jsonl", "1\n{\n2\n", None, [1, "{", 2], "line 2 ('{') read as text, not JSON"),
        ("d.jsonl", "1\n[2]\nx\n", None, [1, [2], "x"], "line 3 ('x') read as text, not JSON"),
    ],
)
def test_what_is_odd_is_said(
    name: str, content: str, column: str | None, read: list[Any], note: str, tmp_path: Path
) -> None:
    samples = read_samples(written(tmp_path, name, content), column)
    assert list(samples.outputs) == read
    (said,) = samples.notes
    assert said.startswith(f"{name}: ")
    assert note in said


def test_columns_of_rows_are_known_by_name(tmp_path: Path) -> None:
    path = written(tmp_path, "d.csv", "a,b,c\n1,x,2\n3,y,4\n")
    assert read_samples(path).columns == ("a", "b", "c")
    assert read_samples(path, "b").columns == ()


ODD = ["1.5", "2", "x", "nan", "TRUE", "[1]", "[1, 2]", "{}", "null", "1e400", "-0", "-0.0", "true"]


@pytest.mark.slow
@given(st.lists(st.sampled_from(ODD), min_size=1, max_size=8), st.sampled_from(ODD))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@pytest.mark.parametrize(
    ("suffix", "head", "line"),
    [
        (".jsonl", "0\n", "{}\n"),
        (".txt", "0\n", "{}\n"),
        (".csv", "k\n", '"{}"\n'),
        (".csv", "k,l\n", '"{}",1\n'),
    ],
)
def test_an_output_is_read_by_itself(
    tmp_path: Path, suffix: str, head: str, line: str, cells: list[str], other: str
) -> None:
    """It is the same output whatever else stands in its file."""
    lines = [line.format(cell) for cell in (*cells, other)]
    files = (
        read_samples(written(tmp_path, f"d{suffix}", head + "".join(part))).outputs
        for part in (lines[:-1], lines)
    )
    alone, beside = (encode(outputs, len(outputs)) for outputs in files)
    for name, column in beside.columns.items():
        assert entries(column)[: alone.size] == entries(alone.column(name))


def entries(column: Column) -> list[tuple[float, str]]:
    """The number and the symbol of every output."""
    symbols = np.zeros(len(column.values), int) if column.symbols is None else column.symbols
    names = [column.names[symbol] for symbol in symbols]
    return list(zip(column.values.tolist(), names, strict=True))


def test_parquet(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    path = tmp_path / "d.parquet"
    pd.DataFrame({"n": pd.array([1, None], dtype="Int64"), "t": ["a", "b"]}).to_parquet(path)
    np.testing.assert_equal(read_samples(path).outputs, [[1.0, "a"], [np.nan, "b"]])
    np.testing.assert_equal(read_samples(path, "n").outputs, [1.0, np.nan])
    assert read_samples(path, "t").outputs == ["a", "b"]


@pytest.mark.parametrize(
    ("name", "content", "column", "words"),
    [
        ("d.txt", "", None, "holds no outputs"),
        ("d.txt", "\n \n", None, "holds no outputs"),
        ("d.csv", "", None, "is empty"),
        ("d.csv", "a,b\n", "a", "holds no outputs"),
        ("d.json", "[]", None, "holds no outputs"),
        ("d.json", "{}", None, "no JSON list"),
        ("d.json", "[", None, "is not JSON"),
        ("d.jsonl", "{\n", None, "has no line of JSON"),
        ("d.jsonl", '\n{"a": 1}\n{"a"\n', None, r"^line 3 of file '.*d.jsonl' is not JSON: "),
        ("d.jsonl", "[1]\n[2\n", None, r"^line 2 of file '.*d.jsonl' is not JSON: "),
        ("d.jsonl", '{"a"\n', "a", r"^line 1 of file '.*d.jsonl' is not JSON: "),
        ("d.jsonl", '{"a": 1}\n{"b": 1, "c": 2}\n', "a", "^line 2 .* no field 'a'; it has b, c$"),
        ("d.jsonl", "1\n", "a", "^line 1 .* no JSON object, .*; leave --column out$"),
        ("d.json", '[{"a": 1}, {}]', "a", "^entry 2 .* no field 'a'; it has none$"),
        ("d.npy", np.empty(0), None, "holds no outputs"),
        ("d.npy", np.array([{}], dtype=object), None, "Python objects"),
        ("d.npy", np.ones((2, 2, 2)), None, "2 x 2 x 2"),
        ("d.npy", b"garbage", None, "cannot be read"),
        ("d.parquet", b"garbage", None, "cannot be read"),
        ("d.txt", b"\xff\xfe\x00", None, "not UTF-8"),
        ("d.txt", "1\n2\n".encode("utf-16-le"), None, "not UTF-8"),
        ("d.json", "[" * 22 + "]" * 22, None, "nested more than 20 deep"),
        ("d.csv", "a,b\n1,2\n", "c", "no column 'c'; it has a, b"),
        ("d.txt", "1\n", "a", "is no table"),
        ("d.npy", np.ones(3), "a", "is no table"),
    ],
)
def test_files_without_outputs(
    name: str, content: Any, column: str | None, words: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=words) as caught:
        read_samples(written(tmp_path, name, content), column)
    assert "\n" not in str(caught.value)


def test_missing_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        read_samples(tmp_path / "missing.txt")
    with pytest.raises(InputError, match="is a folder"):
        read_samples(tmp_path)
    for name in ("x" * 300, "a\0b", "\ud800"):
        with pytest.raises(InputError, match=r"cannot be read \(.*\); check its path"):
            read_samples(tmp_path / name)


@pytest.mark.slow
@given(st.lists(st.floats(), min_size=1))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_numbers_keep_their_value(tmp_path: Path, numbers: list[float]) -> None:
    text = written(tmp_path, "d.txt", "".join(f"{number!r}\n" for number in numbers))
    lines = written(tmp_path, "d.jsonl", "".join(f"{json.dumps(n)}\n" for n in numbers))
    table = written(tmp_path, "d.csv", "x,y\n" + "".join(f"{n!r},1\n" for n in numbers))
    for path, column in [(text, None), (lines, None), (table, "x")]:
        np.testing.assert_array_equal(read_samples(path, column).outputs, numbers)


@given(
    st.binary(max_size=60) | st.text(max_size=40).map(str.encode),
    st.sampled_from([".csv", ".tsv", ".txt", ".json", ".jsonl", ".npy", ".parquet"]),
    st.sampled_from([None, "0", "a"]),
)
@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_file_is_samples_or_refused(
    tmp_path: Path, content: bytes, suffix: str, column: str | None
) -> None:
    try:
        samples = read_samples(written(tmp_path, f"d{suffix}", content), column)
    except InputError as error:
        assert "\n" not in str(error)
    else:
        assert isinstance(samples.outputs, (list, np.ndarray))
        assert len(samples) > 0
