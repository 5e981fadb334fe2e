"""Standard output for the result alone, standard error for everything else."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterator
from typing import Any, TextIO

from audit.errors import visible

_STDOUT, _STDERR = 1, 2
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
            stream = self.stream
            if _descriptor_of(stream) == _STDERR:
                stream = undo.enter_context(_writing_to(os.dup(_STDERR)))
            undo.enter_context(self.read_from(stream))
            yield


people: Any = People()


def _writing_to(descriptor: int) -> TextIO:
    return open(descriptor, "w", buffering=1, encoding="utf-8", errors="backslashreplace")


def _descriptor_of(stream: TextIO) -> int | None:
    try:
        return stream.fileno()
    except (AttributeError, OSError, ValueError):
        return None


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
    with contextlib.redirect_stdout(sys.stderr), _descriptor_moved():
        yield


@contextlib.contextmanager
def _descriptor_moved() -> Iterator[None]:
    try:
        kept = os.dup(_STDOUT)
        os.dup2(_STDERR, _STDOUT)
    except OSError:  # one of them is closed, so nothing can be printed there anyway
        yield
        return
    try:
        yield
    finally:
        os.dup2(kept, _STDOUT)
        os.close(kept)


def abandon_stdout() -> None:
    """Nobody reads standard output any more; keep Python from failing when it flushes it."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), _STDOUT)
