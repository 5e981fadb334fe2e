"""A black box as it was before its first call, to be asked in other processes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Protocol, TypeVar

from audit.blackbox.python import PythonBlackBox
from audit.errors import AuditError
from audit.module_file import forget_files
from audit.sampling.workers.pickled import Parcel
from audit.sampling.workers.stem import Stem

T = TypeVar("T")


class Uncalled(Protocol):
    """A black box that can be copied as it was; on its way to a process it becomes a copy."""

    @property
    def files(self) -> tuple[str, ...]:
        """Python files that copies need, loaded by their path."""

    def opened(self) -> Any:
        """In another process, a copy that nobody has called."""

    def elsewhere(self, calls: Sequence[Callable[[], T]]) -> list[T] | None:
        """What each of some calls returns in another process; None where one cannot be tried."""


def uncalled(box: Any) -> Uncalled | None:
    """The black box as it is now: packed, else kept by a process; None where neither can be."""
    try:
        # A program has a process of its own, and ends with the one that has started it.
        return replace(Parcel.whole(box), apart=isinstance(box, PythonBlackBox))
    except AuditError:
        return Stem.of(box) if isinstance(box, PythonBlackBox) else None


def anew(fresh: Uncalled) -> Any:
    """In another process, a copy that nobody has called; nothing is left there of one before it."""
    forget_files(fresh.files)
    box = fresh.opened()
    getattr(box, "restart", lambda: None)()  # a program may stay from the copy before
    return box
