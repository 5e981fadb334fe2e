"""A program that stays: asked line by line, never longer than allowed, started again when gone."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import time
from collections.abc import Iterable, Sequence
from tempfile import TemporaryDirectory

from audit.blackbox.interface import RunTimeout
from audit.blackbox.process import (
    SHOWN_OF_STDERR,
    ExitCode,
    Limits,
    OutputLimit,
    end,
    last_words,
    started,
)
from audit.errors import BlackBoxError, shown

_STARTING = 60.0
"""Seconds more for the first answer after a start."""
_ENDING = 1.0
"""Seconds to end in, once a program has closed its output or its input was closed."""
_PIECE = 1 << 16
_READABLE = select.POLLIN | select.POLLHUP | select.POLLERR


class Ended(Exception):
    """The program ended well, but without an answer."""

    outcome_name = "ended without an answer"


class ServingProcess:
    """One program that reads a line and writes a line, again and again.

    It runs without a shell, in a session of its own; when it must end, all that is
    left of its process group is killed. Whatever goes wrong with an answer ends it,
    since nobody knows to which question its next line would belong; the next
    question starts it again.

    Attributes:
        starts: how often it was started.
    """

    def __init__(self, program: str, arguments: Sequence[str], limits: Limits) -> None:
        """Start nothing yet.

        Args:
            program: path of the executable.
            arguments: its arguments, the name it is called by first.
            limits: seconds for one answer, and bytes it may have.
        """
        self._program, self._arguments, self._limits = program, list(arguments), limits
        self._process: subprocess.Popen[bytes] | None = None
        self._folder: TemporaryDirectory[str] | None = None
        self._words = b""
        self.starts = 0

    def ask(self, line: bytes) -> bytes:
        """The line that answers a line.

        Raises:
            RunTimeout: the time is up.
            OutputLimit: the answer is too long.
            ExitCode: the program failed before it answered.
            Ended: it ended well before it answered.
            BlackBoxError: it cannot be started, or writes lines that nobody asked for.
        """
        process, seconds = self._process, self._limits.seconds
        if process is None or self._is_over(process):
            self.end()
            process = self._start()
            seconds = None if seconds is None else seconds + _STARTING
        try:
            return self._answer(process, line, seconds)
        except BaseException:
            self.end()
            raise

    def end(self) -> None:
        """End the program, if it runs; it may end itself first when its input is closed."""
        process, self._process = self._process, None
        if process is None:
            return
        assert self._folder is not None
        for pipe in (process.stdin, process.stdout, process.stderr):
            assert pipe is not None
            with contextlib.suppress(OSError):
                pipe.close()
        end(process)
        self._folder.cleanup()

    def _start(self) -> subprocess.Popen[bytes]:
        folder = TemporaryDirectory(prefix="audit-", ignore_cleanup_errors=True)
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        try:
            process = started(self._program, self._arguments, folder.name, bufsize=0, **pipes)
        except BlackBoxError:
            folder.cleanup()
            raise
        for descriptor in _descriptors(process):
            os.set_blocking(descriptor, False)
        self._process, self._folder, self._words = process, folder, b""
        self.starts += 1
        return process

    def _is_over(self, process: subprocess.Popen[bytes]) -> bool:
        """True if the program has ended since its last answer.

        Raises:
            BlackBoxError: it has written something since.
        """
        _, out, _ = _descriptors(process)
        if not _polled([out]):
            return False
        piece = os.read(out, _PIECE)
        if piece:
            self.end()
            raise _unasked(self._arguments[0], piece)
        return True

    def _answer(
        self, process: subprocess.Popen[bytes], line: bytes, seconds: float | None
    ) -> bytes:
        deadline = None if seconds is None else time.monotonic() + seconds
        given, out, err = _descriptors(process)
        left, found = memoryview(line), bytearray()
        watched = {out, err}
        while True:
            left = _written(given, left)
            wait = None if deadline is None else 1000.0 * (deadline - time.monotonic())
            if wait is not None and wait <= 0.0:
                raise RunTimeout(f"no answer within {seconds:g} s")
            ready = _polled(watched, given if left else None, wait)
            if err in ready and not self._listen(err):
                watched.discard(err)
            if out in ready:
                piece = os.read(out, _PIECE)
                found += piece
                if not piece:
                    raise self._gone(process, err)
                if b"\n" in piece:
                    return self._first_line(found)
                if len(found) > self._limits.size:
                    raise OutputLimit(self._limits.size)

    def _first_line(self, found: bytearray) -> bytes:
        answer, _, more = bytes(found).partition(b"\n")
        if more:
            raise _unasked(self._arguments[0], more)
        if len(answer) > self._limits.size:
            raise OutputLimit(self._limits.size)
        return answer

    def _listen(self, err: int) -> bool:
        """Keep the end of what it writes to standard error; whether more may come."""
        try:
            piece = os.read(err, _PIECE)
        except BlockingIOError:
            return True
        self._words = (self._words + piece)[-SHOWN_OF_STDERR:]
        return bool(piece)

    def _gone(self, process: subprocess.Popen[bytes], err: int) -> Exception:
        """Error for a program that closed its output."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_ENDING)
        while _polled([err]) and self._listen(err):
            pass
        words = last_words(self._words)
        if process.returncode:
            return ExitCode(process.returncode, words)
        return Ended(f"{Ended.outcome_name}: {words}" if words else Ended.outcome_name)


def _descriptors(process: subprocess.Popen[bytes]) -> tuple[int, int, int]:
    """Standard input, output and error."""
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    return process.stdin.fileno(), process.stdout.fileno(), process.stderr.fileno()


def _polled(read: Iterable[int], written: int | None = None, wait: float | None = 0.0) -> set[int]:
    """Descriptors that can be read, or written to, within some milliseconds."""
    poll = select.poll()
    for descriptor in read:
        poll.register(descriptor, _READABLE)
    if written is not None:
        poll.register(written, select.POLLOUT)
    return {descriptor for descriptor, _ in poll.poll(wait)}


def _written(given: int, left: memoryview) -> memoryview:
    """Bytes left to write after the program has read as much as it takes now."""
    if not left:
        return left
    try:
        return left[os.write(given, left) :]
    except BlockingIOError:
        return left
    except BrokenPipeError:  # it has ended, or closed its input; its output tells which
        return left[:0]


def _unasked(name: str, piece: bytes) -> BlackBoxError:
    told = shown(piece.decode("utf-8", errors="replace").strip())
    return BlackBoxError(
        f"{name} writes more than one line for a question, such as {told}; let standard output "
        "hold nothing but answers, one JSON list a line (other words belong to standard error)",
        piece,
    )
