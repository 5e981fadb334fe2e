"""A fork server: an interpreter that has read nothing of the user's, and forks a process a life.

It has numpy and the standard library, one thread, and the installed packages that the user's
code imports. A life is a fork of it, which makes the instance, seeds what it can reach, answers
and ends. So noise drawn at import or in a constructor is drawn anew in every life.

Requests come, and replies go, through two pipes, in pickles behind their length. The server ends
when the other end of its requests is closed.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib
import importlib.machinery
import importlib.util
import io
import math
import os
import pickle
import resource
import select
import signal
import struct
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Never

import numpy as np
from numpy.random import SeedSequence

from audit.blackbox.isolation.environment import seed_global_generators
from audit.sampling.independence.instance import CODES, Dataset, Making, Pickled
from audit.sampling.independence.life import Life, Scouted
from audit.sampling.independence.living import (
    ALARM,
    STARTING,
    Start,
    Watch,
    load_time_machine,
    run_life,
    times,
)
from audit.sampling.independence.reachable import Ownership

LENGTH = struct.Struct("<q")
"""Before each request."""
REPLY = struct.Struct("<qBdq")
"""Before the record of a life: number, `Status`, processor seconds, length."""
DONE, CRASHED, LATE, QUIT, REFUSED = range(5)
"""How a life ended: after its last answer, by a crash, by a time limit, too early with exit code 0;
or it was never forked."""
_LOOK = 1.0
"""Seconds between looks whether a process is still there."""
_END_WITH_PARENT = 1
"""Of Linux's `prctl`: the signal that a process gets when its parent ends."""


@dataclass(slots=True)
class Server:
    """Requests, replies, and what lives are forked with.

    Attributes:
        requests: descriptor to read from.
        replies: descriptor to write to.
        start: of every life.
        forks: whether lives are forks; else the first one is this process.
        record: the file that a life writes to.
    """

    requests: int
    replies: int
    start: Start
    forks: bool
    record: int = -1

    def serve(self) -> None:
        """Do what is asked until nobody can ask any more."""
        self.record = _record_file() if self.forks else -1
        _keep_codes()
        actions: Mapping[str, Callable[[Any], None]] = {
            "making": self._make_known,
            "dataset": self._add_dataset,
            "libraries": self._import,
            "read": self._read,
            "lives": self._live,
            "trial": self._try,
        }
        while (request := receive(self.requests)) is not None:
            kind, content = request
            actions[kind](content)

    def _make_known(self, making: Making) -> None:
        self.start.making = making
        self.start.ownership.packages |= making.packages

    def _add_dataset(self, source: Pickled) -> None:
        """A dataset is loaded here, unless that needs code of the user's."""
        dataset = Dataset(source)
        with contextlib.suppress(_OwnClass):
            dataset.hold(_LibraryUnpickler(source.content, self.start.ownership).load())
        self.start.datasets.append(dataset)

    def _import(self, scouted: Scouted) -> None:
        """Load what every life would load; the user's own code is only compiled."""
        for name in scouted.libraries:
            with contextlib.suppress(Exception):
                importlib.import_module(name)
        for file in scouted.own_files:
            with contextlib.suppress(OSError, SyntaxError, ValueError), open(file, "rb") as source:
                CODES[file] = compile(source.read(), file, "exec", dont_inherit=True)

    def _read(self, _: None) -> None:
        assert self.start.making is not None
        self.start.read = self.start.making.source.read()

    def _live(self, lives: Sequence[Life]) -> None:
        if not self.forks:
            run_life(self.start, lives[0], self.replies, trial=False)
            os._exit(0)
        gc.collect()
        gc.freeze()
        for life in lives:
            self._answer(life, trial=False)

    def _try(self, life: Life) -> None:
        self._answer(life, trial=True)

    def _answer(self, life: Life, *, trial: bool) -> None:
        """Fork a process for a life, and send its record."""
        os.ftruncate(self.record, 0)
        os.lseek(self.record, 0, os.SEEK_SET)
        started = _processor()
        ready, done = os.pipe()
        try:
            process = os.fork()
        except OSError:
            self._send(life.number, REFUSED, 0.0, b"")
            return
        if process == 0:
            _be_a_life(self, life, done, (self.requests, self.replies, ready), trial)
        os.close(done)
        status = _wait(process, ready, self.requests, seconds_of(self.start.making, life))
        os.close(ready)
        record = os.pread(self.record, os.fstat(self.record).st_size, 0)
        self._send(life.number, status, _processor() - started, record)

    def _send(self, number: int, status: int, seconds: float, record: bytes) -> None:
        """Write a reply; a failure that it describes is the last one that is described."""
        if not self.start.described and b"FailedRun" in record:
            self.start.described = True
            importlib.import_module("audit.outcomes.failed_run")
        left = memoryview(REPLY.pack(number, status, seconds, len(record)) + record)
        while left:
            left = left[os.write(self.replies, left) :]


def _keep_codes() -> None:
    """Let the import system take compiled code from the server."""
    loader: Any = importlib.machinery.SourceFileLoader
    original = loader.get_code
    loader.get_code = lambda self, name: CODES.get(self.path) or original(self, name)


def seconds_of(making: Making | None, life: Life) -> float | None:
    """Seconds that a life may have; None for no limit."""
    if making is None or making.timeout is None:
        return None
    return STARTING + sum(making.timeout * times(size) for _, size in life.questions)


def receive(requests: int) -> Any:
    """The next request; None where there are no more."""
    head = _exactly(requests, LENGTH.size)
    if head is None:
        return None
    (length,) = LENGTH.unpack(head)
    content = _exactly(requests, length)
    return None if content is None else pickle.loads(content)


def _exactly(descriptor: int, length: int) -> bytes | None:
    pieces = bytearray()
    while len(pieces) < length:
        piece = os.read(descriptor, min(length - len(pieces), 1 << 20))
        if not piece:
            return None
        pieces += piece
    return bytes(pieces)


def _record_file() -> int:
    """An open file without a name, which outlives whoever writes to it."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("record")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


def _wait(process: int, ready: int, requests: int, seconds: float | None) -> int:
    """How a life ended; it and all that it started are gone then."""
    deadline = math.inf if seconds is None else time.monotonic() + seconds
    poll = select.poll()
    poll.register(ready, select.POLLIN)
    poll.register(requests, 0)  # reports only that the other end is closed
    while (left := deadline - time.monotonic()) > 0.0:
        found = dict(poll.poll(1000.0 * min(_LOOK, left)))
        if requests in found:
            _reap(process)
            os._exit(0)
        if ready in found and os.read(ready, 1):
            _reap(process)
            return DONE
        if found or os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            return _status_of(_reap(process))
    _reap(process)
    return LATE


def _processor() -> float:
    """Processor seconds of this process and of those that it has waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def _reap(process: int) -> int:
    """End a life with its process group; its exit code."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def _status_of(code: int) -> int:
    """How a process ended that did not say it was done."""
    if code == -ALARM:
        return LATE
    return CRASHED if code else QUIT


def _be_a_life(server: Server, life: Life, done: int, closed: Sequence[int], trial: bool) -> Never:
    """In a forked process: live and end."""
    try:
        os.setpgid(0, 0)
        for descriptor in closed:
            os.close(descriptor)
        run_life(server.start, life, server.record, trial=trial)
        os.write(done, b".")
        os._exit(0)
    finally:
        os._exit(1)


class _OwnClass(Exception):
    """A dataset holds records of a class of the user's own."""


class _LibraryUnpickler(pickle.Unpickler):
    """Loads what needs no module of the user's, which each life reads for itself."""

    def __init__(self, content: bytes, ownership: Ownership) -> None:
        super().__init__(io.BytesIO(content))
        self._ownership = ownership

    def find_class(self, module: str, name: str) -> Any:
        """See `pickle.Unpickler.find_class`."""
        root = module.partition(".")[0]
        if root not in sys.modules:
            found = importlib.util.find_spec(root)
            own = found is None or not self._ownership.is_library_file(found.origin or "")
        else:
            own = self._ownership.is_own(root)
        if own:
            raise _OwnClass(module)
        return super().find_class(module, name)


def silence() -> None:
    """Let nothing that lives print reach anybody."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(nothing, descriptor)
    os.close(nothing)
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def serve_from(requests: int, replies: int, making: Making | None, *, forks: bool) -> None:
    """Serve until the other end of the requests is closed.

    Args:
        requests: descriptor to read from.
        replies: descriptor to write to.
        making: of instances, where it is known.
        forks: whether lives are forks; else the one life is this process.
    """
    gc.disable()
    # Garbage of the process that this one is a fork of may close what others still use.
    gc.freeze()
    load_time_machine()
    ownership = Ownership(making.packages if making else ())
    watch = Watch(ownership.is_code)
    Server(requests, replies, Start(ownership, watch, making), forks).serve()


def main(forks: bool, variables: Mapping[str, str | None]) -> None:
    """The lean server, or an interpreter of one life, at standard input and output.

    Args:
        forks: whether lives are forks.
        variables: of the environment, as the user has set them.
    """
    requests, replies = os.dup(0), os.dup(1)
    silence()
    if not forks and sys.platform == "linux":
        ctypes.CDLL(None).prctl(_END_WITH_PARENT, int(signal.SIGKILL))
    for name, value in variables.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
    # Later forks find loaded what every one of them needs.
    np.random.default_rng(0).laplace()
    seed_global_generators(SeedSequence(0))
    serve_from(requests, replies, None, forks=forks)
