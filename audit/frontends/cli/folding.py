"""Standard streams, and what a mechanism prints, folded into one note."""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import fcntl
import io
import os
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator
from typing import IO, Any, TextIO

from audit.errors import visible

_STDOUT, _STDERR = 1, 2
_SHOWN = 3
"""Different lines that are shown."""
_HEAD = 4096
"""Bytes at the start, in which these are looked for."""
_ROOM = 1 << 24
"""Bytes on disk; what was counted makes room for more."""
_PIECE = 1 << 20
_LOOK_EVERY = 0.1
_LONGEST = 200


@contextlib.contextmanager
def printing_folded(who: str = "the mechanism") -> Iterator[None]:
    """Keep what somebody prints meanwhile, also by C code and other processes; say so at the end.

    Only what goes to `people` is read by them at once.
    """
    with contextlib.ExitStack() as undo:
        try:
            file = undo.enter_context(tempfile.TemporaryFile(buffering=0))
        except OSError:  # there is no space, or nothing that can be written to
            undo.enter_context(stdout_to_stderr())
            yield
            return
        printed = Printed(file)
        undo.callback(_told, who, printed)
        with people.apart(), _crashes_told(), _redirected(file), _counted(printed):
            yield


def _told(who: str, printed: Printed) -> None:
    printed.count()
    if printed.lines:
        say(f"{who} {printed.note}")


class Printed:
    """A file without a name that takes all that is printed.

    Attributes:
        head: its first bytes.
        exact: whether none were missed.
    """

    def __init__(self, file: IO[bytes]) -> None:
        """Count from the start of an empty file."""
        self._descriptor, self._at = file.fileno(), 0
        self._ends, self._open = 0, False
        self.head, self.exact = b"", True
        # Wherever the file ends once it is emptied, that is where more is written.
        flags = fcntl.fcntl(self._descriptor, fcntl.F_GETFL)
        fcntl.fcntl(self._descriptor, fcntl.F_SETFL, flags | os.O_APPEND)

    def count(self) -> None:
        """Count what was printed since this was last done."""
        while piece := os.pread(self._descriptor, _PIECE, self._at):
            self.head += piece[: _HEAD - len(self.head)]
            self._ends += piece.count(b"\n")
            self._open = not piece.endswith(b"\n")
            self._at += len(piece)
        if self._at > _ROOM:
            # What comes between the last look and this is missed.
            os.ftruncate(self._descriptor, 0)
            self._at, self.exact = 0, False

    @property
    def lines(self) -> int:
        """Number of lines so far; the last may lack its end."""
        return self._ends + self._open

    @property
    def note(self) -> str:
        """The rest of a sentence about it."""
        head = self.head.decode("utf-8", "replace").splitlines()
        if len(self.head) == _HEAD and len(head) > 1:
            head.pop()  # a part of a line
        told = dict.fromkeys(line.strip()[:_LONGEST] for line in head if line.strip())
        first = list(told)[:_SHOWN]
        count = f"{'' if self.exact else 'at least '}{self.lines:,} line{'s' * (self.lines > 1)}"
        shown = "; the first: " if self.lines > len(first) else ": "
        return f"printed {count}{shown * bool(first)}{' / '.join(first)}"


@contextlib.contextmanager
def _descriptors(moved: Iterable[int], target: int) -> Iterator[None]:
    """Let descriptors lead where another one does; one that is closed leads nowhere."""
    with contextlib.ExitStack() as undo:
        for descriptor in moved:
            with contextlib.suppress(OSError):
                kept = os.dup(descriptor)
                undo.callback(os.close, kept)
                undo.callback(os.dup2, kept, descriptor)
                os.dup2(target, descriptor)
        yield


@contextlib.contextmanager
def _redirected(file: IO[bytes]) -> Iterator[None]:
    """Standard output and standard error are this file, for Python and for everybody else."""
    before = sys.stdout, sys.stderr
    _flush()
    with _descriptors((_STDOUT, _STDERR), file.fileno()), contextlib.ExitStack() as undo:
        sys.stdout, sys.stderr = (
            undo.enter_context(_writer(os.dup(file.fileno()))) for _ in before
        )
        try:
            yield
        finally:
            # What was held back until now belongs to the file as well.
            _flush()
            sys.stdout, sys.stderr = before
            _flush()


def _writer(descriptor: int, buffering: int = -1) -> TextIO:
    return open(descriptor, "w", buffering, encoding="utf-8", errors="backslashreplace")


def _flush() -> None:
    """Have everything written that was printed, whether by Python or by C."""
    for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
        # Somebody may have closed it.
        with contextlib.suppress(AttributeError, OSError, ValueError):
            stream.flush()  # type: ignore[union-attr]
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).fflush(None)


@contextlib.contextmanager
def _counted(printed: Printed) -> Iterator[None]:
    """Count now and then, so that the file stays small."""
    over = threading.Event()

    def watch() -> None:
        while not over.wait(_LOOK_EVERY):
            printed.count()

    watching = threading.Thread(target=watch, daemon=True)
    watching.start()
    try:
        yield
    finally:
        over.set()
        watching.join()


@contextlib.contextmanager
def _crashes_told() -> Iterator[None]:
    """Report a crash of the interpreter itself, after which nothing can be folded."""
    if faulthandler.is_enabled():
        yield
        return
    with contextlib.suppress(AttributeError, OSError, ValueError):
        faulthandler.enable(people.fileno())
    try:
        yield
    finally:
        faulthandler.disable()


_LONGEST_START, _LONGEST_END = 1000, 400


class People:
    """The stream that people read the tool's own words from, whoever else is printing.

    That is standard error, until somebody says that it is another one.
    """

    def __init__(self) -> None:
        self._other: TextIO | None = None

    @property
    def stream(self) -> TextIO:
        """Current standard error; a null stream if it is closed."""
        return self._other or sys.stderr or io.StringIO()

    def __getattr__(self, name: str) -> Any:
        """As that stream has it."""
        return getattr(self.stream, name)

    @contextlib.contextmanager
    def read_from(self, other: TextIO) -> Iterator[None]:
        """Let them read from another stream meanwhile."""
        before, self._other = self._other, other
        try:
            yield
        finally:
            self._other = before

    @contextlib.contextmanager
    def apart(self) -> Iterator[None]:
        """Let them go on reading from what it is now, wherever standard error leads meanwhile."""
        with contextlib.ExitStack() as undo:
            stream, descriptor = self.stream, None
            with contextlib.suppress(AttributeError, OSError, ValueError):
                descriptor = stream.fileno()
            if descriptor == _STDERR:
                stream = undo.enter_context(_writer(os.dup(_STDERR), buffering=1))
            undo.enter_context(self.read_from(stream))
            yield


people: Any = People()


def speak_utf8() -> None:
    """Results hold Greek letters; a terminal's own encoding must not make them fail."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def say(message: str) -> None:
    """One line for people on standard error, which neither steers a terminal nor fills it."""
    line = visible(" ".join(message.split()))
    if len(line) > _LONGEST_START + _LONGEST_END:
        line = f"{line[:_LONGEST_START]} … {line[-_LONGEST_END:]}"
    print(f"audit: {line}", file=people)


def whole(line: str) -> None:
    """A line for a program that reads standard error, as it is."""
    print(line, file=people.stream, flush=True)


@contextlib.contextmanager
def stdout_to_stderr() -> Iterator[None]:
    """Send what a black box prints to standard error, also what C code prints."""
    with contextlib.suppress(AttributeError):  # closed
        sys.stdout.flush()
    with contextlib.redirect_stdout(sys.stderr), _descriptors([_STDOUT], _STDERR):
        yield


def abandon_stdout() -> None:
    """Nobody reads standard output any more; keep Python from failing when it flushes it."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), _STDOUT)
