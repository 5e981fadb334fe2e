"""The process of whoever runs an audit, which shall find it as it was.

The generators that a whole process shares: those of `random` and of `numpy.random`.

A black box that draws from them is repeatable only if somebody seeds them. They are
seeded for a batch, and where its calls are separate, for each of a few groups of
them: calls of a group are made one after the other in one process, and each takes up
where the one before it has stopped. So calls never share a random number, whichever
side of a pair they are on, also where both sides share the generator that they are
given; and what a call draws does not depend on who made the groups before.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import random
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextvars import copy_context
from typing import Any, NamedTuple, Never

import numpy as np
from numpy.random import SeedSequence
from numpy.typing import NDArray

from audit.blackbox.interface import Exited


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
    """Handler of an alarm; None if there is none, or one that is not Python's."""
    main = threading.current_thread() is threading.main_thread()
    return signal.getsignal(signal.SIGALRM) if main and hasattr(signal, "SIGALRM") else None


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


def contained(function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    """The result of a function, with all that the auditor's own work depends on as before.

    Put back are the warning filters, the handler of Ctrl-C, and the context
    variables, where numpy keeps how it treats errors.

    An attempt to end the process with `os._exit` raises `Ended` instead, as
    the result of the audit would never be told. A process that the function
    forked ends here: it must not go on with an audit of its own.

    Outside of the main thread others may be changing the same things at the
    same time, so only forks and the context are looked after.

    Raises:
        Exited: an exception that is not an `Exception` ended it, but for KeyboardInterrupt:
            somebody's Ctrl-C must not be taken for an output.
    """
    process, end, alone = os.getpid(), os._exit, threading.get_ident() == _MAIN_THREAD

    def refused(status: int) -> Never:
        if os.getpid() != process:
            end(status)
        raise Ended(status)

    if alone:
        filters, handler = warnings.filters, _signal.getsignal(_INTERRUPT)
        held, os._exit = list(filters), refused
    try:
        return copy_context().run(function, *arguments, **named)
    except (Exception, KeyboardInterrupt):
        raise
    except BaseException as cause:
        raise Exited(cause) from cause
    finally:
        if os.getpid() != process:
            end(0)
        if alone:
            os._exit = end
            if warnings.filters is not filters or filters != held:
                filters[:] = held  # type: ignore[index]
                warnings.filters = filters
            if _signal.getsignal(_INTERRUPT) is not handler and handler is not None:
                _signal.signal(_INTERRUPT, handler)


_WORDS = 8
"""Of 32 bits, for both generators together: an audit has far more groups of calls than 32
bits can keep apart."""


def shared_by_all(generator: object) -> bool:
    """True if a generator is one of those that the whole process shares."""
    numpys = getattr(np.random.mtrand, "_rand", None)
    ours = numpys, getattr(numpys, "_bit_generator", None), getattr(random.seed, "__self__", None)
    return any(generator is one for one in ours if one is not None)


def seed_global_generators(stream: SeedSequence) -> None:
    """Let what is drawn from the global generators from now on follow from `stream`.

    Whoever calls it puts back what was there (see `left_as_found`).
    """
    seed_with(seeds_of(stream, 1)[0])


class Seeds(NamedTuple):
    """Of the global generators: Python's, and four words of 32 bits for numpy's."""

    python: int
    numpy: NDArray[np.int64]


def seeds_of(stream: SeedSequence, groups: int) -> list[Seeds]:
    """Seeds for so many groups of calls; the first are the same for any number."""
    words = stream.generate_state(_WORDS * groups).reshape(groups, 2, 4)
    # As numpy wants them, which then takes half the time.
    numpys = words[:, 0].astype(np.int64)
    pythons = (int.from_bytes(row.tobytes(), "little") for row in words[:, 1])
    return [*map(Seeds, pythons, numpys)]


def seed_with(seeds: Seeds) -> None:
    """Seed both generators."""
    random.seed(seeds.python)
    # Somebody has put a generator in its place that cannot be seeded in this way.
    with contextlib.suppress(TypeError):
        np.random.seed(seeds.numpy)  # noqa: NPY002
