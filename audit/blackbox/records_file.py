"""A dataset as a file that is written once and that every run of a program gets anew."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import threading
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from audit.blackbox.command_input import JSON_LINES, file_of
from audit.errors import BlackBoxError, reason_of
from audit.frames import loaded_pandas as pd

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
