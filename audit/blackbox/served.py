"""A program that stays as a black box: started once, then asked in lines of JSON.

It is never asked longer than allowed, and started again when it is gone.
"""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from numpy.random import Generator

from audit.blackbox.command import (
    LARGEST_SEED,
    OUTPUT_LIMIT,
    placeholders_in,
    program_at,
    program_name,
)
from audit.blackbox.exchange import AskedBlackBox, NoAnswer, output_in, question
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
from audit.blackbox.time_limit import Patience, check_seconds
from audit.errors import BlackBoxError, InputError, shown


@dataclass(frozen=True, slots=True)
class Programs:
    """One program that stays, as often as it is asked at the same time."""

    start: tuple[str, list[str], Limits]
    idle: deque[ServingProcess] = field(default_factory=deque)
    made: list[ServingProcess] = field(default_factory=list)

    @contextmanager
    def borrowed(self) -> Iterator[ServingProcess]:
        """One that nobody else asks meanwhile."""
        try:
            process = self.idle.popleft()
        except IndexError:
            process = ServingProcess(*self.start)
            self.made.append(process)
        try:
            yield process
        finally:
            self.idle.append(process)

    def end(self) -> None:
        for process in self.made:
            process.end()


class ServedBlackBox(AskedBlackBox):
    """A program that is started once for each worker and then asked line by line.

    Each line it reads is {"data": [...], "size": n, "seed": s}; each line it writes is
    a JSON list of n outputs, or {"error": "..."}. It is asked for one output at a
    time, with a seed of its own, so that two datasets can share their randomness.

    That it ends or is killed before it answers, an answer too long or too late, an
    error and an answer that is no list of outputs are outputs; it is started again
    for the next question, except after an error that it told of.

    Attributes:
        name: the name of its file (see `program_name`).
        seeded: true, as every question brings a seed.
    """

    seeded = True

    def __init__(
        self,
        arguments: Sequence[str],
        epsilon: float | None = None,
        timeout: float | None = 10.0,
        output_limit: int = OUTPUT_LIMIT,
    ) -> None:
        """Find the program; it is started by the first question.

        Args:
            arguments: the program and its arguments.
            epsilon: what {epsilon} becomes.
            timeout: seconds for one answer, None for no limit; a start has a minute more.
            output_limit: bytes that one answer may have.

        Raises:
            InputError: no such program, a placeholder that only a single run can fill,
                or {epsilon} without a value.
        """
        program, filled = program_at(tuple(arguments)), _filled(arguments, epsilon)
        self._start = program, filled, Limits(check_seconds(timeout), output_limit)
        self.name = program_name(filled)
        self._patience = Patience(self.name, timeout)
        self._programs = Programs(self._start)
        weakref.finalize(self, self._programs.end)

    @property
    def identity(self) -> tuple[Any, ...]:
        """Everything but data and randomness that outputs depend on; files by their contents."""
        program, filled, limits = self._start
        files = [Path(word) for word in (program, *filled[1:]) if os.path.isfile(word)]
        return "serve", tuple(filled), files, limits

    def restart(self) -> None:
        """Let the next question start it afresh."""
        self._programs.end()

    def _asked(self, data: bytes, rng: Generator) -> Callable[[], Any]:
        line = question(data, int(rng.integers(LARGEST_SEED))) + b"\n"
        return partial(self._output, line)

    def _output(self, line: bytes) -> Any:
        with self._programs.borrowed() as process:
            with self._patience:
                answer = process.ask(line)
            try:
                return output_in(answer)
            except NoAnswer:
                process.end()
                raise


def _filled(arguments: Sequence[str], epsilon: float | None) -> list[str]:
    used = placeholders_in("\0".join(arguments[1:]), epsilon)
    if others := sorted(used - {"epsilon"}):
        named = " ".join(f"{{{name}}}" for name in others)
        raise InputError(
            f"a program that keeps running is given {named} with every line it reads, not as an "
            "argument; leave that out, or leave --serve out",
            arguments,
        )
    return [arguments[0], *(word.replace("{epsilon}", repr(epsilon)) for word in arguments[1:])]


_STARTING = 60.0
"""Seconds more for the first answer after a start."""
_ENDING = 1.0
"""Seconds to end in, once a program has closed its output or its input was closed."""
_PIECE = 1 << 16
_Process = subprocess.Popen[bytes]
_READABLE = select.POLLIN | select.POLLHUP | select.POLLERR


class Ended(Exception):
    """The program ended well, but without an answer."""

    outcome_name = "ended without an answer"


class ServingProcess:
    """One program that reads a line and writes a line, again and again.

    Whatever goes wrong with an answer ends it, since nobody knows to which question its next
    line would belong; the next question starts it again.
    """

    def __init__(self, program: str, arguments: Sequence[str], limits: Limits) -> None:
        self._program, self._arguments, self._limits = program, list(arguments), limits
        self._process: _Process | None = None
        self._folder = ""
        self._words = b""

    def ask(self, line: bytes) -> bytes:
        """The line that answers a line; what ends without one in time is an output, an exception.

        Raises:
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
        for pipe in filter(None, (process.stdin, process.stdout, process.stderr)):
            with suppress(OSError):
                pipe.close()
        end(process)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _start(self) -> _Process:
        folder = mkdtemp(prefix="audit-")
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        try:
            process = started(self._program, self._arguments, folder, bufsize=0, **pipes)
        except BlackBoxError:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        for descriptor in _descriptors(process):
            os.set_blocking(descriptor, False)
        self._process, self._folder, self._words = process, folder, b""
        return process

    def _is_over(self, process: _Process) -> bool:
        """True if the program has ended since its last answer; it must have written nothing."""
        _, out, _ = _descriptors(process)
        if not _polled([out]):
            return False
        if piece := os.read(out, _PIECE):
            self.end()
            raise _unasked(self._arguments[0], piece)
        return True

    def _answer(self, process: _Process, line: bytes, seconds: float | None) -> bytes:
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
                if b"\n" in piece or len(found) > self._limits.size:
                    return self._first_line(found)

    def _first_line(self, found: bytearray) -> bytes:
        answer, _, more = bytes(found).partition(b"\n")
        if more:
            raise _unasked(self._arguments[0], more)
        if len(answer) > self._limits.size:
            raise OutputLimit(self._limits.size)
        return answer

    def _listen(self, err: int) -> bool:
        """True if more may come of what it writes to standard error, of which the end is kept."""
        try:
            piece = os.read(err, _PIECE)
        except BlockingIOError:
            return True
        self._words = (self._words + piece)[-SHOWN_OF_STDERR:]
        return bool(piece)

    def _gone(self, process: _Process, err: int) -> Exception:
        with suppress(subprocess.TimeoutExpired):
            process.wait(_ENDING)
        while _polled([err]) and self._listen(err):
            pass
        words = last_words(self._words)
        if process.returncode:
            return ExitCode(process.returncode, words)
        return Ended(f"{Ended.outcome_name}: {words}" if words else Ended.outcome_name)


def _descriptors(process: _Process) -> tuple[int, int, int]:
    assert process.stdin and process.stdout and process.stderr
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
    try:
        return left[os.write(given, left) :] if left else left
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
