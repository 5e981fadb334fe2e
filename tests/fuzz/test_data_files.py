"""Whatever is given as a dataset is one, of a kind that every black box is promised, or refused."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from audit.errors import InputError
from audit.neighbors.data_files import read_data
from audit.validation import number_in

from .examples import examples
from .refusals import clear
from .words import HOSTILE, json_texts, json_values, mutated, numerals, texts

pytestmark = pytest.mark.slow

TEXTS = (".csv", ".tsv", ".txt", ".json", ".jsonl", ".data", "")
BINARY = (".npy", ".parquet", ".pq")
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "latin-1", "cp1252")


def saved(array: Any) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=True)
    return stream.getvalue()


def parquet() -> bytes:
    stream = io.BytesIO()
    pd.DataFrame({"n": [1, 2], "t": ["a", None], "x": [0.5, np.nan]}).to_parquet(stream)
    return stream.getvalue()


TABLES = (
    "age,sex\n39,f\n50,m\n",
    'a,b\n"x, y",1\n"",2\n',
    "39, State-gov, 77516\n50, Private, 83311\n",
    "n\n1\n2\n",
    "a,a\n1,2\n",
    ",\n,\n",
    "true,x\nfalse,y\n",
    "when,how\n2020-01-01,1e999\n,-inf\n",
)
ARRAYS = (
    saved(np.arange(6.0).reshape(3, 2)),
    saved(np.array([1, 2**63], dtype=np.uint64)),
    saved(np.array(["a", "b\0c"])),
    saved(np.array([True, False])),
    saved(np.array([1, "a", None], dtype=object)),
    saved(np.array([(1, 2.0)], dtype=[("a", int), ("b", float)])),
    saved(np.array(["2020-01-01"], dtype="M8[D]")),
    saved(np.empty((0, 0))),
    saved(np.array([1.5, np.inf], dtype=np.float16)),
)
rows = st.lists(st.lists(numerals | texts, min_size=1, max_size=4), min_size=1, max_size=5)
lines = st.lists(numerals | texts | json_texts, max_size=6)


@st.composite
def damaged(draw: st.DrawFn, valid: st.SearchStrategy[bytes]) -> bytes:
    """Bytes of a valid file, some of them others."""
    content = bytearray(draw(valid))
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(content)))
        width = draw(st.sampled_from([0, 1, 1, 4, 10_000]))
        content[start : start + width] = draw(st.binary(max_size=4))
    return bytes(content)


written = (
    mutated(st.sampled_from(TABLES))
    | rows.map(lambda held: "\n".join(",".join(row) for row in held))
    | lines.map("\n".join)
    | json_texts
    | mutated(json_texts)
    | st.integers(1, 2000).map(lambda depth: "[" * depth + "]" * depth)
)
encoded = st.tuples(written, st.sampled_from(ENCODINGS)).map(
    lambda pair: pair[0].encode(pair[1], "replace")
)
anything = encoded | st.binary(max_size=80)
files = st.one_of(
    st.tuples(anything, st.sampled_from(TEXTS)),
    st.tuples(anything, st.sampled_from(BINARY)),
    st.tuples(damaged(st.sampled_from(ARRAYS)), st.just(".npy")),
    st.tuples(damaged(st.just(parquet())), st.just(".parquet")),
)
"""What a file holds, and what its name ends with."""

UTF16 = ("age,sex\n39,f\n".encode("utf-16-le"), ".csv")
columns = st.none() | st.sampled_from(["0", "1", "a", "age", "c1", "n", "t"]) | texts | numerals


def assert_is_data(found: Any, depth: int = 0) -> None:
    """What the contract promises to black boxes, and what the rest of the tool can hold."""
    assert depth < 60
    if isinstance(found, np.ndarray):
        assert found.ndim in (1, 2)
        assert found.dtype in (np.int64, np.float64, np.bool_)
    elif isinstance(found, pd.DataFrame):
        assert found.columns.size
    elif isinstance(found, list):
        for entry in found:
            assert_is_data(entry, depth + 1) if isinstance(entry, list) else None


def data_of(given_data: str, column: str | None) -> Any:
    """The dataset, None where it is refused in one line."""
    try:
        found = read_data(given_data, column)
    except InputError as error:
        clear(str(error))
        return None
    assert_is_data(found)
    return found


@examples(130)
@given(json_texts | mutated(json_texts) | texts | numerals | written, columns)
def test_any_text_is_data_or_refused(given_data: str, column: str | None) -> None:
    data_of(given_data, column)


@examples(200)
@given(files, columns)
@example((b"", ".csv"), None)
@example((b"\xef\xbb\xbf", ".csv"), "0")
@example((b"\xef\xbb\xbf1\n", ".txt"), None)
@example(UTF16, None)
@example((b"[" * 500 + b"]" * 500, ".json"), None)
def test_any_file_is_data_or_refused(
    tmp_path: Path, file: tuple[bytes, str], column: str | None
) -> None:
    content, suffix = file
    path = tmp_path / f"data{suffix}"
    path.write_bytes(content)
    found = data_of(str(path), column)
    if found is None:
        return
    assert column is None or isinstance(found, (np.ndarray, list))
    assert b"\0" not in content or suffix in BINARY


@pytest.mark.parametrize("name", HOSTILE)
def test_names_that_cannot_be_are_refused(name: str) -> None:
    for column in (None, name):
        assert data_of(f"nowhere/{name}", column) is None
        assert data_of(f"{name}/nowhere", column) is None


@examples(40)
@given(st.lists(st.lists(json_values, min_size=1, max_size=3), min_size=1, max_size=4))
def test_json_in_a_file_is_what_json_on_the_command_line_is(
    tmp_path: Path, held: list[Any]
) -> None:
    text = json.dumps(held)
    path = tmp_path / "data.json"
    path.write_text(text)
    np.testing.assert_equal(data_of(str(path), None), data_of(text, None))


@examples(35)
@given(
    st.lists(st.tuples(st.integers(-(2**63), 2**63 - 1), st.floats(), st.booleans()), min_size=1)
)
def test_columns_of_a_table_keep_their_values(
    tmp_path: Path, held: list[tuple[int, float, bool]]
) -> None:
    path = tmp_path / "data.csv"
    table = pd.DataFrame(held, columns=["whole", "real", "true"])
    table.to_csv(path, index=False, na_rep="nan")
    for name in table:
        found = read_data(str(path), name)
        assert found.dtype == table[name].dtype
        np.testing.assert_array_equal(found, table[name])


NAMES = [
    name
    for name in HOSTILE
    if name == name.strip() != "" and "\0" not in name and number_in(name) is None
    if name.encode("utf-8", "replace").decode() == name
]
"""What a header can hold and csv_table promises to keep."""


@pytest.mark.parametrize("name", NAMES)
def test_columns_with_hostile_names_can_be_asked_for(tmp_path: Path, name: str) -> None:
    path = tmp_path / "data.csv"
    stream = io.StringIO(newline="")
    csv.writer(stream).writerows([["first", name], ["u", "v"]])
    path.write_bytes(stream.getvalue().encode())
    assert data_of(str(path), name) == ["v"]
