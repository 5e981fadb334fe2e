"""A program that stays as a black box: started once, then asked in lines of JSON."""

from __future__ import annotations

import atexit
import os
import uuid
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from numpy.random import Generator

from audit.blackbox.command import (
    LARGEST_SEED,
    OUTPUT_LIMIT,
    placeholders_in,
    program_at,
    program_name,
)
from audit.blackbox.exchange import AskedBlackBox, NoAnswer, outputs_in, question
from audit.blackbox.process import Limits
from audit.blackbox.served_process import ServingProcess
from audit.blackbox.time_limit import Patience, check_seconds
from audit.errors import InputError

_MOST_RUNNING = 4
"""Black boxes whose programs stay in one process; a worker may serve several audits."""
_running: dict[str, Programs] = {}


@dataclass(frozen=True, slots=True)
class Programs:
    """One program that stays, as often as it is asked at the same time.

    Attributes:
        start: the program, its arguments and limits.
        idle: those that nobody asks now, the one that was asked last behind the others.
        made: all of them.
    """

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
        """End them all."""
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
        token: str | None = None,
    ) -> None:
        """Find the program; it is started by the first question.

        Args:
            arguments: the program and its arguments.
            epsilon: what {epsilon} becomes.
            timeout: seconds for one answer, None for no limit; a start has a minute more.
            output_limit: bytes that one answer may have.
            token: of the black box that this is a copy of, with which it shares a
                program where both are in one process.

        Raises:
            InputError: no such program, a placeholder that only a single run can fill,
                or {epsilon} without a value.
        """
        self._origin = tuple(arguments), epsilon, timeout, output_limit
        program, filled = program_at(tuple(arguments)), _filled(arguments, epsilon)
        self._limits = Limits(check_seconds(timeout), output_limit)
        self._start = program, filled, self._limits
        self.name = program_name(filled)
        self._patience = Patience(self.name, timeout)
        self._token = token or uuid.uuid4().hex
        if token is None:
            weakref.finalize(self, _end, self._token)

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
        line = question(data, 1, int(rng.integers(LARGEST_SEED))) + b"\n"
        return partial(self._output, self._programs, line)

    def _output(self, programs: Programs, line: bytes) -> Any:
        with programs.borrowed() as process:
            with self._patience:
                answer = process.ask(line)
            try:
                (output,) = outputs_in(answer, 1)
            except NoAnswer:
                process.end()
                raise
        return output

    @property
    def _programs(self) -> Programs:
        """The programs of this process, made or found."""
        found = _running.pop(self._token, None) or Programs(self._start)
        _running[self._token] = found
        while len(_running) > _MOST_RUNNING:
            _end(next(iter(_running)))
        return found

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        """In another process there is another program; copies of one box share it there."""
        return ServedBlackBox, (*self._origin, self._token)


def _filled(arguments: Sequence[str], epsilon: float | None) -> list[str]:
    """The arguments with {epsilon} in its place."""
    used = placeholders_in("\0".join(arguments[1:]), epsilon)
    if others := sorted(used - {"epsilon"}):
        named = " ".join(f"{{{name}}}" for name in others)
        raise InputError(
            f"a program that keeps running is given {named} with every line it reads, not as an "
            "argument; leave that out, or leave --serve out",
            arguments,
        )
    return [arguments[0], *(word.replace("{epsilon}", repr(epsilon)) for word in arguments[1:])]


def _end(token: str) -> None:
    found = _running.pop(token, None)
    if found is not None:
        found.end()


@atexit.register
def _end_all() -> None:
    for token in list(_running):
        _end(token)
