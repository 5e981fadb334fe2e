"""Whether a black box changes with a call.

A box with a generator, a cache or a counter of its own gives draws that depend on
each other through it. Copied into several processes, the same noise is drawn many
times over; continued from a store, it starts anew. What a box carries is compared
before and after calls. Equal bytes are necessary for a box without state, not
sufficient: what lies in other modules, in files, in C or behind a connection is not
seen. So before anything is drawn elsewhere it is tried what comes of that (`own_source`).
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import inspect
import io
import sys
import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import cloudpickle

from audit.module_file import is_installed

_ALWAYS = 4
"""So many batches are compared one by one, later ones where their number is a power of two."""
_DEEPEST = 6


def carried(box: Any) -> bytes | None:
    """A checksum of what a black box carries now; None where that cannot be told."""
    state = getattr(box, "state", None)
    found: bytes | None = None if state is None else state()
    return found


def state_of(function: Any) -> bytes | None:
    """A checksum of all that a call of this function could have changed.

    That is the object it is a method of, its defaults, what its closure holds, and
    the variables of its module that its code names; the same for the functions of
    that module that it names, and so on.

    Returns:
        None where nothing of it can be serialized.
    """
    hashed, told = hashlib.blake2b(digest_size=16), False
    for part in _carried(function, set(), 0):
        told = told or part is not None
        hashed.update(part or b"?")
    return hashed.digest() if told else None


def _carried(value: Any, seen: set[int], depth: int) -> Iterator[bytes | None]:
    """Checksums of what a callable carries; functions are taken apart, modules left out."""
    if id(value) in seen or depth > _DEEPEST or isinstance(value, types.ModuleType):
        return
    seen.add(id(value))
    if isinstance(value, functools.partial):
        yield from _all(seen, depth, value.func, *value.args, *value.keywords.values())
    elif isinstance(value, types.MethodType):
        yield from _all(seen, depth, value.__self__, value.__func__)
    elif hasattr(value, "cache_info"):
        yield _serialized(tuple(value.cache_info()))
        yield from _carried(getattr(value, "__wrapped__", None), seen, depth + 1)
    elif isinstance(value, types.FunctionType):
        yield from _of_function(value, seen, depth)
    elif not inspect.isclass(value):
        yield from _of_object(value, seen, depth)


def _of_object(value: Any, seen: set[int], depth: int) -> Iterator[bytes | None]:
    """An object as it would travel, else attribute by attribute; and what its callables carry.

    An object that says itself how it is serialized says what belongs to it.
    """
    # Looked at first: an exception has no attributes until somebody asks for them.
    held = vars(value).values() if hasattr(value, "__dict__") else ()
    whole = _serialized(value)
    yield whole
    yield from _all(seen, depth, *(v for v in held if whole is None or callable(v)))
    if callable(value):
        yield from _all(seen, depth, type(value).__dict__.get("__call__"))


def _all(seen: set[int], depth: int, *values: Any) -> Iterator[bytes | None]:
    for value in values:
        yield from _carried(value, seen, depth + 1)


def _of_function(
    function: types.FunctionType, seen: set[int], depth: int
) -> Iterator[bytes | None]:
    """Closure, defaults, attributes, and the module's variables that the code names."""
    cells = [_content(cell) for cell in function.__closure__ or ()]
    defaults = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
    yield from _all(seen, depth, *cells, *defaults, *vars(function).values())
    if _is_library(function.__module__):
        return
    named = (function.__globals__.get(name) for name in sorted(_names(function.__code__)))
    yield from _all(seen, depth, *(value for value in named if value is not None))


def _content(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not filled yet
        return None


def _names(code: types.CodeType) -> set[str]:
    """All names that a piece of code or a function inside it may look up."""
    inner = [part for part in code.co_consts if isinstance(part, types.CodeType)]
    return set(code.co_names).union(*map(_names, inner))


@functools.cache
def _is_library(module: str | None) -> bool:
    """Whether a module is installed; what libraries keep in their modules is their own affair."""
    file = getattr(sys.modules.get(module or ""), "__file__", None) or ""
    return is_installed(file)


def _serialized(value: Any) -> bytes | None:
    stream = io.BytesIO()
    with contextlib.suppress(Exception):
        cloudpickle.CloudPickler(stream).dump(value)
        return hashlib.blake2b(stream.getbuffer(), digest_size=16).digest()
    return None


@dataclass(slots=True)
class Watch:
    """Compares what a black box carries between batches, often at first, then now and then.

    The first batch may prepare things once and for all; it is not compared.

    Attributes:
        batches: how many were looked at.
        before: what the black box carried when it was last looked at.
        bound: why one process has to draw everything, in order, as a sentence; empty where
            any may draw, None before that was tried.
        idle: whether nothing is compared, because somebody else does (see `Passage`).
    """

    batches: int = 0
    before: bytes | None = None
    bound: str | None = None
    idle: bool = False

    @property
    def settled(self) -> bool:
        """Whether enough batches were compared to send the black box elsewhere."""
        return self.batches >= _ALWAYS

    def changed(self, box: Any) -> bool:
        """Whether a batch that was just drawn has changed the black box."""
        self.batches += 1
        if self.idle or (self.batches > _ALWAYS and self.batches & (self.batches - 1)):
            return False
        now = carried(box)
        before, self.before = self.before, now
        return before is not None and now is not None and before != now

    def __reduce__(self) -> tuple[type[Watch], tuple[int, None, None, bool]]:
        """Elsewhere, all that is done there is compared as a whole."""
        return Watch, (0, None, None, True)
