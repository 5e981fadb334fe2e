"""A black box that cannot travel, as it was before its first call: a process forked off by then.

What holds a lock, a connection or an iterator that is under way cannot be packed. A process that
is forked before the first call holds all of it as it was, and each process that this one forks in
turn is a copy that nobody has called. There is none where the system has no forks.
"""

from __future__ import annotations

import os
import pickle
import signal
import warnings
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Never, TypeVar

import cloudpickle

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

T = TypeVar("T")
_PATIENCE = 120.0
"""Seconds to wait for what one copy gives."""
_FAILED = b""
"""What is no answer."""
_ANSWERED = 77
"""Exit code of who has sent an answer: others may end a process with 0."""
_here: list[Any] = []
"""In a forked process, the black box."""


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Stem:
    """Copies of a black box, each in a process of its own.

    On its way to one of them it becomes the `Copy` that is there.

    Attributes:
        process: its number.
        connection: to it.
    """

    process: int
    connection: Connection

    @classmethod
    def of(cls, box: Any) -> Stem | None:
        """Fork a process that keeps the black box as it is; None where none can be forked."""
        if not hasattr(os, "fork"):
            return None
        # Imported when asked for: most black boxes can be packed.
        from multiprocessing import Pipe

        ours, theirs = Pipe()
        try:
            with warnings.catch_warnings():
                # Threads of this process are not there; the black box has none before its calls.
                warnings.simplefilter("ignore", DeprecationWarning)
                process = os.fork()
        except OSError:
            ours.close()
            theirs.close()
            return None
        if process == 0:
            ours.close()
            _stay(box, theirs)
        theirs.close()
        made = cls(process, ours)
        weakref.finalize(made, _end, process, ours, os.getpid())
        return made

    @property
    def files(self) -> tuple[str, ...]:
        """Files whose code would have to be loaded there: all is loaded already."""
        return ()

    def opened(self) -> Any:
        """See `Copy.opened`.

        Raises:
            RuntimeError: this is no copy.
        """
        raise RuntimeError("the black box is opened in another process")

    def elsewhere(self, calls: Sequence[Callable[[], T]]) -> list[T] | None:
        """What each of some calls returns beside a copy of its own; None where one cannot.

        Args:
            calls: without arguments, that can be packed.
        """
        given = []
        for call in calls:
            try:
                self.connection.send_bytes(cloudpickle.dumps(call))
                if not self.connection.poll(_PATIENCE):
                    # What it may answer later belongs to no other question.
                    self.connection.close()
                    return None
                given.append(cloudpickle.loads(self.connection.recv_bytes()))
            except (EOFError, OSError, pickle.UnpicklingError):
                return None
        return given

    def __reduce__(self) -> tuple[Any, ...]:
        return _copy, ()


@dataclass(frozen=True, slots=True)
class Copy:
    """The black box of a forked process."""

    box: Any

    @property
    def files(self) -> tuple[str, ...]:
        """See `Stem.files`."""
        return ()

    def opened(self) -> Any:
        """The black box, which was not called yet."""
        return self.box


def _copy() -> Copy:
    return Copy(*_here)


def _stay(box: Any, connection: Connection) -> Never:
    """Fork a process for each call that comes, until there is nobody any more who sends one."""
    with suppress(BaseException):
        # Nobody but this group is to be ended where a copy hangs, and Ctrl-C is not meant for it.
        os.setpgid(0, 0)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        _here.append(box)
        while True:
            call = connection.recv_bytes()
            process = os.fork()
            if process == 0:
                with suppress(BaseException):
                    connection.send_bytes(cloudpickle.dumps(cloudpickle.loads(call)()))
                    os._exit(_ANSWERED)
                os._exit(1)
            if os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) != _ANSWERED:
                connection.send_bytes(_FAILED)
    os._exit(0)


def _end(process: int, connection: Connection, owner: int) -> None:
    connection.close()
    if os.getpid() != owner:
        return
    with suppress(OSError):
        os.killpg(process, signal.SIGKILL)
    with suppress(OSError):
        os.kill(process, signal.SIGKILL)
    with suppress(OSError):
        os.waitpid(process, 0)
