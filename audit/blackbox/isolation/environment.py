"""The process of whoever runs an audit, which shall find it as it was."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import sys
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np


@contextlib.contextmanager
def left_as_found() -> Iterator[None]:
    """Undo what black boxes did to this process meanwhile.

    Put back are the folder, the environment, the standard streams, the limit of
    recursion, the handler of alarms, and the global generators of `random` and
    numpy: somebody's own random numbers must not depend on whether an audit was
    run before.
    """
    folder = _folder()
    environment = dict(os.environ)
    streams = sys.stdout, sys.stderr, sys.stdin
    recursion = sys.getrecursionlimit()
    handler = _alarm_handler()
    # The generator that everybody shares is the one that is meant here.
    generators = random.getstate(), np.random.get_state(legacy=False)  # noqa: NPY002
    try:
        yield
    finally:
        sys.setrecursionlimit(recursion)
        sys.stdout, sys.stderr, sys.stdin = streams
        random.setstate(generators[0])
        np.random.set_state(generators[1])  # noqa: NPY002
        if handler is not None and handler is not _alarm_handler():
            signal.signal(signal.SIGALRM, handler)
        if dict(os.environ) != environment:
            os.environ.clear()
            os.environ.update(environment)
        if folder is not None and _folder() != folder:
            # It may be gone by now, and what the audit found is worth more.
            with contextlib.suppress(OSError):
                os.chdir(folder)


def _folder() -> str | None:
    try:
        return os.getcwd()
    except OSError:  # somebody removed it
        return None


def _alarm_handler() -> Any:
    """Handler of an alarm; None if there is none, or one that is not Python's.

    A call with a time limit puts it back itself, unless Ctrl-C keeps it from that.
    """
    main = threading.current_thread() is threading.main_thread()
    return signal.getsignal(signal.SIGALRM) if main and hasattr(signal, "SIGALRM") else None
