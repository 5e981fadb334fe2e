"""Objects on their way to another process."""

from __future__ import annotations

import functools
import inspect
import io
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import cloudpickle

from audit.errors import BlackBoxError, reason_of
from audit.sampling.workers.processes import elsewhere
from audit.source_code import is_installed, load_files, loaded_files, module_name

T = TypeVar("T")


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
