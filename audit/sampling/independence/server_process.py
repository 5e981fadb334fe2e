"""The audit's end of a server of lives: started, spoken to, ended."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
import warnings
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any, Never
from weakref import WeakSet

from audit.errors import BlackBoxError, reason_of
from audit.sampling.independence.lean_server import interpreter, serve_at, silence
from audit.sampling.independence.life import Making

FORKS = sys.platform == "linux"
"""Whether lives may be forks; elsewhere libraries of the system do not bear it."""
_ENDING = 5.0
"""Seconds to end in."""
_HASH_SEED = "PYTHONHASHSEED"
_ours: WeakSet[ServerProcess] = WeakSet()
"""Servers of this process, whose connections a forked one must not hold open."""


class ServerEnded(Exception):
    """A server is gone."""


class ServerProcess:
    """One server.

    Attributes:
        process: its number; 0 after its end.
        connection: to it.
    """

    def __init__(self, making: Making | None, *, forks: bool = True) -> None:
        """Start one.

        Args:
            making: of an object in this process, which is forked; None for an interpreter.
            forks: whether lives are forks; else each is an interpreter.

        Raises:
            BlackBoxError: it cannot be started.
        """
        self.connection, theirs = Pipe()
        _ours.add(self)
        self._owner = os.getpid()
        self.process = 0
        try:
            if making is None:
                call, hash_seed = f"serve({forks})", _hash_seed(forks)
                self.process = interpreter(call, theirs.fileno(), (), hash_seed)
            else:
                self.process = _forked(theirs, making)
        except (OSError, ValueError) as error:
            self._close()
            raise BlackBoxError(f"no process can be started ({reason_of(error)})") from error
        finally:
            theirs.close()

    def send(self, request: Any) -> None:
        """Send one request.

        Raises:
            ServerEnded: nobody reads it.
        """
        try:
            self.connection.send(request)
        except OSError as error:
            raise ServerEnded from error

    def read(self) -> tuple[int, int, float, bytes]:
        """Wait for a reply: number, how the life ended, seconds, record.

        Raises:
            ServerEnded: no more will come.
        """
        try:
            reply: tuple[int, int, float, bytes] = self.connection.recv()
            return reply
        except (EOFError, OSError) as error:
            raise ServerEnded from error

    def end(self) -> None:
        """End it and the life that it serves."""
        process, self.process = self.process, 0
        if process:
            self._close()
            if os.getpid() == self._owner:
                _end(process)

    def _close(self) -> None:
        _ours.discard(self)
        self.connection.close()


def _forked(connection: Connection, making: Making) -> int:
    """Fork this process, with an object that nobody has called yet."""
    with warnings.catch_warnings():
        # Threads of this process are not there.
        warnings.simplefilter("ignore", DeprecationWarning)
        process = os.fork()
    if process == 0:
        _be_a_server(connection, making)
    return process


def _hash_seed(forks: bool) -> int | None:
    """The same for all servers of forks, so that sets of texts have one order; else the user's."""
    return 0 if forks and os.environ.get(_HASH_SEED, "random") == "random" else None


def _be_a_server(connection: Connection, making: Making) -> Never:
    try:
        os.setsid()
        for server in _ours:
            server.connection.close()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        silence()
        serve_at(connection, making, forks=True)
    finally:
        os._exit(0)


def _end(process: int) -> None:
    """Wait for a server whose connection is closed, and kill one that stays."""
    deadline = time.monotonic() + _ENDING
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(process, os.WNOHANG)[0] == 0:
            if time.monotonic() > deadline:
                os.killpg(process, signal.SIGKILL)
                os.waitpid(process, 0)
                return
            time.sleep(0.002)
