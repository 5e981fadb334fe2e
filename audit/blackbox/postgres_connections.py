"""Connections to a PostgreSQL server, each with the table of one dataset."""

from __future__ import annotations

import os
import socket
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

_MOST_IDLE = 4
"""Connections that one process holds for later; a server has a hundred for everybody."""


class Connections:
    """Connections by the number of the dataset that is a table of theirs.

    One that nobody uses is kept for the same dataset: as many as were ever used at the same
    time, but four at least, of which those of the dataset that was asked for longest ago end
    first. So eight threads have sixteen at most.
    """

    def __init__(self) -> None:
        """Open nothing."""
        self._lock = threading.RLock()
        self._idle: OrderedDict[int, list[Any]] = OrderedDict()
        self._used, self._most = 0, _MOST_IDLE

    @contextmanager
    def borrowed(self, number: int, opened: Callable[[], Any]) -> Iterator[Any]:
        """One that nobody else uses meanwhile.

        What ends the context by an exception, or leaves a connection invalidated, ends that
        connection: nobody knows what else will come over it.

        Args:
            number: of the dataset.
            opened: opens one with its table, where none is left.
        """
        found = self._taken(number)
        try:
            found = opened() if found is None else found
            yield found
        except BaseException:
            self._give_back(number, found, keep=False)
            raise
        self._give_back(number, found, keep=not found.invalidated)

    def forget(self, number: int) -> None:
        """End what is kept for a dataset that nobody will ask about again."""
        with self._lock:
            ended = self._idle.pop(number, [])
        for connection in ended:
            _end(connection)

    def _taken(self, number: int) -> Any | None:
        with self._lock:
            self._used += 1
            self._most = max(self._most, self._used)
            kept = self._idle.get(number)
            if kept:
                self._idle.move_to_end(number)
                return kept.pop()
            surplus = self._surplus(self._most - 1)
        for connection in surplus:
            _end(connection)
        return None

    def _give_back(self, number: int, connection: Any | None, keep: bool) -> None:
        with self._lock:
            self._used -= 1
            if keep:
                self._idle.setdefault(number, []).append(connection)
                self._idle.move_to_end(number)
            surplus = self._surplus(self._most)
        for one in surplus if keep or connection is None else [connection, *surplus]:
            _end(one)

    def _surplus(self, most: int) -> list[Any]:
        """Those that are too many, which are kept no longer."""
        surplus = []
        while sum(map(len, self._idle.values())) > most:
            number, kept = next(iter(self._idle.items()))
            surplus += [kept.pop()] if kept else []
            if not kept:
                del self._idle[number]
        return surplus


def shut(connection: Any) -> None:
    """End a connection for whoever waits for what comes over it, in another thread."""
    number = connection.connection.dbapi_connection.pgconn.socket
    with socket.socket(fileno=os.dup(number)) as held:
        held.shutdown(socket.SHUT_RDWR)


def _end(connection: Any) -> None:
    connection.invalidate()
    connection.close()
