"""Containment of a function's side effects on the process, undone after each run."""

from __future__ import annotations

import importlib
import os
import signal
import threading
import warnings
from collections.abc import Callable
from contextvars import copy_context
from typing import Any, Never

# As in `limits`: every run of a mechanism passes here.
_signal = importlib.import_module("_signal")
_INTERRUPT = int(signal.SIGINT)
_MAIN_THREAD = threading.main_thread().ident


class Ended(SystemExit):
    """In place of an end of the process, which is called what that of a program is."""

    @property
    def outcome_name(self) -> str:
        """As programs have it."""
        return f"exit code {self.code}"

    def __str__(self) -> str:
        return f"os._exit({self.code}) was called"


def contained(function: Callable[..., Any], *arguments: Any) -> Any:
    """`function(*arguments)`, with all that the auditor's own work depends on as before.

    Put back are the warning filters, the handler of Ctrl-C, and the context
    variables, where numpy keeps how it treats errors.

    An attempt to end the process with `os._exit` raises `Ended` instead, as
    the result of the audit would never be told. A process that the function
    forked ends here: it must not go on with an audit of its own.

    Outside of the main thread others may be changing the same things at the
    same time, so only forks and the context are looked after.
    """
    process = os.getpid()
    if threading.get_ident() != _MAIN_THREAD:
        return _unforked(process, os._exit, function, arguments)
    end, filters, handler = os._exit, warnings.filters, _signal.getsignal(_INTERRUPT)
    held = list(filters)

    def refused(status: int) -> Never:
        if os.getpid() != process:
            end(status)
        raise Ended(status)

    os._exit = refused
    try:
        return _unforked(process, end, function, arguments)
    finally:
        os._exit = end
        if warnings.filters is not filters or filters != held:
            filters[:] = held  # type: ignore[index]
            warnings.filters = filters
        if _signal.getsignal(_INTERRUPT) is not handler and handler is not None:
            _signal.signal(_INTERRUPT, handler)


def _unforked(
    process: int,
    end: Callable[[int], Never],
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
) -> Any:
    try:
        return copy_context().run(function, *arguments)
    finally:
        if os.getpid() != process:
            end(0)
