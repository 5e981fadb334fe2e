"""The way to make fresh instances of a black box, chosen by trial lives."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from audit.blackbox.callables import shape_of
from audit.blackbox.python import PythonBlackBox
from audit.errors import BlackBoxError, reason_of
from audit.sampling.independence.instance import AtAddress, Held, Making, Pickled, defining
from audit.sampling.independence.lean_server import CRASHED, DONE, LATE, LENGTH, QUIT, seconds_of
from audit.sampling.independence.life import Life
from audit.sampling.independence.reachable import Ownership, catalog_packages
from audit.sampling.independence.server_process import FORKS, ServerProcess, interpreter
from audit.sampling.independence.trial import Unfit, Way


class Alone:
    """Starts an interpreter for each life.

    Attributes:
        workers: interpreters at the same time.
    """

    def __init__(self, making: Making, datasets: list[Any], workers: int) -> None:
        """Start nothing yet.

        Args:
            making: of instances.
            datasets: pickled.
            workers: interpreters at the same time.
        """
        self.workers = workers
        self._making, self._datasets = making, list(datasets)
        self._running: set[subprocess.Popen[bytes]] = set()
        self._lock, self._closed = threading.Lock(), False

    def add_dataset(self, dataset: Any) -> None:
        """One more, pickled."""
        self._datasets.append(dataset)

    def live(self, life: Life, hash_seed: int | None = None) -> tuple[int, float, bytes]:
        """One life.

        Args:
            life: its questions.
            hash_seed: of its strings.

        Returns:
            How it ended, its seconds, and its record.

        Raises:
            BlackBoxError: it cannot be started.
        """
        requests = [("making", self._making), *(("dataset", d) for d in self._datasets)]
        framed = b"".join(map(_framed, [*requests, ("lives", [life])]))
        started = time.perf_counter()
        with self._lock:
            if self._closed:
                return QUIT, 0.0, b""
            process = interpreter(forks=False, hash_seed=hash_seed)
            self._running.add(process)
        try:
            status, record = _ended(process, framed, seconds_of(self._making, life))
        finally:
            _kill(process)
            self._running.discard(process)
        return status, time.perf_counter() - started, record

    def close(self) -> None:
        """End all lives."""
        with self._lock:
            self._closed = True
            for process in list(self._running):
                _kill(process)


def _framed(request: Any) -> bytes:
    content = pickle.dumps(request, 5)
    return LENGTH.pack(len(content)) + content


def _ended(
    process: subprocess.Popen[bytes], requests: bytes, seconds: float | None
) -> tuple[int, bytes]:
    """How a life ended, and its record."""
    try:
        record, _ = process.communicate(requests, timeout=seconds)
    except subprocess.TimeoutExpired:
        _kill(process)
        return LATE, process.communicate()[0]
    code = process.returncode
    if code == -getattr(signal, "SIGALRM", 0):
        return LATE, record
    return (DONE if code == 0 else CRASHED), record


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process with all that it started."""
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


SHARED_IMPORT, SHARED_CONSTRUCTOR = "shared-import", "shared-constructor"


@dataclass(slots=True)
class Choice:
    """How lives are made.

    Attributes:
        way: of the servers; None where every life is an interpreter.
        servers: all of them.
        alone: instances in interpreters; None where the object is in this process alone.
        assumptions: ids of what is assumed.
        cloned: whether forks share a hash seed that the user's code asks for.
    """

    way: Way | None
    servers: list[ServerProcess]
    alone: Alone | None
    assumptions: tuple[str, ...]
    cloned: bool = False


@dataclass(frozen=True, slots=True)
class Chooser:
    """A black box, and all that its fresh instances need.

    Attributes:
        box: the black box.
        datasets: pickled.
        workers: servers.
        timeout: seconds for one output.
        ownership: of modules.
    """

    box: PythonBlackBox
    datasets: list[Pickled]
    workers: int
    timeout: float | None
    ownership: Ownership = field(default_factory=lambda: Ownership(catalog_packages()))

    def chosen(self) -> Choice:
        """Try ways in order, the one with fewest assumptions first.

        Raises:
            BlackBoxError: none works.
        """
        try:
            making = self._making(self._pickled())
        except Exception as error:  # whatever pickling an object of somebody's own raises
            return self._of_this_process(reason_of(error))
        alone = Alone(making, self.datasets, self.workers)
        if not FORKS:
            return Choice(None, [], alone, () if self._is_made_anew else (SHARED_CONSTRUCTOR,))
        try:
            lean = Way.lean(making, self.datasets)
        except Unfit as error:
            return self._of_this_process(str(error))
        if lean.scouted.hashes:
            lean.server.end()
            return Choice(None, [], alone, self._assumed(replace(lean, shares_import=False)))
        if self._is_made_anew or self._is_installed or self._agrees(lean):
            return Choice(lean, self._servers(lean), alone, self._assumed(lean))
        lean.server.end()
        return self._of_this_process("its answers there are others")

    @property
    def _is_made_anew(self) -> bool:
        """Whether every life makes the object, so that nothing of it was drawn before."""
        return self.box.factory is not None or self.box._source is not None

    @property
    def _is_installed(self) -> bool:
        """Whether the code of an object is found by its name in any process."""
        module = defining(self.box.function)
        return module is not None and not self.ownership.is_own(module.__name__)

    def _assumed(self, way: Way) -> tuple[str, ...]:
        drawn = way.scouted.drawn and not self._is_made_anew
        found = {SHARED_IMPORT: way.shares_import, SHARED_CONSTRUCTOR: drawn}
        return tuple(name for name, true in found.items() if true)

    def _making(self, source: Any) -> Making:
        made = self.box.factory is not None
        packages = self.ownership.packages
        shape = None if made else shape_of(self.box.function, self.box.name)
        return Making(source, made, self.box.records, self.timeout, packages, shape)

    def _pickled(self) -> AtAddress | Pickled:
        if self.box.factory is not None:
            return Pickled.of(self.box.factory, self.box.factory, self.ownership)
        if self.box._source is not None:
            return AtAddress.of(self.box._source)
        return Pickled.of(self.box.function, self.box.function, self.ownership)

    def _forked(self) -> Way:
        held = self.box.function if self.box.factory is None else self.box.factory
        return Way.forked(self._making(Held(held)), self.datasets)

    def _agrees(self, lean: Way) -> bool:
        """Whether first answers from given seeds are the same in a fork of this process."""
        try:
            forked = self._forked()
        except Unfit:
            return True  # there is nothing else to compare with
        forked.server.end()
        return pickle.dumps(forked.answers) == pickle.dumps(lean.answers)

    def _of_this_process(self, reason: str) -> Choice:
        """Forks of this process, with the object as it is."""
        try:
            if not FORKS:
                raise Unfit("this system has no safe forks")
            way = self._forked()
        except Unfit as error:
            raise BlackBoxError(
                f"no fresh instance of {self.box.name} can be made: not in another interpreter "
                f"({reason}), nor by a fork ({error}); give factory= (a function that makes it), "
                "or assume independent calls (--assume independent-calls)",
                self.box,
            ) from error
        read = (SHARED_IMPORT,) if self.box._source is not None else ()
        made = () if self.box.factory is not None else (SHARED_CONSTRUCTOR,)
        return Choice(way, self._servers(way), None, read or made, way.scouted.hashes)

    def _servers(self, way: Way) -> list[ServerProcess]:
        return [way.server, *(another(way) for _ in range(1, self.workers))]


def another(way: Way) -> ServerProcess:
    """One more server that makes instances in the same way.

    Raises:
        BlackBoxError: it cannot be started.
    """
    held = isinstance(way.making.source, Held)
    server = ServerProcess.forked(way.making) if held else ServerProcess.lean()
    for kind, content in way.history:
        server.send(kind, content)
    return server


def pickled_datasets(
    box: PythonBlackBox, datasets: Sequence[Any], ownership: Ownership
) -> list[Pickled]:
    """Datasets as they are sent to other processes.

    Raises:
        BlackBoxError: one of them cannot be sent.
    """
    try:
        return [Pickled.of(data, box.function, ownership) for data in datasets]
    except Exception as error:
        raise BlackBoxError(
            f"a dataset cannot be sent to fresh instances ({reason_of(error)}); give records of "
            "numbers, texts and plain objects"
        ) from error
