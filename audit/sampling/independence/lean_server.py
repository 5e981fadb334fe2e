"""A server of lives: an interpreter that has read nothing of the user's, and a process a life.

It has numpy and the standard library, one thread, and the installed packages that the user's
code imports. A life is a fork of it, which makes the instance, seeds what it can reach, answers
and ends. So noise drawn at import or in a constructor is drawn anew in every life. Where forks
would be clones of each other, or are not safe, a life is an interpreter of its own.

Requests come, and replies go, through one connection. The server ends when its other end is closed.
"""

from __future__ import annotations

import contextlib
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
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from typing import Any, Never

import numpy as np
from numpy.random import SeedSequence

from audit.blackbox.environment import seed_global_generators
from audit.sampling.independence.life import Life, Making, Scouted
from audit.sampling.independence.living import ALARM, STARTING, Randomness, Start, run_life
from audit.sampling.independence.pickled import CODES, Dataset, Pickled
from audit.sampling.independence.reachable import Ownership, live_generators

DONE, CRASHED, LATE, QUIT, REFUSED = range(5)
"""How a life ended: after its last answer, by a crash, by a time limit, too early with exit code 0;
or it was never started."""
READ_ONCE = "read once"
"""The request to read the user's code for all lives together."""
_LOOK = 1.0
"""Seconds between looks whether a process is still there."""
_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


@dataclass(slots=True)
class Server:
    """A connection, and what lives are started with.

    Attributes:
        connection: to the audit.
        start: of every life.
        forks: whether lives are forks; else each is an interpreter.
        record: descriptor of a file without a name, which outlives whoever writes to it.
    """

    connection: Connection
    start: Start
    forks: bool
    record: int = field(default_factory=lambda: _unnamed_file())

    def serve(self) -> None:
        """Do what is asked until nobody can ask any more."""
        _keep_codes()
        with contextlib.suppress(EOFError, OSError):
            while True:
                self._do(self.connection.recv())

    def _do(self, request: Any) -> None:
        match request:
            case Making():
                self.start.making = request
                self.start.ownership.packages |= request.packages
            case Pickled():
                self._add_dataset(request)
            case Scouted() | str() if not self.forks:
                pass  # each interpreter loads and reads for itself
            case Scouted():
                self._load(request)
            case str():
                self._read_once()
            case _:
                self._live(request)

    def _add_dataset(self, source: Pickled) -> None:
        """A dataset is loaded here, unless that needs code of the user's."""
        dataset = Dataset(source)
        with contextlib.suppress(_OwnClass):
            dataset.hold(_LibraryUnpickler(source.content, self.start.ownership).load())
        self.start.datasets.append(dataset)

    def _load(self, scouted: Scouted) -> None:
        """Load what every life would load; the user's own code is only compiled."""
        for name in scouted.libraries:
            with contextlib.suppress(Exception):
                importlib.import_module(name)
        for file in scouted.own_files:
            with contextlib.suppress(OSError, SyntaxError, ValueError), open(file, "rb") as source:
                CODES[file] = compile(source.read(), file, "exec", dont_inherit=True)

    def _read_once(self) -> None:
        assert self.start.making is not None
        value = self.start.making.source()
        self.start.making = replace(self.start.making, source=lambda: value)

    def _live(self, lives: Sequence[Life]) -> None:
        gc.collect()
        self.start.generators += live_generators()
        randomness = [*map(Randomness.of, lives)]
        gc.freeze()
        for life, random in zip(lives, randomness, strict=True):
            os.ftruncate(self.record, 0)
            os.lseek(self.record, 0, os.SEEK_SET)
            started = _processor()
            status = self._status(life, random)
            record = os.pread(self.record, os.fstat(self.record).st_size, 0)
            self._send(life.number, status, _processor() - started, record)

    def _status(self, life: Life, random: Randomness) -> int:
        """How a life ended, for which a process was started."""
        ready, done = os.pipe()
        try:
            if self.forks:
                process = self._fork(life, random, ready, done)
            else:
                process = self._interpreter(life, done)
        except OSError:
            os.close(ready)
            return REFUSED
        finally:
            os.close(done)
        status = _wait(process, ready, self.connection.fileno(), self._seconds(life))
        os.close(ready)
        return status

    def _fork(self, life: Life, random: Randomness, ready: int, done: int) -> int:
        process = os.fork()
        if process == 0:
            closed = (self.connection.fileno(), ready)
            _be_a_life(self.start, life, random, self.record, done, closed)
        return process

    def _interpreter(self, life: Life, done: int) -> int:
        sources = [dataset.source for dataset in self.start.datasets]
        # Lives that are compared with each other differ whatever the user has set.
        seed = -life.number if life.number < 0 else None
        with tempfile.TemporaryFile() as file:
            pickle.dump((self.start.making, sources, self.start.described, life), file, 5)
            file.seek(0)
            held = (self.record, done)
            return interpreter(f"live{held}", file.fileno(), held, seed)

    def _seconds(self, life: Life) -> float:
        """Seconds that a life may have."""
        making = self.start.making
        if making is None or making.timeout is None:
            return math.inf
        return STARTING + sum(making.seconds(size) for _, size in life.questions)

    def _send(self, number: int, status: int, seconds: float, record: bytes) -> None:
        """Write a reply; a failure that it describes is the last one that is described."""
        if not self.start.described and b"FailedRun" in record:
            self.start.described = True
            importlib.import_module("audit.outcomes.failed_run")
        self.connection.send((number, status, seconds, record))


def _keep_codes() -> None:
    """Let the import system take compiled code from here."""
    loader: Any = importlib.machinery.SourceFileLoader
    original = loader.get_code
    loader.get_code = lambda self, name: CODES.get(self.path) or original(self, name)


def _unnamed_file() -> int:
    if sys.platform == "linux":
        return os.memfd_create("record")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


def _wait(process: int, ready: int, audit: int, seconds: float) -> int:
    """How a life ended; it and all that it started are gone then."""
    deadline, status = time.monotonic() + seconds, None
    poll = select.poll()
    poll.register(ready, select.POLLIN)
    poll.register(audit, select.POLLHUP)  # the other end is closed
    while (left := deadline - time.monotonic()) > 0.0:
        found = dict(poll.poll(1000.0 * min(_LOOK, left)))
        if found.get(audit):
            _reap(process, status)
            os._exit(0)
        if ready in found:
            done = os.read(ready, 1)
            code = _reap(process, status)
            return DONE if done else _status_of(code)
        if status is not None:
            return _status_of(_reap(process, status))
        # Who has ended may have been done; processes that it started may keep that open.
        ended, code = os.waitpid(process, os.WNOHANG)
        status = code if ended else None
    _reap(process, status)
    return LATE


def _processor() -> float:
    """Processor seconds of this process and of those that it has waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def _reap(process: int, status: int | None = None) -> int:
    """End a life with its process group; its exit code."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1] if status is None else status)


def _status_of(code: int) -> int:
    """How a process ended that did not say it was done."""
    if code == -ALARM:
        return LATE
    return CRASHED if code else QUIT


def _be_a_life(
    start: Start, life: Life, random: Randomness, record: int, done: int, closed: Sequence[int]
) -> Never:
    """In a process of its own: live and end."""
    try:
        if os.getpgrp() != os.getpid():
            os.setpgid(0, 0)
        for descriptor in closed:
            os.close(descriptor)
        run_life(start, life, random, record)
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


def interpreter(
    call: str, stdin: int, held: Sequence[int] = (), hash_seed: int | None = None
) -> int:
    """Start an interpreter of one thread, with the environment of this process; its number.

    Args:
        call: of `serve` or `live`, in it.
        stdin: descriptor of its standard input.
        held: further descriptors that it has.
        hash_seed: of its strings; None for one of its own.

    Raises:
        OSError: it cannot be started.
    """
    variables = {name: os.environ.get(name) for name in (*_THREADS, "PYTHONHASHSEED")}
    code = (
        f"import sys; sys.path[:] = {sys.path!r}; "
        f"from {__name__} import begin, live, serve; begin({variables!r}); {call}"
    )
    environment = {**os.environ, **dict.fromkeys(_THREADS, "1")}
    if hash_seed is not None:
        environment["PYTHONHASHSEED"] = str(hash_seed)
    process = subprocess.Popen(
        [sys.executable, "-B", "-c", code],
        stdin=stdin,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=held,
        env=environment,
        start_new_session=True,
    )
    process.returncode = 0  # reaped by its number
    return process.pid


def begin(variables: Mapping[str, str | None]) -> None:
    """In an interpreter: set variables of the environment as the user has set them."""
    for name in variables:
        os.environ.pop(name, None)
    os.environ.update({n: value for n, value in variables.items() if value is not None})


def serve(forks: bool) -> None:
    """Serve the connection at standard input."""
    connection = Connection(os.dup(0))
    silence()
    # Later forks find loaded what every one of them needs.
    np.random.default_rng(0).laplace()
    seed_global_generators(SeedSequence(0))
    serve_at(connection, None, forks=forks)


def serve_at(connection: Connection, making: Making | None, *, forks: bool) -> None:
    """Serve until the other end of a connection is closed."""
    gc.disable()
    start = Start(making, generators=live_generators())
    # Garbage of the process that this one is a fork of may close what others still use.
    gc.freeze()
    Server(connection, start, forks).serve()


def live(record: int, done: int) -> Never:
    """Live the life that standard input holds, in this interpreter."""
    making, sources, described, life = pickle.load(sys.stdin.buffer)
    silence()
    gc.disable()
    start = Start(making, [Dataset(source) for source in sources], described)
    _be_a_life(start, life, Randomness.of(life), record, done, ())
