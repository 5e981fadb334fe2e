"""A gate that lets programs and services go on only when enough of them wait before it."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

PASS = """
import socket
def wait_at(port):
    with socket.create_connection(("127.0.0.1", int(port))) as gate:
        gate.recv(1)
"""
"""The same in the language of a program: a function that returns when it is let through."""


class Gate:
    """Counts who waits, and opens for everybody at once.

    Attributes:
        port: where to wait.
        together: how many wait before it opens; 0 while it is open to everybody.
        passed: how many were let through each time it opened.
    """

    def __init__(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        self.together = 0
        self.passed: list[int] = []
        self._waiting: list[socket.socket] = []
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                self._waiting.append(self._listening.accept()[0])
                if len(self._waiting) >= self.together:
                    self._open()

    def _open(self) -> None:
        self.passed.append(len(self._waiting))
        for one in self._waiting:
            with suppress(OSError):
                one.sendall(b".")
            one.close()
        self._waiting = []

    def end(self) -> None:
        """Let everybody go."""
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self._thread.join()
        for one in self._waiting:
            one.close()


@contextmanager
def gate() -> Iterator[Gate]:
    """A gate while the context lasts."""
    found = Gate()
    try:
        yield found
    finally:
        found.end()
