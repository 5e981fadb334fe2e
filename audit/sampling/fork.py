"""A fork of this process that makes calls of a function, which may crash there."""

from __future__ import annotations

import gc
import io
import os
import pickle
import signal
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Self, TypeVar

import cloudpickle
from numpy.random import SeedSequence

from audit.blackbox.output import illegible
from audit.blackbox.python import PythonBlackBox
from audit.errors import AuditError
from audit.sampling.independence.lean_server import DONE, REPLY, end_with_parent, receive
from audit.sampling.independence.missing_outcome import Crashed
from audit.sampling.independence.reachable import Ownership, begin_anew
from audit.sampling.independence.server_process import ServerEnded, ServerProcess
from audit.sampling.workers import flush_printed

T = TypeVar("T")


class Fork:
    """A fork of this process, with a black box as it was before its first call.

    What calls leave there stays until one of them ends the fork. The next one begins with
    generators in other states. A context manager.
    """

    def __init__(self, box: PythonBlackBox, seed: int) -> None:
        """Start nothing yet."""
        self._box, self._seed, self._crashes = box, seed, 0
        self._server: ServerProcess | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def __call__(self, work: Callable[[], T]) -> T:
        """See `Place`."""
        if self._server is None:
            flush_printed()
            self._server = ServerProcess.fork(self._serve)
        try:
            self._server.send("work", _packed(work, self._box))
            while not (replies := self._server.read()):
                pass
        except ServerEnded:
            self._crashes += 1
            self._end()
            raise Crashed from None
        except BaseException:
            self._end()  # its reply would be taken for that to the next work
            raise
        done: T
        done, error, self._box._patience = _unpacked(replies[0][-1], self._box)
        if error is not None:
            raise error
        return done

    def _end(self) -> None:
        """End the fork, whatever it does."""
        server, self._server = self._server, None
        if server is None:
            return
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(server.process, signal.SIGKILL)
        server.end()

    def _serve(self, requests: int, replies: int) -> None:
        """In the fork: do what is asked."""
        end_with_parent()
        gc.freeze()  # garbage may close what this process still uses
        if self._crashes:
            stream = SeedSequence(self._seed, spawn_key=(self._crashes,))
            begin_anew(self._box.function, stream, Ownership())
        with open(replies, "wb") as answers:
            while (request := receive(requests)) is not None:
                content = self._answer(request[1])
                flush_printed()
                answers.write(REPLY.pack(0, DONE, 0.0, len(content)) + content)
                answers.flush()

    def _answer(self, content: bytes) -> bytes:
        try:
            done = _unpacked(content, self._box)()
            return _packed((done, None, self._box._patience), self._box)
        except (AuditError, KeyboardInterrupt, MemoryError) as raised:
            error: BaseException = raised
        except BaseException as raised:  # somebody's own class may refuse in any way
            error = illegible(raised)
        return _packed((None, error, self._box._patience), self._box)


def _packed(value: Any, box: PythonBlackBox) -> bytes:
    """Pickled but for the black box, which the fork has."""
    try:
        return _pickled(pickle.Pickler, value, box)
    except Exception:  # a class or a function that is known here alone; this takes longer
        return _pickled(cloudpickle.Pickler, value, box)


def _pickled(kind: Any, value: Any, box: PythonBlackBox) -> bytes:
    pickler = kind(stream := io.BytesIO(), 5)
    pickler.persistent_id = lambda part: True if part is box else None
    pickler.dump(value)
    return stream.getvalue()


def _unpacked(content: bytes, box: PythonBlackBox) -> Any:
    unpickler: Any = pickle.Unpickler(io.BytesIO(content))
    unpickler.persistent_load = lambda _: box
    return unpickler.load()
