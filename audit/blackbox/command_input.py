"""Records as a black box wants them: as a text file for a program, as dicts for a function."""

from __future__ import annotations

import contextlib
import datetime
import json
import os
import re
import shutil
import tempfile
import threading
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from audit.errors import BlackBoxError, InputError, reason_of, shown
from audit.lazy_modules import loaded_pandas as pd
from audit.validation import native

DICTS, JSON_LINES = "dict", "json"
"""Ways in which records can be asked for; those of `--records`."""
_NOT_JSON = re.compile(r'"(?:[^"\\]|\\.)*"|NaN|-?Infinity')
_JSON = {"NaN": "null", "Infinity": "1e999", "-Infinity": "-1e999"}


def check_records(records: str | None, known: str, owner: str) -> str | None:
    """Requested form of records, checked against the one that is known here.

    Raises:
        InputError: it is something else.
    """
    if records is not None and records != known:
        raise InputError(
            f"`records={shown(records)}` is nothing that {owner} can be given; "
            f"write `records={known!r}`, or leave it out",
            records,
        )
    return records


def dicts_of(table: pd.DataFrame) -> list[dict[Any, Any]]:
    """The records of a table, each as a dict by column, of Python's own types."""
    names = list(table.columns)
    columns = [table.iloc[:, place].tolist() for place in range(len(names))]
    if not columns:
        return [{} for _ in range(len(table))]
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def file_of(data: Any, records: str | None = None) -> bytes:
    """The dataset as UTF-8 text.

    Args:
        data: the dataset.
        records: None for numbers with all their digits, rows separated by commas,
            text as it is, true, false and null as in JSON, and a DataFrame as CSV
            with a header; `JSON_LINES` for one JSON value a line, of a DataFrame an
            object by column. JSON has no NaN, which becomes null there, and no
            infinity, which becomes the number 1e999.

    Raises:
        BlackBoxError: a record that holds a line break, or is no text, number or row.
    """
    as_json = records == JSON_LINES
    text = "".join(f"{line}\n" for line in json_lines(data)) if as_json else _text_of(data)
    # Lone surrogates can come from JSON and must not fail here or become equal.
    return text.encode("utf-8", errors="surrogatepass")


def _text_of(data: Any) -> str:
    if isinstance(data, pd.DataFrame):
        return str(data.to_csv(index=False))
    return "".join(f"{_line_of(record)}\n" for record in _listed(data))


def json_lines(data: Any) -> list[str]:
    """Each record as JSON in one line; of a DataFrame an object by column.

    Raises:
        BlackBoxError: a record that JSON has no word for.
    """
    records = dicts_of(data) if isinstance(data, pd.DataFrame) else _listed(data)
    return [_json_of(record) for record in records]


def _listed(data: Any) -> Any:
    if isinstance(data, (pd.Series, np.ndarray)):
        data = data.tolist()
    return data if isinstance(data, (list, tuple)) else [data]


def _json_of(record: Any) -> str:
    try:
        text = json.dumps(record, default=_plain)
    except (TypeError, ValueError):
        raise _not_written(record) from None
    return _NOT_JSON.sub(lambda found: _JSON.get(found[0], found[0]), text)


def _plain(value: Any) -> Any:
    """Value in the words of JSON, also if JSON has none for it."""
    if value is pd.NaT or value is pd.NA:
        return None
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, datetime.date):
        return value.isoformat()
    plain = native(value)
    if plain is value:
        raise TypeError
    return plain


def _line_of(record: Any) -> str:
    row = record.tolist() if isinstance(record, np.ndarray) else record
    line = ",".join(map(_field_of, row)) if isinstance(row, (list, tuple)) else _field_of(row)
    if "\n" in line or "\r" in line:
        raise BlackBoxError(
            f"record {record!r} holds a line break, which a program would read as two records; "
            "give text of one line, or write `records='json'`",
            record,
        )
    return line


def _field_of(value: Any) -> str:
    if isinstance(value, str):
        return value
    value = native(value)
    if isinstance(value, float):
        return repr(value)
    try:
        return json.dumps(value)
    except (TypeError, ValueError):
        raise _not_written(value) from None


def _not_written(value: Any) -> BlackBoxError:
    return BlackBoxError(
        f"a record of type {type(value).__name__} cannot be written for a program; "
        "use numbers, text, or lists of them",
        value,
    )


_LONG_AGO = (0, 0)
"""Times of access and change, which no program leaves behind that writes to the file."""


class RecordsFile:
    """The file behind {data}; it is gone when nobody holds this any more.

    A run gets a link to it in a folder of its own: what a program leaves beside the
    file, or puts in its place, is gone with that folder. What it writes into the file
    shows in the file's time, and the file is written anew before the next run.
    """

    def __init__(self, data: Any, records: str | None) -> None:
        """Write the file.

        Args:
            data: the dataset.
            records: how programs want their records (see `file_of`).

        Raises:
            BlackBoxError: the dataset cannot be written.
        """
        self._data, self._records = data, records
        self._lock = threading.Lock()
        self.name = f"data.{_suffix_of(data, records)}"
        content = file_of(data, records)
        with writing():
            folder = tempfile.mkdtemp(prefix="audit-")
            weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
            self._file = Path(folder) / self.name
            self._state = self._written(content)

    def into(self, folder: Path) -> Path:
        """The file, whole and unchanged, in an empty folder.

        In the main thread it is a link. Elsewhere others are given the file at the same
        time, which would see what a program writes into it: there it is a copy.
        """
        given = folder / self.name
        with self._lock:
            if _state_of(self._file) != self._state:
                self._state = self._written(file_of(self._data, self._records))
            if threading.current_thread() is threading.main_thread():
                # Not every file system has links.
                with contextlib.suppress(OSError):
                    given.hardlink_to(self._file)
                    return given
            shutil.copyfile(self._file, given)
        return given

    def _written(self, content: bytes) -> tuple[int, ...]:
        # What another hand has changed may be a link, a folder or gone.
        with contextlib.suppress(OSError):
            self._file.unlink()
        self._file.parent.mkdir(exist_ok=True)
        self._file.write_bytes(content)
        os.utime(self._file, ns=_LONG_AGO)
        state = _state_of(self._file)
        assert state is not None
        return state


@contextlib.contextmanager
def writing() -> Iterator[None]:
    """Write files for a program; a full disk is an error of one line.

    Raises:
        BlackBoxError: a file cannot be written.
    """
    try:
        yield
    except OSError as error:
        raise BlackBoxError(
            f"files for a run cannot be written to {tempfile.gettempdir()!r} "
            f"({reason_of(error)}); free some space there, or set TMPDIR"
        ) from error


def _state_of(file: Path) -> tuple[int, ...] | None:
    """State of a file that any change alters; None if there is no file."""
    try:
        found = file.lstat()
    except OSError:
        return None
    return found.st_ino, found.st_mode, found.st_size, found.st_mtime_ns


def _suffix_of(data: Any, records: str | None) -> str:
    if records == JSON_LINES:
        return "jsonl"
    return "csv" if isinstance(data, pd.DataFrame) else "txt"
