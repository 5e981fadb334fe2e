"""A life in a process of its own: make an instance, let it answer, write the record.

The hook: Python raises audit events (PEP 578) before it connects, starts a process or opens a file.
Only what has an effect on another life counts: a file must be read back, so that append-only logs,
temporary files and standard streams do not.
"""

from __future__ import annotations

import gc
import importlib
import os
import pickle
import signal
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.random import Generator, SeedSequence

from audit.blackbox.interface import Exited
from audit.blackbox.isolation.environment import seed_global_generators
from audit.errors import AuditError, InputError, OutcomeError, reason_of
from audit.sampling.independence.instance import Dataset, Instance, Making
from audit.sampling.independence.life import ENTRY, Ending, Life, Question, Scouted, Sightings
from audit.sampling.independence.reachable import Ownership, begin_anew, calls_hash, holds_drawn

_WRITING = os.O_WRONLY | os.O_RDWR
_FRESH = os.O_TRUNC | os.O_EXCL
_DEVICES = ("/dev/", "/proc/", "/sys/")
_IN_MEMORY = ("", ":memory:", b"", b":memory:")
_PROCESSES = (
    "subprocess.Popen",
    "os.system",
    "os.fork",
    "os.forkpty",
    "os.exec",
    "os.posix_spawn",
    "os.spawn",
    "pty.spawn",
)
_SOCKETS = ("socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg")
_STORES = frozenset({"_gdbm", "_dbm"})
"""Modules in C that open files of their own without an event."""


class Watch:
    """Events of this process, noted while it is on.

    Attributes:
        on: whether events are noted.
    """

    def __init__(self, ignored: Callable[[str], bool]) -> None:
        """Note nothing yet.

        Args:
            ignored: whether a path belongs to a library, which is read and never written.
        """
        self.on = False
        self._ignored = ignored
        self._events: set[str] = set()
        self._read: set[str] = set()
        self._written: set[str] = set()
        self._fresh: set[str] = set()
        self._handlers: Mapping[str, Callable[[tuple[Any, ...]], None]] = {
            **dict.fromkeys(_PROCESSES, lambda _: self._events.add("process")),
            **dict.fromkeys(_SOCKETS, lambda _: self._events.add("socket")),
            "sqlite3.connect": self._connected,
            "import": self._imported,
            "os.rename": self._renamed,
            "open": self._opened,
        }
        sys.addaudithook(self._heard)

    @property
    def sightings(self) -> Sightings | None:
        """Everything noted; None for nothing."""
        if not (self._events or self._read or self._written):
            return None
        return Sightings(frozenset(self._events), frozenset(self._read), frozenset(self._written))

    def _heard(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self.on and (handler := self._handlers.get(event)) is not None:
            handler(arguments)

    def _connected(self, arguments: tuple[Any, ...]) -> None:
        if arguments[0] not in _IN_MEMORY and ":memory:" not in str(arguments[0]):
            self._events.add("database")

    def _imported(self, arguments: tuple[Any, ...]) -> None:
        if arguments[0] in _STORES:
            self._events.add("database")

    def _renamed(self, arguments: tuple[Any, ...]) -> None:
        if (path := self._path(arguments[1])) is not None:
            self._written.add(path)

    def _opened(self, arguments: tuple[Any, ...]) -> None:
        path, flags = self._path(arguments[0]), arguments[2]
        if path is None or not isinstance(flags, int):
            return
        writes, fresh = bool(flags & _WRITING), bool(flags & _FRESH)
        reads = not flags & os.O_WRONLY
        if reads and not fresh and path not in self._fresh:
            self._read.add(path)
        if writes:
            self._written.add(path)
        if fresh:
            self._fresh.add(path)

    def _path(self, name: Any) -> str | None:
        """The absolute path of a file that counts."""
        if not isinstance(name, (str, bytes, os.PathLike)):
            return None
        path = os.path.abspath(os.fsdecode(name))
        return None if path.startswith(_DEVICES) or self._ignored(path) else path


STARTING = 60.0
"""Seconds for making the instance."""
# The public functions turn their numbers into enums, which touches many pages of memory.
_SIGNALS: Any = importlib.import_module("_signal")
_TIMED = hasattr(signal, "setitimer")
ALARM, _DEFAULT = (int(signal.SIGALRM), int(signal.SIG_DFL)) if _TIMED else (0, 0)
_TIMER = int(signal.ITIMER_REAL) if _TIMED else 0
_OUTPUTS_IN_TIME = 1 << 14
"""Outputs of one call that the time for one output is enough for."""


@dataclass(slots=True)
class Start:
    """Everything that a life begins with.

    Attributes:
        ownership: of modules.
        watch: notes what a life does outside its process.
        making: of instances; None before it is known.
        datasets: by index.
        read: what was read once for all lives.
        described: whether a failure was described already.
    """

    ownership: Ownership
    watch: Watch
    making: Making | None = None
    datasets: list[Dataset] = field(default_factory=list)
    read: Any = None
    described: bool = False


def times(size: int) -> float:
    """How many times the limit for one output a call for many may take."""
    return max(1.0, size / _OUTPUTS_IN_TIME)


def load_time_machine() -> None:
    """Load time-machine, without pytest where nobody has: each life would copy its modules."""
    absent = "pytest" not in sys.modules
    if absent:
        sys.modules["pytest"] = None  # type: ignore[assignment]  # cannot be imported
    try:
        importlib.import_module("time_machine")
    finally:
        if absent:
            del sys.modules["pytest"]


def _travel_to(clock: float) -> None:
    import time_machine

    time_machine.travel(clock).start()


def run_life(start: Start, life: Life, record: int, *, trial: bool) -> None:
    """Make an instance, let it answer, and write its record.

    Args:
        start: what it begins with.
        life: its questions.
        record: descriptor to write to.
        trial: whether to look at what it loaded and holds.
    """
    gc.enable()
    if _TIMED:
        _SIGNALS.signal(ALARM, _DEFAULT)
    _limit(STARTING)
    start.watch.on = True
    known = set(sys.modules) if trial else set()
    if life.clock:
        _travel_to(life.clock)
    answers = Answers(start, record)
    instance, rng = _made(start.making, life, start.ownership, answers)
    for question in life.questions:
        if not answers.answer(instance, rng, question):
            break
    start.watch.on = False
    _limit(0.0)
    scouted = _scouted(instance, start.ownership, known) if trial else None
    answers.write(Ending(answers.seconds, start.watch.sightings, scouted))


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
        instance = making.made(answers.start.read)
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
        start: what the life began with.
        seconds: of its calls.
    """

    def __init__(self, start: Start, record: int) -> None:
        self.start, self.seconds = start, 0.0
        self._record, self._process = record, os.getpid()
        self._calls, self._described = 0, start.described
        self._failed: Any = None

    def answer(self, instance: Instance | None, rng: Generator | None, question: Question) -> bool:
        """Make one call and write its output; whether to go on."""
        index, size = question
        dataset = self.start.datasets[index]
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
        assert self.start.making is not None
        timeout = self.start.making.timeout
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
            assert self.start.making is not None
            self.write(FailedRun.of(raised, data, self._calls, self.start.making.records))
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
