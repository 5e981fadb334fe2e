"""The ledger as a file: JSON, one line an entry, only ever added to, under a lock."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from audit.errors import InputError, StoreError, reason_of
from audit.sampling.ledger.entry import Entry, entry_in
from audit.sampling.ledger.history import History


@dataclass(slots=True)
class LedgerFile:
    """The file while nobody else may write to it.

    Attributes:
        path: of the file.
        file: open for reading and adding.
    """

    path: Path
    file: BinaryIO

    @classmethod
    @contextmanager
    def locked(cls, path: Path) -> Iterator[LedgerFile]:
        """The file, made where there is none; others wait until the context ends.

        Raises:
            StoreError: it cannot be read or written.
        """
        try:
            with path.open("a+b") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                yield cls(path, file)
        # ValueError: a name that no file can have.
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or reason_of(error)
            raise StoreError(
                f"--ledger {str(path)!r} cannot be used: {reason}; give a file in a folder that "
                "you may write to",
                path,
            ) from error

    def entries(self) -> list[Entry]:
        """All lines, each by itself.

        Raises:
            InputError: one is no entry, or was changed.
        """
        self._without_torn_line()
        self.file.seek(0)
        lines = self.file.read().decode("utf-8", "replace").splitlines()
        return [self._entry(number, line) for number, line in enumerate(lines, 1) if line.strip()]

    def history(self, target: str) -> History:
        """What the file says of a target.

        Raises:
            InputError: a line does not fit, by itself or beside the others.
        """
        found = History.of(target, self.entries())
        for misfit in found.misfits():
            raise self.unfit(f"of {target!r} {misfit}")
        return found

    def add(self, entry: Entry) -> None:
        """Add a line, on the disk before this returns."""
        self.file.write(f"{entry.to_line()}\n".encode())
        self.file.flush()
        os.fsync(self.file.fileno())

    def unfit(self, why: str) -> InputError:
        """The error that says what does not fit."""
        return InputError(
            f"--ledger {str(self.path)!r} cannot be trusted: {why}; bring back an earlier copy, "
            "or give another file, whose levels start anew",
            self.path,
        )

    def _without_torn_line(self) -> None:
        """Forget a line that was not written to its end: no audit has begun with it."""
        self.file.seek(0)
        text = self.file.read()
        if text and not text.endswith(b"\n"):
            self.file.truncate(text.rfind(b"\n") + 1)

    def _entry(self, number: int, line: str) -> Entry:
        try:
            return entry_in(line)
        except ValueError as error:
            raise self.unfit(f"line {number} does not fit, {error}") from None
