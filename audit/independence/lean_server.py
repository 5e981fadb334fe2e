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
from dataclasses import dataclass, field
from typing import Any, Never

import numpy as np
from numpy.random import Generator, SeedSequence

from audit.blackbox.interface import Exited
from audit.blackbox.isolation.environment import seed_global_generators
from audit.errors import AuditError, InputError, OutcomeError, reason_of
from audit.independence.hook import Watch
from audit.independence.instance import CODES, Dataset, Instance, Making, Pickled
from audit.independence.life import ENTRY, Ending, Life, Question, Scouted
from audit.independence.reachable import Ownership, begin_anew, calls_hash, holds_drawn

LENGTH = struct.Struct("<q")
"""Before each request."""
REPLY = struct.Struct("<qBdq")
"""Before the record of a life: number, `Status`, processor seconds, length."""
DONE, CRASHED, LATE, QUIT, REFUSED = range(5)
"""How a life ended: after its last answer, by a crash, by a time limit, too early with exit code 0;
or it was never forked."""
_STARTING = 60.0
"""Seconds for making the instance."""
_LOOK = 1.0
"""Seconds between looks whether a process is still there."""
# The public functions turn their numbers into enums, which touches many pages of memory.
_SIGNALS: Any = importlib.import_module("_signal")
_TIMED = hasattr(signal, "setitimer")
_ALARM, _DEFAULT = (int(signal.SIGALRM), int(signal.SIG_DFL)) if _TIMED else (0, 0)
_TIMER = int(signal.ITIMER_REAL) if _TIMED else 0
_END_WITH_PARENT = 1
"""Of Linux's `prctl`: the signal that a process gets when its parent ends."""
_OUTPUTS_IN_TIME = 1 << 14
"""Outputs of one call that the time for one output is enough for."""


@dataclass(slots=True)
class Server:
    """The state that lives are forked with.

    Attributes:
        requests: descriptor to read from.
        replies: descriptor to write to.
        ownership: of modules.
        watch: notes what a life does outside its process.
        forks: whether lives are forks; else the first one is this process.
        datasets: by index.
        making: of instances; None before it is known.
        read: what was read once for all lives.
        described: whether a failure was described already.
        record: the file that a life writes to.
    """

    requests: int
    replies: int
    ownership: Ownership
    watch: Watch
    forks: bool
    datasets: list[Dataset] = field(default_factory=list)
    making: Making | None = None
    read: Any = None
    described: bool = False
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
        self.making = making
        self.ownership.packages |= making.packages

    def _add_dataset(self, source: Pickled) -> None:
        """A dataset is loaded here, unless that needs code of the user's."""
        dataset = Dataset(source)
        with contextlib.suppress(_OwnClass):
            dataset.hold(_LibraryUnpickler(source.content, self.ownership).load())
        self.datasets.append(dataset)

    def _import(self, scouted: Scouted) -> None:
        """Load what every life would load; the user's own code is only compiled."""
        for name in scouted.libraries:
            with contextlib.suppress(Exception):
                importlib.import_module(name)
        for file in scouted.own_files:
            with contextlib.suppress(OSError, SyntaxError, ValueError), open(file, "rb") as source:
                CODES[file] = compile(source.read(), file, "exec", dont_inherit=True)

    def _read(self, _: None) -> None:
        assert self.making is not None
        self.read = self.making.source.read()

    def _live(self, lives: Sequence[Life]) -> None:
        if not self.forks:
            run_life(self, lives[0], self.replies, trial=False)
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
        status = _wait(process, ready, self.requests, seconds_of(self.making, life))
        os.close(ready)
        record = os.pread(self.record, os.fstat(self.record).st_size, 0)
        self._send(life.number, status, _processor() - started, record)

    def _send(self, number: int, status: int, seconds: float, record: bytes) -> None:
        """Write a reply; a failure that it describes is the last one that is described."""
        if not self.described and b"FailedRun" in record:
            self.described = True
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
    return _STARTING + sum(making.timeout * times(size) for _, size in life.questions)


def times(size: int) -> float:
    """How many times the limit for one output a call for many may take."""
    return max(1.0, size / _OUTPUTS_IN_TIME)


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
    if code == -_ALARM:
        return LATE
    return CRASHED if code else QUIT


def _be_a_life(server: Server, life: Life, done: int, closed: Sequence[int], trial: bool) -> Never:
    """In a forked process: live and end."""
    try:
        os.setpgid(0, 0)
        for descriptor in closed:
            os.close(descriptor)
        run_life(server, life, server.record, trial=trial)
        os.write(done, b".")
        os._exit(0)
    finally:
        os._exit(1)


def run_life(server: Server, life: Life, record: int, *, trial: bool) -> None:
    """Make an instance, let it answer, and write its record.

    Args:
        server: what the life starts from.
        life: its questions.
        record: descriptor to write to.
        trial: whether to look at what it loaded and holds.
    """
    gc.enable()
    if _TIMED:
        _SIGNALS.signal(_ALARM, _DEFAULT)
    _limit(_STARTING)
    server.watch.on = True
    known = set(sys.modules) if trial else set()
    answers = Answers(server, record)
    instance, rng = _made(server.making, life, server.ownership, answers)
    for question in life.questions:
        if not answers.answer(instance, rng, question):
            break
    server.watch.on = False
    _limit(0.0)
    scouted = _scouted(instance, server.ownership, known) if trial else None
    answers.write(Ending(answers.seconds, server.watch.sightings, scouted))


def _made(
    making: Making | None, life: Life, ownership: Ownership, answers: Answers
) -> tuple[Instance | None, Generator | None]:
    """A new instance and the generator of its calls; None where it cannot be made.

    The global generators are seeded before it is made, for what its constructor draws from them,
    and again afterwards, as it may have seeded them itself.
    """
    assert making is not None
    seed_global_generators(SeedSequence(life.entropy, spawn_key=(0,)))
    try:
        instance = making.made(answers.server.read)
    except BaseException as error:
        answers.fail_always(error)
        return None, None
    begin_anew(instance.function, SeedSequence(life.entropy, spawn_key=(1,)), ownership)
    if not instance.given:
        return instance, None
    return instance, np.random.default_rng(SeedSequence(life.entropy, spawn_key=(2,)))


class Answers:
    """The record of a life under way.

    Attributes:
        server: what the life started from.
        seconds: of its calls.
    """

    def __init__(self, server: Server, record: int) -> None:
        self.server, self.seconds = server, 0.0
        self._record, self._process = record, os.getpid()
        self._calls, self._described = 0, server.described
        self._failed: Any = None

    def answer(self, instance: Instance | None, rng: Generator | None, question: Question) -> bool:
        """Make one call and write its output; whether to go on."""
        index, size = question
        dataset = self.server.datasets[index]
        self._calls += 1
        if instance is None:
            self.write(self._failed)
            return True
        output = self._output(instance, dataset, rng, size)
        if os.getpid() != self._process:
            os._exit(0)  # a process that the function forked must not go on with this life
        self.write(output)
        dataset.check()
        return not isinstance(output, AuditError)

    def _output(
        self, instance: Instance, dataset: Dataset, rng: Generator | None, size: int
    ) -> Any:
        assert self.server.making is not None
        timeout = self.server.making.timeout
        data = dataset.given()
        _limit(timeout * times(size) if timeout else 0.0)
        started = time.perf_counter()
        try:
            return instance.output(data, rng, size)
        except AuditError as error:
            return error
        except BaseException as error:
            return self._failure(error, data)
        finally:
            self.seconds += time.perf_counter() - started

    def fail_always(self, error: BaseException) -> None:
        """The instance cannot be made: every answer is that exception."""
        cause = error.__cause__ if isinstance(error, InputError) else None
        self._failed = self._failure(cause or error, None)

    def _failure(self, error: BaseException, data: Any) -> Any:
        """An exception as an output; the first one is described for people."""
        # Loaded once somebody fails.
        from audit.outcomes.failed_run import FailedRun, failure_of

        raised = error if isinstance(error, Exception) else Exited(error)
        if not self._described:
            self._described = True
            assert self.server.making is not None
            self.write(FailedRun.of(raised, data, self._calls, self.server.making.records))
        return failure_of(raised)

    def write(self, entry: Any) -> None:
        """Add an entry to the record, whole before the next call begins."""
        content = _dumped(entry)
        left = memoryview(len(content).to_bytes(ENTRY, "little") + content)
        while left:
            left = left[os.write(self._record, left) :]


def _dumped(entry: Any) -> bytes:
    """The pickle of an output; by value where its class is known here alone."""
    try:
        return pickle.dumps(entry, 5)
    except Exception:
        import cloudpickle
    try:
        content: bytes = cloudpickle.dumps(entry)
        return content
    except Exception as error:
        kind = type(entry).__name__
        refused = OutcomeError(
            f"an output of type {kind} cannot be read ({reason_of(error)}); return numbers, "
            "texts, or lists, dicts and arrays of them"
        )
        return pickle.dumps(refused)


def _limit(seconds: float) -> None:
    """End this process in so many seconds; 0 for never."""
    if _TIMED:
        _SIGNALS.setitimer(_TIMER, seconds)


def _scouted(instance: Instance | None, ownership: Ownership, known: set[str]) -> Scouted:
    """Observations for the server of later lives."""
    new = {name: getattr(sys.modules[name], "__file__", None) for name in [*sys.modules]}
    loaded = {name: file for name, file in new.items() if name not in known}
    own = [file for name, file in loaded.items() if file and ownership.is_own(name)]
    libraries = [name for name in loaded if not ownership.is_own(name)]
    function, reading = (None, 0.0) if instance is None else (instance.function, instance.reading)
    hashes, drawn = calls_hash(function, ownership), holds_drawn(function, ownership)
    return Scouted(tuple(libraries), tuple(own), reading, hashes, drawn)


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
    ownership = Ownership(making.packages if making else ())
    watch = Watch(ownership.is_code)
    Server(requests, replies, ownership, watch, forks, making=making).serve()


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
