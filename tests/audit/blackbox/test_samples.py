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
        ("d.txt", "42.5\n43\n\n 1e3 \n", None, [42.5, 43.0, 1000.0]),
        ("d", "nan\n-inf\n", None, [np.nan, -np.inf]),
        ("d.txt", "\ufeff1\r\n2\r\n", None, [1.0, 2.0]),
        ("d.csv", "age,total\n1,2.5\n3,4\n", None, [[1.0, 2.5], [3.0, 4.0]]),
        ("d.csv", "age,total\n1,2.5\n3,4\n", "total", [2.5, 4.0]),
        ("d.csv", "1,2\n3,4\n", "1", [2.0, 4.0]),
        ("d.csv", "total\n1\n2\n", None, [1.0, 2.0]),
        ("d.csv", "total,x\n1,1\n,2\n", "total", [1.0, np.nan]),
        ("d.tsv", "a\tb\n1\t2\n", None, [[1.0, 2.0]]),
        ("d.npy", np.array([1, 2], dtype=np.int16), None, [1.0, 2.0]),
        ("d.npy", np.ones((3, 2), dtype=np.float32), None, np.ones((3, 2)).tolist()),
        ("d.npy", np.ones((3, 1)), None, [1.0, 1.0, 1.0]),
        ("d.jsonl", "1\n2.5\nNaN\n", None, [1.0, 2.5, np.nan]),
        ("d.jsonl", "[1, 2]\n[3, 4]\n", None, [[1.0, 2.0], [3.0, 4.0]]),
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
        assert (samples.skipped, samples.notes) == (0, ())
    assert len(samples) == len(samples.outputs)


@pytest.mark.parametrize(
    ("name", "content", "column", "expected"),
    [
        ("d.txt", "yes\nno\n\nyes\n", None, ["yes", "no", "yes"]),
        ("d.csv", "key,n\na,1\nb,2\n", "key", ["a", "b"]),
        ("d.npy", np.array(["a", "b"]), None, ["a", "b"]),
        ("d.npy", np.array([True, False]), None, [True, False]),
        ("d.jsonl", '1\n"a"\nnull\n[1]\n', None, [1, "a", None, [1]]),
        ("d.jsonl", "[1]\n[1, 2]\n", None, [[1], [1, 2]]),
        ("d.json", '[{"a": 1}]', None, [{"a": 1}]),
    ],
)
def test_other_outputs(
    name: str, content: Any, column: str | None, expected: Any, tmp_path: Path
) -> None:
    samples = read_samples(written(tmp_path, name, content), column)
    assert (samples.outputs, samples.skipped) == (expected, 0)


@pytest.mark.parametrize(
    ("name", "content", "column", "left", "note"),
    [
        ("d.txt", "value\n1\n2\n", None, [1.0, 2.0], "line 1 ('value') left out, not a number"),
        ("d.txt", "1\n\nx\ny\n2\n", None, [1.0, 2.0], "line 3 ('x') and 1 more left out"),
        ("d.csv", "a,b\n1,x\nbad,y\n2,z\n", "a", [1.0, 2.0], "row 2 of column a ('bad') left out"),
        ("d.jsonl", "1\n{\n2\n", None, [1.0, 2.0], "line 2 ('{') left out, not JSON"),
    ],
)
def test_what_is_left_out_is_said(
    name: str, content: str, column: str | None, left: list[float], note: str, tmp_path: Path
) -> None:
    samples = read_samples(written(tmp_path, name, content), column)
    assert np.asarray(samples.outputs).tolist() == left
    assert samples.skipped == (2 if "more" in note else 1)
    (said,) = samples.notes
    assert said.startswith(f"{name}: ")
    assert note in said


def test_columns_left_out_are_named(tmp_path: Path) -> None:
    samples = read_samples(written(tmp_path, "d.csv", "a,b,c\n1,x,2\n3,y,4\n"))
    assert np.asarray(samples.outputs).shape == (2, 2)
    assert samples.notes == ("d.csv: columns b are no numbers and were left out",)


def test_parquet(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    path = tmp_path / "d.parquet"
    pd.DataFrame({"n": pd.array([1, None], dtype="Int64"), "t": ["a", "b"]}).to_parquet(path)
    np.testing.assert_equal(read_samples(path).outputs, [1.0, np.nan])
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
        ("d.jsonl", "{\n", None, "holds no outputs"),
        ("d.npy", np.empty(0), None, "holds no outputs"),
        ("d.npy", np.array([{}], dtype=object), None, "Python objects"),
        ("d.npy", np.ones((2, 2, 2)), None, "2 x 2 x 2"),
        ("d.npy", b"garbage", None, "cannot be read"),
        ("d.parquet", b"garbage", None, "cannot be read"),
        ("d.txt", b"\xff\xfe\x00", None, "not UTF-8"),
        ("d.txt", "1\n2\n".encode("utf-16-le"), None, "not UTF-8"),
        ("d.json", "[" * 22 + "]" * 22, None, "nested more than 20 deep"),
        ("d.csv", "a,b\n1,2\n", "c", "no column 'c'; it has a, b"),
        ("d.csv", "k,l\na,b\n", None, "choose one of k, l with --column"),
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
