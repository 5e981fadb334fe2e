"""Tables that hold scores of canaries: CSV, Parquet, JSON lines and npz files."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from audit.canary.design import Codes, Flags, Floats, Scores
from audit.errors import InputError, shown
from audit.neighbors.data_files import (
    TABLES,
    content_of,
    csv_table,
    failures_named,
    headless,
    json_lines_of,
    json_of,
    text_of,
    text_shown,
)
from audit.validation import native

COLUMNS = ("score", "guess", "member", "run", "pair", "canary")
"""Usual names of the columns: more of a score speaks for "in", a guess is 1, -1 or 0 in its place,
and a member was put in."""


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


def _json(content: bytes, path: Path) -> pd.DataFrame:
    """Objects in a list, or one in each line."""
    where = f"file {str(path)!r}"
    read = json_of if path.suffix.lower() == ".json" else json_lines_of
    values = read(text_of(content, path), where)
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


_READERS = {**TABLES, ".jsonl": _json, ".json": _json, ".npz": _npz}


def column(
    table: pd.DataFrame, given: Mapping[str, str], usual: str, where: str
) -> pd.Series | None:
    """The column that was named, else that of the usual name, else None.

    Raises:
        InputError: the column that was named is not there.
    """
    names = [str(name) for name in table.columns]
    wanted = given.get(usual, usual)
    if wanted in names:
        return table.iloc[:, names.index(wanted)]
    if usual not in given:
        return None
    raise InputError(f"{where} has no column {text_shown(wanted)}; {_columns(table)}", wanted)


_EMPTY = ("", "nan")
_MEMBERS = {"1": True, "1.0": True, "true": True, "0": False, "0.0": False, "false": False}


def scores_in(
    table: pd.DataFrame,
    names: Mapping[str, str],
    where: str,
    *,
    lower_is_member: bool = False,
    warn: Callable[[str], None] = lambda sentence: None,
) -> Scores:
    """The scores in a table with one row a canary and run; `where` is what messages call it.

    Names are those of unusual columns, by the usual one. `warn` is told that there are both scores
    and guesses.

    Raises:
        InputError: a column is missing, or holds what it cannot hold.
    """
    _check_separator(table, where)
    members = column(table, names, "member", where)
    if members is None:
        raise InputError(
            f"{where} has no column 'member' ({_columns(table)}); say which one tells whether a "
            "canary was put in, with --member NAME",
            where,
        )
    if not len(table):
        raise InputError(f"{where} holds no canaries; give one row for each", where)
    values, guessed = _values(table, names, where, warn)
    if guessed and lower_is_member:
        raise InputError(
            "`lower_is_member=True` speaks of scores, and here are guesses: 1 is in, -1 is out",
            where,
        )
    runs, run_names = _coded(column(table, names, "run", where), len(table))
    return Scores(
        members=_members(members, where),
        values=-values if lower_is_member else values,
        guessed=guessed,
        runs=runs,
        run_names=run_names,
        pairs=_codes_of(column(table, names, "pair", where)),
        canaries=_codes_of(column(table, names, "canary", where)),
    )


def _values(
    table: pd.DataFrame, names: Mapping[str, str], where: str, warn: Callable[[str], None]
) -> tuple[Floats, bool]:
    """Scores, or guesses, and which of the two they are."""
    score = None if names.get("guess") else column(table, names, "score", where)
    guess = None if names.get("score") else column(table, names, "guess", where)
    if score is not None:
        if guess is not None:
            warn(
                f"{where} has scores and guesses: the scores are used; choose by --score or --guess"
            )
        return _numbers(score, where), False
    if guess is None:
        raise InputError(
            f"{where} has neither a column 'score' nor 'guess' ({_columns(table)}); name one with "
            "--score NAME or --guess NAME",
            where,
        )
    values = np.nan_to_num(_numbers(guess, where), nan=0.0)
    wrong = np.flatnonzero(~np.isin(values, (-1.0, 0.0, 1.0)))
    if len(wrong):
        raise InputError(
            f"guess {values[wrong[0]]:g} in row {wrong[0] + 1} of {where} is none of 1 (in), "
            "-1 (out) and 0 (no guess)",
            float(values[wrong[0]]),
        )
    return values, True


def _check_separator(table: pd.DataFrame, where: str) -> None:
    """Refuse a table whose rows are one text each: semicolons between its columns."""
    names = [str(name) for name in table.columns]
    if len(names) == 1 and ";" in names[0]:
        raise InputError(
            f"{where} has semicolons between its columns, as in {text_shown(names[0])}; write "
            "commas there",
            where,
        )


def _columns(table: pd.DataFrame) -> str:
    listed = ", ".join(map(str, table.columns[:20])) or "none"
    return f"it has no header line, only {listed}" if headless(table) else f"it has {listed}"


def _numbers(values: pd.Series, where: str) -> Floats:
    """Numbers, NaN where a cell is empty."""
    found = pd.to_numeric(values, errors="coerce").to_numpy(dtype=np.float64, na_value=np.nan)
    unread = np.flatnonzero(np.isnan(found) & ~values.isna().to_numpy())
    wrong = [int(row) for row in unread if str(values.iloc[row]).strip().lower() not in _EMPTY]
    if wrong:
        raise _cell(values, wrong[0], where, "a number, or nothing where there is no score")
    return np.asarray(found)


def _members(values: pd.Series, where: str) -> Flags:
    words = values.astype(str).str.strip().str.lower()
    known = words.map(_MEMBERS)
    if known.isna().any():
        raise _cell(values, int(np.flatnonzero(known.isna())[0]), where, "1 (in) or 0 (out)")
    return np.asarray(known, dtype=bool)


def _cell(values: pd.Series, row: int, where: str, expected: str) -> InputError:
    value: Any = native(values.iloc[row])
    return InputError(
        f"{values.name} {shown(value)} in row {row + 1} of {where} is not {expected}", value
    )


def _coded(values: pd.Series | None, rows: int) -> tuple[Codes, tuple[str, ...]]:
    """Numbers from 0 in the order in which the values first stand there, and their words."""
    if values is None:
        return np.zeros(rows, dtype=np.int64), ("all",)
    codes, found = pd.factorize(values, use_na_sentinel=False)
    return codes.astype(np.int64), tuple(map(str, found))


def _codes_of(values: pd.Series | None) -> Codes | None:
    return None if values is None else _coded(values, len(values))[0]
