"""Standard output for the result alone, standard error for everything else."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterator

from audit.errors import visible

_STDOUT, _STDERR = 1, 2
_LONGEST_START, _LONGEST_END = 1000, 400


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
    print(f"audit: {line}", file=sys.stderr)


@contextlib.contextmanager
def stdout_to_stderr() -> Iterator[None]:
    """What a black box prints goes to standard error, also what C code prints."""
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
