"""The audit's end of a fork server: started, spoken to, ended."""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import subprocess
import sys
import time
import warnings
from typing import Any, Never

from audit.errors import BlackBoxError, reason_of
from audit.sampling.independence.instance import Making
from audit.sampling.independence.lean_server import LENGTH, REPLY, serve_from, silence

FORKS = hasattr(os, "fork") and sys.platform == "linux"
"""Whether lives may be forks; elsewhere libraries of the system do not bear it."""
_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
_ENDING = 5.0
"""Seconds to end in."""
_PIECE = 1 << 20
_ours: set[int] = set()
"""Descriptors of this process that a forked server must not hold open."""


class ServerEnded(Exception):
    """A server is gone."""


class ServerProcess:
    """One fork server.

    Attributes:
        process: its number; 0 after its end.
        replies: descriptor to read from.
    """

    def __init__(self, process: int, requests: int, replies: int) -> None:
        self.process, self._requests, self.replies = process, requests, replies
        self._pieces = bytearray()
        self._owner = os.getpid()
        _ours.update((requests, replies))

    @classmethod
    def lean(cls) -> ServerProcess:
        """Start an interpreter of its own.

        Raises:
            BlackBoxError: it cannot be started.
        """
        process = interpreter(forks=True)
        assert process.stdin is not None and process.stdout is not None
        requests, replies = os.dup(process.stdin.fileno()), os.dup(process.stdout.fileno())
        process.stdin.close()
        process.stdout.close()
        process.returncode = 0  # reaped by its number
        return cls(process.pid, requests, replies)

    @classmethod
    def forked(cls, making: Making) -> ServerProcess:
        """Fork this process, with an object that nobody has called yet.

        Raises:
            BlackBoxError: it cannot be forked.
        """
        theirs, requests = os.pipe()
        replies, answers = os.pipe()
        try:
            with warnings.catch_warnings():
                # Threads of this process are not there.
                warnings.simplefilter("ignore", DeprecationWarning)
                process = os.fork()
        except OSError as error:
            for descriptor in (theirs, requests, replies, answers):
                os.close(descriptor)
            raise BlackBoxError(f"no process can be started ({reason_of(error)})") from error
        if process == 0:
            _be_a_server(theirs, answers, (requests, replies), making)
        os.close(theirs)
        os.close(answers)
        return cls(process, requests, replies)

    def send(self, kind: str, content: Any = None) -> None:
        """Send one request.

        Raises:
            ServerEnded: nobody reads it.
        """
        request = pickle.dumps((kind, content), 5)
        left = memoryview(LENGTH.pack(len(request)) + request)
        if self.process == 0:
            raise ServerEnded
        try:
            while left:
                left = left[os.write(self._requests, left) :]
        except BrokenPipeError as error:
            raise ServerEnded from error

    def read(self) -> list[tuple[int, int, float, bytes]]:
        """Wait for more, and give all replies that are whole: number, status, seconds, record.

        Raises:
            ServerEnded: no more will come.
        """
        piece = os.read(self.replies, _PIECE)
        if not piece:
            raise ServerEnded
        self._pieces += piece
        return self._whole()

    def _whole(self) -> list[tuple[int, int, float, bytes]]:
        place, found = 0, []
        while len(self._pieces) - place >= REPLY.size:
            number, status, seconds, length = REPLY.unpack_from(self._pieces, place)
            end = place + REPLY.size + length
            if len(self._pieces) < end:
                break
            found.append((number, status, seconds, bytes(self._pieces[place + REPLY.size : end])))
            place = end
        del self._pieces[:place]
        return found

    def end(self) -> None:
        """End it and the life that it serves."""
        if self.process == 0:
            return
        process, self.process = self.process, 0
        for descriptor in (self._requests, self.replies):
            _ours.discard(descriptor)
            os.close(descriptor)
        if os.getpid() == self._owner:
            _end(process)


def interpreter(*, forks: bool, hash_seed: int | None = None) -> subprocess.Popen[bytes]:
    """Start an interpreter with `lean_server` at its standard input and output.

    Args:
        forks: whether it forks lives; else it is one.
        hash_seed: of its strings; None for one of its own.

    Raises:
        BlackBoxError: it cannot be started.
    """
    variables = {name: os.environ.get(name) for name in _THREADS}
    code = (
        f"import sys; sys.path[:] = {sys.path!r}; "
        f"from audit.sampling.independence.lean_server import main; main({forks}, {variables!r})"
    )
    environment = {**os.environ, **dict.fromkeys(_THREADS, "1")}
    if hash_seed is not None:
        environment["PYTHONHASHSEED"] = str(hash_seed)
    try:
        return subprocess.Popen(
            [sys.executable, "-B", "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        raise BlackBoxError(f"no interpreter can be started ({reason_of(error)})") from error


def _be_a_server(requests: int, replies: int, closed: tuple[int, ...], making: Making) -> Never:
    try:
        os.setsid()
        for descriptor in (*closed, *_ours):
            os.close(descriptor)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        silence()
        serve_from(requests, replies, making, forks=True)
    finally:
        os._exit(0)


def _end(process: int) -> None:
    """Wait for a server whose requests are closed, and kill one that stays."""
    deadline = time.monotonic() + _ENDING
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(process, os.WNOHANG)[0] == 0:
            if time.monotonic() > deadline:
                os.killpg(process, signal.SIGKILL)
                os.waitpid(process, 0)
                return
            time.sleep(0.002)
