"""Whatever is given as a dataset is one, or is refused in one clear line."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from audit.errors import InputError
from audit.neighbors.data_files import read_data

pytestmark = pytest.mark.lowest


def assert_same(found: Any, expected: Any) -> None:
    assert type(found) is type(expected)
    if isinstance(expected, pd.DataFrame):
        pd.testing.assert_frame_equal(found, expected)
        return
    if isinstance(expected, np.ndarray):
        assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    np.testing.assert_equal(found, expected)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("[]", np.empty(0)),
        (" [1, 2]\n", np.array([1, 2])),
        ("[1, 2.0]", np.array([1.0, 2.0])),
        ("[1, NaN, -Infinity]", np.array([1.0, np.nan, -np.inf])),
        ("[[1, 2], [3, 4]]", np.array([[1, 2], [3, 4]])),
        ("[[1, 2.5]]", np.array([[1.0, 2.5]])),
        ("[[], []]", np.empty((2, 0))),
        ("[[1, 2], [3]]", [[1, 2], [3]]),
        ('["a", "b"]', ["a", "b"]),
        ('["a", 1, null]', ["a", 1, None]),
        ("[true, false]", [True, False]),
        ("[1, true]", [1, True]),
        ('[["a", 1], ["b", 2]]', [["a", 1], ["b", 2]]),
        ('[{"a": 1}]', [{"a": 1}]),
        (f"[{2**63 - 1}]", np.array([2**63 - 1])),
    ],
)
def test_json(given: str, expected: Any, tmp_path: Path) -> None:
    assert_same(read_data(given), expected)
    for name in ("data.json", "data.other"):
        path = tmp_path / name
        path.write_text(given)
        assert_same(read_data(str(path)), expected)


@pytest.mark.parametrize(
    ("name", "content", "column", "expected"),
    [
        ("a.txt", "1\n 2 \n\n3", None, np.array([1, 2, 3])),
        ("a.txt", "1\r\n2.5\r\n", None, np.array([1.0, 2.5])),
        ("a.txt", "", None, np.empty(0)),
        ("a", "nan\n-1e3\n", None, np.array([np.nan, -1000.0])),
        ("a.csv", "age,sex\n1,f\n2,m\n", None, pd.DataFrame({"age": [1, 2], "sex": ["f", "m"]})),
        ("a.csv", "age,sex\n1,f\n2,m\n", "age", np.array([1, 2])),
        ("a.csv", "age,sex\n1,f\n,m\n", "age", np.array([1.0, np.nan])),
        ("a.csv", "age,sex\n1,f\n2,\n", "sex", ["f", None]),
        ("a.csv", "a,b\ntrue,1\nfalse,2\n", "a", np.array([True, False])),
        ("a.csv", "a,b\ntrue,1\n,2\n", "a", [True, None]),
        ("a.csv", "age\n39\n50\n", "age", np.array([39, 50])),
        ("a.csv", "\ufeffage\n39\n", "age", np.array([39])),
        ("a.csv", "age\n", "age", np.empty(0)),
        ("a.csv", 'a,b\n"x, y",1\n', "a", ["x, y"]),
        ("a.csv", "39, State-gov\n50, Private\n", "0", np.array([39, 50])),
        ("a.csv", "39, State-gov\n50, Private\n", "c1", ["State-gov", "Private"]),
        ("a.data", "39, x, 1\n\n", None, pd.DataFrame({"c0": [39], "c1": ["x"], "c2": [1]})),
        ("a.tsv", "a\tb\n1\t2,5\n", "b", ["2,5"]),
        ("a.jsonl", "1\n2.5\n", None, np.array([1.0, 2.5])),
        ("a.jsonl", '{"x": 1}\n\n{"x": 2}\n', "x", np.array([1, 2])),
        ("a.json", "[[1, 2], [3, 4]]", "1", np.array([2, 4])),
        ("a.csv", f"n\n{2**63}\n", "n", np.array([2.0**63])),
    ],
)
def test_text_files(
    name: str, content: str, column: str | None, expected: Any, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text(content)
    assert_same(read_data(str(path), column), expected)


@pytest.mark.parametrize(
    ("array", "expected"),
    [
        (np.array([1, 2], dtype=np.int8), np.array([1, 2])),
        (np.array([1, 2], dtype=np.uint64), np.array([1, 2])),
        (np.array([1.5], dtype=np.float32), np.array([1.5])),
        (np.array([1.5], dtype=">f8"), np.array([1.5])),
        (np.array([[True], [False]]), np.array([[True], [False]])),
        (np.array(["a", "bc"]), ["a", "bc"]),
        (np.empty((0, 3)), np.empty((0, 3))),
    ],
)
def test_arrays(array: Any, expected: Any, tmp_path: Path) -> None:
    path = tmp_path / "data.npy"
    np.save(path, array)
    assert_same(read_data(str(path)), expected)


def test_parquet(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    path = tmp_path / "data.parquet"
    table = pd.DataFrame(
        {"n": pd.array([1, None], dtype="Int64"), "l": [[1, 2], None], "d": [1, 2]}
    )
    table.to_parquet(path)
    assert isinstance(read_data(str(path)), pd.DataFrame)
    assert_same(read_data(str(path), "n"), np.array([1.0, np.nan]))
    assert_same(read_data(str(path), "d"), np.array([1, 2]))
    assert_same(read_data(str(path), "l"), ["[1 2]", None])


def test_parquet_without_a_reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "data.parquet"
    path.write_bytes(b"PAR1")

    def missing(_: Any) -> Any:
        raise ImportError("no engine")

    monkeypatch.setattr(pd, "read_parquet", missing)
    with pytest.raises(InputError, match="pip install pyarrow"):
        read_data(str(path))


def written(name: str, content: str | bytes | Any, folder: Path) -> str:
    path = folder / name
    if isinstance(content, str):
        path.write_text(content)
    elif isinstance(content, bytes):
        path.write_bytes(content)
    else:
        np.save(path, content, allow_pickle=True)
    return str(path)


@pytest.mark.parametrize(
    ("name", "content", "column", "words"),
    [
        ("a.txt", "1\nx\n", None, r"line 2 of .* is 'x', not a number"),
        ("a.txt", "1,2\n", None, "line 1"),
        ("a.txt", b"\xff\xfe1", None, "not UTF-8"),
        ("a.csv", "a,b\n1,2\n".encode("utf-16-le"), "a", r"not UTF-8 text \(at byte 1\)"),
        ("a.txt", "1\n", "x", "is no table"),
        ("a.txt", f"{10**30}\n", None, "beyond 64 bits"),
        ("a.csv", "", None, "is empty"),
        ("a.csv", "\n  \n", None, "is empty"),
        ("a.csv", "a,b\n1,2\n1,2,3\n", None, "as CSV"),
        ("a.csv", "a,b\n1,2,3\n", None, "as CSV"),
        ("a.csv", "a,b\n1,2\n", "c", "has no column 'c'; it has a, b"),
        ("a.csv", "a,b\n1,2\n", "0", "has no column '0'; it has a, b"),
        ("a.csv", "1,2\n3,4\n", "2", "has no column '2'; it has c0, c1"),
        ("a.npy", b"garbage", None, "cannot be read as .npy"),
        ("a.npy", np.array([{}, []], dtype=object), None, "Python objects"),
        ("a.npy", np.array(3.0), None, "scalar"),
        ("a.npy", np.ones((2, 2, 2)), None, "2 x 2 x 2"),
        ("a.npy", np.array([1j]), None, "complex128"),
        ("a.npy", np.array([2**64 - 1], dtype=np.uint64), None, "beyond 64 bits"),
        ("a.npy", np.ones((2, 2)), "2", "its columns are 0 to 1"),
        ("a.npy", np.ones((2, 2)), "x", "its columns are 0 to 1"),
        ("a.parquet", b"garbage", None, "cannot be read as Parquet"),
        ("a.json", "{}", None, "is no JSON list"),
        ("a.json", "[1, ", None, "is not JSON"),
        ("a.jsonl", "1\n{\n", None, "line 2 of .* is not JSON"),
    ],
)
def test_files_that_are_no_data(
    name: str, content: Any, column: str | None, words: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=words) as caught:
        read_data(written(name, content, tmp_path), column)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("", "neither a JSON list nor a file"),
        ("no/such/file.csv", "neither a JSON list nor a file"),
        ("5", "neither a JSON list nor a file"),
        ("[1, 2", "is not JSON"),
        ('{"a": 1}', "is no JSON list"),
        ("[" * 100_000, "is nested more than 20 deep"),
        ("[" * 21 + "]" * 21, "is nested more than 20 deep"),
        (f"[{'9' * 5000}]", "holds an integer of thousands of digits"),
        (f"[{10**30}]", "beyond 64 bits"),
        (f"[1.5, {10**400}]", "beyond 64 bits"),
        ("a\0b", "neither"),
        ("x" * 100_000, "neither"),
        (".", "is a folder"),
    ],
)
def test_text_that_is_no_data(given: str, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        read_data(given)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500


def test_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written("a.txt", "1\n", tmp_path)

    def refuse(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(InputError, match="Permission denied"):
        read_data(path)


def is_data(found: Any) -> bool:
    if isinstance(found, np.ndarray):
        return found.ndim in (1, 2) and found.dtype in (np.int64, np.float64, np.bool_)
    return isinstance(found, (list, pd.DataFrame))


def read_or_refuse(given: str, column: str | None) -> None:
    try:
        assert is_data(read_data(given, column))
    except InputError as error:
        assert "\n" not in str(error)


COLUMNS = st.sampled_from([None, "0", "a", "c1", "²", ""])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=8,
)
LIKE_TABLES = st.text("0123456789.,-+ean\"'\n\r\tabc é\0", max_size=40)


@given(st.text() | JSON.map(json.dumps) | LIKE_TABLES.map("[{}]".format), COLUMNS)
@example("[1e999]", None)
@example("[-0, 1]", "0")
@settings(max_examples=100, deadline=None)
def test_any_text_is_data_or_refused(given: str, column: str | None) -> None:
    read_or_refuse(given, column)


def npy(header: bytes) -> bytes:
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header


CONTENTS = (
    st.binary(max_size=60)
    | st.text(max_size=40).map(str.encode)
    | LIKE_TABLES.map(str.encode)
    | JSON.map(lambda value: json.dumps(value).encode())
    | st.binary(max_size=60).map(npy)
    | st.binary(max_size=30).map(lambda b: b"PAR1" + b + b"PAR1")
)
SUFFIXES = st.sampled_from([".csv", ".tsv", ".txt", ".json", ".jsonl", ".npy", ".parquet", ""])


@given(CONTENTS, SUFFIXES, COLUMNS)
@example(npy(b"{'descr': '<f8', 'fortran_order': False, 'shape': (10**15,), }\n"), ".npy", None)
@example(
    npy(b"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000,), }\n"), ".npy", None
)
@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_file_is_data_or_refused(
    tmp_path: Path, content: bytes, suffix: str, column: str | None
) -> None:
    path = tmp_path / f"data{suffix}"
    path.write_bytes(content)
    read_or_refuse(str(path), column)


@given(st.lists(st.integers(-(2**63), 2**63 - 1)) | st.lists(st.floats(allow_nan=False)))
def test_numbers_keep_their_value(numbers: list[float]) -> None:
    assert read_data(json.dumps(numbers)).tolist() == numbers


def test_saved_array_is_not_unpickled(tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[Any, tuple[str]]:
            return sys.exit, ("unpickled",)

    stream = io.BytesIO()
    np.save(stream, np.array([Trap()], dtype=object), allow_pickle=True)
    with pytest.raises(InputError, match="never loaded"):
        read_data(written("a.npy", stream.getvalue(), tmp_path))
