"""An audit hook that notes by which ways lives may reach each other outside their process.

Python raises audit events (PEP 578) before it connects, starts a process or opens a file. Only
what has an effect on another life counts: a file must be read back, so that append-only logs,
temporary files and standard streams do not.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from typing import Any

from audit.independence.life import Sightings

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
