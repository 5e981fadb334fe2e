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
from collections.abc import Callable
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np
from numpy.random import Generator, SeedSequence

from audit.blackbox.environment import Seeds, seed_with, seeds_of
from audit.blackbox.interface import Exited
from audit.blackbox.python import PythonBlackBox
from audit.errors import AuditError, InputError, OutcomeError, reason_of
from audit.sampling.independence.life import (
    UNDER_WAY,
    Ending,
    Life,
    Making,
    Question,
    Scouted,
    Sightings,
)
from audit.sampling.independence.pickled import Dataset, checksum_of, settings_of
from audit.sampling.independence.reachable import (
    Anew,
    Ownership,
    begin_anew,
    calls_hash,
    set_from,
)

_WRITING = os.O_WRONLY | os.O_RDWR
_NAMING = ("os.rename", "os.link")
"""Events that give a file another name, by which it may be read."""
_DEVICES = ("/dev/", "/proc/", "/sys/")
_EVENTS = {
    "subprocess.Popen": "process",
    "os.system": "process",
    "os.fork": "process",
    "os.forkpty": "process",
    "os.exec": "process",
    "os.posix_spawn": "process",
    "os.spawn": "process",
    "pty.spawn": "process",
    "socket.connect": "socket",
    "socket.bind": "socket",
    "socket.sendto": "socket",
    "socket.sendmsg": "socket",
    "sqlite3.connect": "database",
    "import": "database",
}
"""Traces by the events that are always some, but for databases in memory and other imports."""
_STORES = frozenset({"_gdbm", "_dbm"})
"""Modules in C that open files of their own without an event."""


class Watch:
    """Events of this process, noted while it is on."""

    def __init__(self, ignored: Callable[[str], bool]) -> None:
        """Note nothing yet.

        Args:
            ignored: whether a path is that of installed code or data, read and never written.
        """
        self.on = False
        self._ignored = ignored
        self._events, self._read = set[str](), set[str]()
        self._written, self._fresh = set[str](), set[str]()
        sys.addaudithook(self._heard)

    @property
    def sightings(self) -> Sightings:
        """Everything noted."""
        return Sightings(frozenset(self._events), frozenset(self._read), frozenset(self._written))

    def _heard(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.on:
            return
        if event == "open":
            self._opened(arguments[0], arguments[2])
        elif event in _NAMING:
            self._written |= self._paths(arguments[1])
        elif (trace := _EVENTS.get(event)) and _leaves_traces(event, arguments):
            self._events.add(trace)

    def _opened(self, name: Any, flags: Any) -> None:
        if not isinstance(flags, int):
            return
        paths = self._paths(name)
        created = flags & os.O_EXCL and not any(map(os.path.lexists, paths))
        fresh = bool(flags & os.O_TRUNC or created)
        if not (flags & os.O_WRONLY or fresh):
            # A file that is missing, and stays so, is read by nobody.
            there = paths if flags & os.O_CREAT else {*filter(os.path.exists, paths)}
            self._read |= there - self._fresh
        if flags & _WRITING:
            self._written |= paths
        if fresh:
            self._fresh |= paths

    def _paths(self, name: Any) -> set[str]:
        """The absolute path of a file without links, if it counts."""
        if not isinstance(name, (str, bytes, os.PathLike)):
            return set()
        path = os.path.realpath(os.fsdecode(name))
        return set() if path.startswith(_DEVICES) or self._ignored(path) else {path}


def _leaves_traces(event: str, arguments: tuple[Any, ...]) -> bool:
    if event == "import":
        return arguments[0] in _STORES
    in_memory = event == "sqlite3.connect" and (not arguments[0] or ":memory:" in str(arguments[0]))
    return not in_memory


STARTING, _TRIED = 60.0, 5.0
"""Seconds for making the instance, and for a call of a trial life, which may hang."""
# The public functions turn their numbers into enums, which touches many pages of memory.
_SIGNALS: Any = importlib.import_module("_signal")
ALARM, _DEFAULT = int(signal.SIGALRM), int(signal.SIG_DFL)
_TIMER = int(signal.ITIMER_REAL)


@dataclass(slots=True)
class Start:
    """Everything that a life begins with.

    Attributes:
        making: of instances; None before it is known.
        datasets: by index.
        described: whether a failure was described already.
        ownership: of modules.
        generators: of this process, which a fork of it sets anew.
        watch: notes what a life does outside its process.
    """

    making: Making | None = None
    datasets: list[Dataset] = field(default_factory=list)
    described: bool = False
    ownership: Ownership = field(default_factory=Ownership)
    generators: list[Any] = field(default_factory=list)
    watch: Watch = field(init=False)

    def __post_init__(self) -> None:
        if self.making is not None:
            self.ownership.packages |= self.making.packages
        self.watch = Watch(self.ownership.is_installed)
        _load_time_machine()


def _load_time_machine() -> None:
    """Load time-machine, without what it can do without: each life would copy its modules."""
    unittest: Any = ModuleType("unittest")
    unittest.TestCase = object
    stand_ins = {"dateutil": None, "pytest": None, "unittest": unittest}  # None is not found
    missing = {name: held for name, held in stand_ins.items() if name not in sys.modules}
    sys.modules.update(missing)
    try:
        importlib.import_module("time_machine")
    finally:
        for name in missing:
            del sys.modules[name]


@dataclass(frozen=True, slots=True)
class Randomness:
    """Everything random in a life that follows from its entropy.

    It is computed before the life starts, as a fork pays for each page of memory that it touches.

    Attributes:
        making: seeds of the global generators, while the instance is made.
        anew: what generators begin from, once it is made.
        given: the generator of a function that takes one.
    """

    making: Seeds
    anew: Anew
    given: Generator

    @classmethod
    def of(cls, life: Life) -> Randomness:
        """That of a life."""
        making, anew, given = (SeedSequence(life.entropy, spawn_key=(k,)) for k in range(3))
        return cls(seeds_of(making, 1)[0], Anew.of(anew), np.random.default_rng(given))


def run_life(start: Start, life: Life, randomness: Randomness, record: int) -> None:
    """Make an instance, let it answer, and write its record."""
    UNDER_WAY.append(life)
    gc.enable()
    _SIGNALS.signal(ALARM, _DEFAULT)
    _limit(STARTING)
    start.watch.on = True
    known = set(sys.modules) if life.trial else set()
    if life.clock:
        sys.modules["time_machine"].travel(life.clock).start()
    answers = Answers(start, record, trial=life.trial)
    answers.make(randomness)
    for question in life.questions:
        if not answers.answer(question):
            break
    start.watch.on = False
    _limit(0.0)
    scouted = answers.scouted(known) if life.trial else None
    answers.write(Ending(answers.seconds, start.watch.sightings, scouted))


class Answers:
    """The record of a life under way.

    Attributes:
        seconds: of its calls.
    """

    def __init__(self, start: Start, record: int, *, trial: bool) -> None:
        assert start.making is not None
        self.seconds, self._trial = 0.0, trial
        self._start, self._making, self._described = start, start.making, start.described
        self._record, self._process, self._calls = record, os.getpid(), 0
        self._reading = 0.0
        self._box: PythonBlackBox | None = None
        self._rng: Any = None
        self._code: Any = None
        self._failed: Any = None

    def make(self, randomness: Randomness) -> None:
        """Make the instance; if that fails, every answer is that exception.

        The global generators are seeded before it is made, for what its constructor draws from
        them, and again afterwards, as it may have seeded them itself.
        """
        making, began = self._making, time.process_time()
        seed_with(randomness.making)
        set_from(self._start.generators, randomness.anew)
        try:
            value = self._code = making.source()
            self._reading = time.process_time() - began
            value = value() if making.factory else value
            box = PythonBlackBox(value, making.name, None, making.records, None, making.shape)
        except BaseException as error:
            cause = error.__cause__ if isinstance(error, InputError) else None
            self._failed = self._failure(cause or error, None)
            return
        begin_anew(box.function, randomness.anew, self._start.ownership)
        self._box, self._rng = box, randomness.given if box.seeded else None

    def answer(self, question: Question) -> bool:
        """Make one call and write its output; whether to go on."""
        self._calls += 1
        if self._box is None:
            self.write(self._failed)
            return True
        index, size = question
        dataset = self._start.datasets[index]
        output = self._output(self._box, dataset.given(), size)
        if os.getpid() != self._process:
            os._exit(0)  # a process that the function forked must not go on with this life
        self.write(output)
        dataset.check()
        return not isinstance(output, AuditError)

    def _output(self, box: PythonBlackBox, data: Any, size: int) -> Any:
        seconds = self._making.seconds(size)
        _limit(min(seconds or _TRIED, _TRIED) if self._trial else seconds)
        started = time.perf_counter()
        try:
            output = box.output(data, self._rng, size)
            return output[0] if box.many and size == 1 and _is_one(output) else output
        except AuditError as error:
            return error
        except BaseException as error:
            return self._failure(error, data)
        finally:
            self.seconds += time.perf_counter() - started

    def _failure(self, error: BaseException, data: Any) -> Any:
        """An exception as an output; the first one is described for people."""
        # Loaded once somebody fails.
        from audit.outcomes.failed_run import FailedRun, failure_of

        raised = error if isinstance(error, Exception) else Exited(error)
        if not self._described:
            self._described = True
            self.write(FailedRun.of(raised, data, self._calls, self._making.records))
        return failure_of(raised)

    def write(self, entry: Any) -> None:
        """Add an entry to the record, whole before the next call begins."""
        left = memoryview(_dumped(entry))
        while left:
            left = left[os.write(self._record, left) :]

    def scouted(self, known: set[str]) -> Scouted:
        """Observations for the server of later lives."""
        ownership = self._start.ownership
        loaded = [item for item in list(sys.modules.items()) if item[0] not in known]
        own = [module for name, module in loaded if ownership.is_own(name)]
        files = tuple(file for module in own if (file := getattr(module, "__file__", None)))
        libraries = tuple(name for name, _ in loaded if not ownership.is_own(name))
        contents = tuple(map(checksum_of, own))
        function = None if self._box is None else self._box.function
        hashes, settings = calls_hash(function, ownership), settings_of(self._code)
        return Scouted(libraries, files, self._reading, hashes, settings, contents)


def _is_one(output: Any) -> bool:
    """Whether this is the one output of a call for many."""
    return isinstance(output, np.ndarray) or (
        isinstance(output, (list, tuple)) and len(output) == 1
    )


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
    _SIGNALS.setitimer(_TIMER, seconds)
