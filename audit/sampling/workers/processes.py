"""Processes that take work from this one and are replaced when they took much memory."""

from __future__ import annotations

import atexit
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from functools import cache
from typing import TypeVar

T = TypeVar("T")
_IDLE_SECONDS = 30


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
    """So many processes, for jobs of audits in this one.

    Args:
        workers: how many processes.
    """
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


@cache
def _kept(workers: int) -> Executor:
    """Processes that later audits use again, and that end when they have been idle."""
    # Not the executor that joblib shares within a process: `audit all` needs that one for itself.
    from joblib.externals.loky import ProcessPoolExecutor

    executor: Executor = ProcessPoolExecutor(max_workers=workers, timeout=_IDLE_SECONDS)
    # Left to the end of the interpreter, it would complain of what is gone by then.
    atexit.register(executor.shutdown)
    return executor
