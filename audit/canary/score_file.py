"""Tables of scores: CSV, Parquet, JSON lines and npz files, or columns that a caller has."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from audit.errors import InputError
from audit.neighbors.data_files import (
    content_of,
    csv_table,
    failures_named,
    json_of,
    parquet_table,
    shown,
    text_of,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnNames:
    """Names of the columns; None stands for the usual name, if there is such a column.

    Attributes:
        score: more of it speaks for "in".
        guess: 1, -1 or 0, instead of a score.
        member: whether the canary was put in.
        run: of training.
        pair: of canaries.
        canary: which one it is.
    """

    score: str | None = None
    guess: str | None = None
    member: str | None = None
    run: str | None = None
    pair: str | None = None
    canary: str | None = None


def read_table(path: Path) -> pd.DataFrame:
    """The table in a file, told by its ending; one of any other kind is read as CSV.

    Raises:
        InputError: it cannot be read, or is no table.
    """
    reader = _READERS.get(path.suffix.lower(), csv_table)
    return reader(content_of(path), path)


def table_of(columns: Mapping[str, Any], where: str) -> pd.DataFrame:
    """Columns of equal length as a table; those that are None are left out.

    Raises:
        InputError: one is no column, or is longer than another.
    """
    arrays = {name: np.asarray(column) for name, column in columns.items() if column is not None}
    wrong = [name for name, array in arrays.items() if array.ndim != 1]
    if wrong:
        shape = " x ".join(map(str, arrays[wrong[0]].shape)) or "a single value"
        raise InputError(f"{wrong[0]} in {where} is {shape}; give one value a canary", wrong)
    lengths = {name: len(array) for name, array in arrays.items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name} {length}" for name, length in lengths.items())
        raise InputError(f"columns in {where} differ in length: {told}; make them equal", lengths)
    return pd.DataFrame(arrays)


def _tsv(content: bytes, path: Path) -> pd.DataFrame:
    return csv_table(content, path, "\t")


def _json_lines(content: bytes, path: Path) -> pd.DataFrame:
    where = f"file {str(path)!r}"
    lines = enumerate(text_of(content, path).split("\n"), start=1)
    values = [json_of(line, f"line {place} of {where}") for place, line in lines if line.strip()]
    return _records(values, where)


def _json(content: bytes, path: Path) -> pd.DataFrame:
    where = f"file {str(path)!r}"
    return _records(json_of(text_of(content, path), where), where)


def _records(values: Any, where: str) -> pd.DataFrame:
    if not isinstance(values, list) or not all(isinstance(value, dict) for value in values):
        raise InputError(
            f'{where} holds something else than objects such as {{"member": 1, "score": 0.7}}; '
            "write one a canary",
            values,
        )
    return pd.DataFrame(values)


def _npz(content: bytes, path: Path) -> pd.DataFrame:
    with (
        failures_named(path, "as .npz (arrays of Python objects are never loaded)"),
        np.load(io.BytesIO(content), allow_pickle=False) as arrays,
    ):
        columns = {name: arrays[name] for name in arrays.files}
    return table_of(columns, f"file {str(path)!r}")


_READERS: dict[str, Callable[[bytes, Path], pd.DataFrame]] = {
    ".csv": csv_table,
    ".tsv": _tsv,
    ".parquet": parquet_table,
    ".pq": parquet_table,
    ".jsonl": _json_lines,
    ".json": _json,
    ".npz": _npz,
}


def column(table: pd.DataFrame, given: str | None, usual: str, where: str) -> pd.Series | None:
    """The column that was named, else that of the usual name, else None.

    Raises:
        InputError: the column that was named is not there.
    """
    names = [str(name) for name in table.columns]
    wanted = usual if given is None else given
    if wanted in names:
        return table.iloc[:, names.index(wanted)]
    if given is None:
        return None
    listed = ", ".join(names[:20]) or "none"
    raise InputError(f"{where} has no column {shown(given)}; it has {listed}", given)
