"""Worker processes, replaced when they took much memory."""

from __future__ import annotations

import atexit
import os
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import Any, TypeVar

from audit.errors import BlackBoxError, reason_of

T = TypeVar("T")
_IDLE_SECONDS = 30
_LOOK_SECONDS = 0.5
"""How often a process looks whether the one it works for is still there."""
_WORK = "audit.sampling.runs"
"""What work is made of: loaded by every process before its first task, while this one goes on."""
_SAFE = "PYTHONSAFEPATH"
"""With it Python does not look into the working directory for modules of its own library."""


def in_parallel(workers: int, tasks: Iterable[Callable[[], T]]) -> Iterator[T]:
    """What each task returns, in their order, from so many processes at a time.

    Args:
        workers: how many processes; 1 for this one alone.
        tasks: calls without arguments that can be sent elsewhere.
    """
    if workers == 1:
        yield from (task() for task in tasks)
        return
    # Imported when asked for: most audits need no other process.
    from joblib import Parallel, delayed

    _expect_replacements()
    yield from Parallel(n_jobs=workers, return_as="generator")(delayed(task)() for task in tasks)


def executor_of(workers: int) -> Executor:
    """So many processes, for jobs of audits in this one."""
    _expect_replacements()
    return _kept(workers)


def forget_executors() -> None:
    """The next audit gets new processes, whatever became of those there are."""
    _kept.cache_clear()


def _expect_replacements() -> None:
    """A worker that took much memory is replaced by a fresh one, and nothing is lost by that.

    Where warnings are errors, as in many a test run, the warning of it would end the thread
    that hands out the work, and all would wait for ever. To be said for each piece of work:
    test runs put the filters back.
    """
    warnings.filterwarnings("ignore", "A worker stopped while some jobs", UserWarning)


@contextmanager
def told_if_ended() -> Iterator[None]:
    """Say so where a black box ends the process it runs in.

    Raises:
        BlackBoxError: it has.
    """
    try:
        yield
    except BrokenExecutor as error:
        raise BlackBoxError(
            f"a worker process ended in the middle of its work ({reason_of(error)}); give "
            "--workers 1, or audit it as a program with audit command",
            error,
        ) from error


@cache
def _kept(workers: int) -> Executor:
    """Processes that later audits use again, and that end when they have been idle."""
    executor: Executor = _started(workers)
    # Left to the end of the interpreter, it would complain of what is gone by then.
    atexit.register(executor.shutdown)
    return executor


def _started(workers: int) -> Any:
    """New processes of the one kind there is, whoever wants them.

    They are started as modules of a library, so that without `PYTHONSAFEPATH` a file of the
    working directory called numbers.py would be taken for the one of Python itself. Modules
    are then looked for where this process looks for them.
    """
    # Not the executor that joblib shares within a process: `audit all` needs that one for itself.
    from joblib.externals.loky import ProcessPoolExecutor

    return ProcessPoolExecutor(
        max_workers=workers,
        timeout=_IDLE_SECONDS,
        env={_SAFE: "1"},
        initializer=_prepare,
        initargs=(os.environ.get(_SAFE), os.getpid()),
    )


def _prepare(chosen: str | None, master: int) -> None:
    """Load what work needs; programs that it starts find the environment as its user left it."""
    threading.Thread(target=_end_with, args=(master,), daemon=True).start()
    if chosen is None:
        os.environ.pop(_SAFE, None)
    else:
        os.environ[_SAFE] = chosen
    import_module(_WORK)


def _end_with(master: int) -> None:
    """End this process soon after the one it works for: whoever is killed cannot say so.

    Left alone, it would go on with its work, and keep for as long as it is idle what it inherited.
    """
    while os.getppid() == master:
        time.sleep(_LOOK_SECONDS)
    os._exit(1)
