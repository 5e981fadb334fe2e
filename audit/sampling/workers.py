"""Worker processes, replaced when they took much memory, and objects on their way to them."""

from __future__ import annotations

import atexit
import functools
import inspect
import io
import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor
from concurrent.futures import TimeoutError as Late
from contextlib import chdir, contextmanager, suppress
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import cloudpickle

from audit.errors import AuditError, BlackBoxError, reason_of
from audit.source_code import is_installed, load_files, loaded_files, module_name

T = TypeVar("T")
_IDLE_SECONDS = 30
_PATIENCE = 120.0
"""Seconds to wait for each of some calls of a black box elsewhere."""
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
    """So many processes, for jobs of audits in this one.

    Args:
        workers: how many processes.
    """
    _expect_replacements()
    return _kept(workers)


def elsewhere(calls: Sequence[Callable[[], T]], *, apart: bool = False) -> list[T] | None:
    """What each of some calls returns in one other process; None where that cannot be tried.

    Args:
        calls: without arguments, that can be sent there.
        apart: whether each has a process of its own, forked from that one where there are forks,
            so that what modules keep is its own as well.
    """
    try:
        executor, place = executor_of(1), os.getcwd()
        if apart and hasattr(os, "fork"):
            calls = [partial(_in_a_fork, call) for call in calls]
        tries = [executor.submit(_at, place, call) for call in calls]
        return [future.result(_PATIENCE) for future in tries]
    except (AuditError, BrokenExecutor, Late, OSError):
        # Who ended the process, or keeps it busy, must not be in the way of the next audit.
        forget_executors()
        return None


def _at(place: str, call: Callable[[], T]) -> T:
    """What it returns in a working directory: that of a process is the one it was started in."""
    with chdir(place):
        return call()


def _in_a_fork(call: Callable[[], T]) -> T:
    """What it returns in a process that is forked for it.

    Raises:
        AuditError: that process ended without an answer, or has none in time.
    """
    from multiprocessing import Pipe

    ours, theirs = Pipe(duplex=False)
    loaded = set(sys.modules)
    process = os.fork()
    if process == 0:
        with suppress(BaseException):
            given = call()
            theirs.send_bytes(cloudpickle.dumps((given, _libraries(set(sys.modules) - loaded))))
        os._exit(0)
    theirs.close()
    try:
        if not ours.poll(_PATIENCE):
            os.kill(process, signal.SIGKILL)
            raise AuditError("a copy of the black box did not answer in time")
        answer: T
        answer, needed = cloudpickle.loads(ours.recv_bytes())
    except EOFError:
        raise AuditError("a copy of the black box could not be called") from None
    finally:
        ours.close()
        os.waitpid(process, 0)
    for name in needed:
        # The next one finds it loaded. What belongs to the user each of them loads for itself.
        with suppress(Exception):
            import_module(name)
    return answer


def _libraries(modules: Iterable[str]) -> list[str]:
    """Those among some modules that are installed."""
    files = {name: getattr(sys.modules[name], "__file__", None) or "" for name in modules}
    return sorted(name for name, file in files.items() if is_installed(file))


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


def flush_printed() -> None:
    """Have all written that was printed here while somebody is there to read it."""
    with suppress(AttributeError, OSError, ValueError):
        sys.stdout.flush()


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


@dataclass(frozen=True, slots=True)
class Parcel:
    """Objects as bytes, and the files whose code they need.

    Attributes:
        files: Python files that were loaded by their path; they must exist where
            the parcel is opened.
        content: the objects.
        apart: whether it is opened in a process of its own each time (see `elsewhere`).
    """

    files: tuple[str, ...]
    content: bytes
    apart: bool = False

    @classmethod
    def of(cls, value: Any) -> Parcel:
        """Pack objects.

        Raises:
            BlackBoxError: they cannot travel.
        """
        try:
            content = _packed(value)
            # Other audits may have loaded files that are not needed here, and gone since.
            named = (path for path in loaded_files() if module_name(Path(path)).encode() in content)
            return cls(tuple(named), content)
        except Exception as error:
            raise BlackBoxError(
                f"the black box cannot be sent to another process ({reason_of(error)}); give "
                "--workers 1, or let it hold nothing like locks, open files and connections",
                error,
            ) from error

    @classmethod
    def whole(cls, value: Any) -> Parcel:
        """Pack a black box with the code of the module that defines its function.

        A module that this process found by ways of its own (a test's, a script's
        neighbor) need not be there in another one. Where its code cannot travel, it
        is looked for there after all.

        Raises:
            BlackBoxError: the black box cannot travel.
        """
        module = inspect.getmodule(getattr(value, "function", None))
        if module is None or not _is_own(module):
            return cls.of(value)
        cloudpickle.register_pickle_by_value(module)
        try:
            return cls.of(value)
        except BlackBoxError:
            pass
        finally:
            cloudpickle.unregister_pickle_by_value(module)
        return cls.of(value)

    def elsewhere(self, calls: Sequence[Callable[[], T]]) -> list[T] | None:
        """What each of some calls that open it returns in another process; None where that
        cannot be tried.

        Args:
            calls: without arguments, that can be sent there.
        """
        return elsewhere(calls, apart=self.apart)

    def opened(self) -> Any:
        """The objects again, as copies.

        Raises:
            BlackBoxError: what they need is not there.
        """
        try:
            load_files(self.files)
            return cloudpickle.loads(self.content)
        except Exception as error:
            raise BlackBoxError(
                f"the black box cannot be loaded in another process ({reason_of(error)}); install "
                "there what it imports, or give --workers 1",
                error,
            ) from error


class _Pickler(cloudpickle.Pickler):  # type: ignore[misc]
    """Lets functions behind a cache travel: without what it holds."""

    def reducer_override(self, value: Any) -> Any:
        """See `pickle.Pickler.reducer_override`."""
        if isinstance(value, functools._lru_cache_wrapper) and not _is_found(value):
            kept = value.cache_parameters()
            return _cached, (value.__wrapped__, kept["maxsize"], kept["typed"])
        return super().reducer_override(value)


def _packed(value: Any) -> bytes:
    stream = io.BytesIO()
    _Pickler(stream).dump(value)
    return stream.getvalue()


def _cached(function: Callable[..., Any], most: int | None, typed: bool) -> Callable[..., Any]:
    return functools.lru_cache(most, typed)(function)


def _is_found(function: Any) -> bool:
    """Whether another process finds a function by its module and its name."""
    module = sys.modules.get(function.__module__)
    if module is None or _is_own(module) or module.__name__ == "__main__":
        return False
    return getattr(module, function.__qualname__, None) is function


def _is_own(module: ModuleType) -> bool:
    """Whether a module is the user's, neither installed nor loaded by its path."""
    file = getattr(module, "__file__", None) or ""
    return module.__name__ in sys.modules and not (
        module.__name__ == "__main__" or file in loaded_files() or is_installed(file)
    )
