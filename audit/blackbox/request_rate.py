"""Limit of requests a second, shared by all workers of a machine."""

from __future__ import annotations

import fcntl
import os
import struct
import tempfile
import time

from audit.errors import InputError

_TURN = struct.Struct("d")


class RequestRate:
    """Turns at equal distances; whoever takes one waits until it comes.

    The time of the next turn is in a file that is locked for a moment, so that the
    workers of an audit share one rate. Workers on other machines have one of their own.
    """

    def __init__(self, rate: float | None, file: str | None = None) -> None:
        """Say how fast.

        Args:
            rate: turns a second, None for no limit.
            file: where the time of the next turn is; a new one by default.

        Raises:
            InputError: the rate is not a positive number.
        """
        if rate is not None and not 0.0 < rate < 1e9:
            raise InputError(f"--rate {rate!r} is not a number of requests a second above 0", rate)
        self._rate = rate
        self.file = file
        if rate is not None and file is None:
            descriptor, self.file = tempfile.mkstemp(prefix="audit-rate-")
            os.close(descriptor)

    def wait(self) -> None:
        """Wait for the next turn."""
        if self._rate is None or self.file is None:
            return
        now, step = time.time(), 1.0 / self._rate
        try:
            with open(self.file, "r+b") as shared:
                fcntl.flock(shared, fcntl.LOCK_EX)
                held = shared.read(_TURN.size)
                turn = max(now, _TURN.unpack(held)[0] if len(held) == _TURN.size else now)
                shared.seek(0)
                shared.write(_TURN.pack(turn + step))
        except FileNotFoundError:  # the audit has ended, or somebody has tidied up
            turn = now + step
        time.sleep(turn - now)

    def end(self) -> None:
        """Leave nothing behind."""
        if self.file is not None and os.path.exists(self.file):
            os.unlink(self.file)
