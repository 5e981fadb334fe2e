"""Lives in interpreters of their own: where there are no forks, or forks would be clones."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import threading
import time
from contextlib import suppress
from typing import Any

from audit.independence.instance import Making
from audit.independence.lean_server import CRASHED, DONE, LATE, LENGTH, QUIT, seconds_of
from audit.independence.life import Life
from audit.independence.server_process import interpreter


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
