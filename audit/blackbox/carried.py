"""What a function carries from call to call: all that a call of it could have changed."""

from __future__ import annotations

import contextlib
import dis
import functools
import hashlib
import inspect
import io
import random
import sys
import types
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any

import cloudpickle
from numpy.random import BitGenerator, Generator, RandomState

from audit.blackbox.code_objects import code_objects
from audit.blackbox.isolation.global_generators import shared_by_all
from audit.module_file import is_installed

_DEEPEST = 6
_OF_THE_MODULE = ("LOAD_GLOBAL", "LOAD_NAME", "STORE_GLOBAL")


@dataclass(frozen=True, slots=True)
class Contents:
    """All that a call of a function could have changed.

    Attributes:
        checksum: of all of it; None where nothing of it can be serialized.
        generators: among it: bit generators of numpy, its `RandomState`s, `random.Random`s, and
            generators of somebody's own kind, also those that the whole process shares. Their
            order depends on nothing but how the function is made.
        whole: whether all of it could be serialized.
        cached: whether a cache is among it that holds something, which nobody can look at.
    """

    checksum: bytes | None
    generators: tuple[Any, ...]
    whole: bool
    cached: bool


def contents_of(function: Any, but: Collection[Any] | None = ()) -> Contents:
    """All that a call of this function could have changed.

    That is the object it is a method of, its defaults, what its closure holds, and
    the variables of its module that its code names; the same for the functions of
    that module that it names, and so on.

    Args:
        function: what is called.
        but: generators of it that do not count, however far they have come; None for all.
    """
    hashed, told, whole = hashlib.blake2b(digest_size=16), False, True
    walk = _Walk(None if but is None else frozenset(map(id, but)))
    for part in walk.over(function):
        told, whole = told or part is not None, whole and part is not None
        hashed.update(part or b"?")
    checksum = hashed.digest() if told else None
    return Contents(checksum, tuple(walk.found.values()), whole, walk.cached)


def state_of(function: Any, but: Collection[Any] = ()) -> bytes | None:
    """A checksum of all that a call of this function could have changed (see `contents_of`)."""
    return contents_of(function, but).checksum


def held_by(box: Any) -> bytes | None:
    """A checksum of all that a call of a black box's function could have changed but generators.

    None where that cannot be told.
    """
    function = getattr(box, "function", None)
    return None if function is None else contents_of(function, but=None).checksum


def generators_of(function: Any) -> tuple[Any, ...]:
    """The generators that a function carries (see `Contents`)."""
    return contents_of(function).generators


@dataclass(slots=True)
class _Walk:
    """A walk over all that a callable carries.

    Attributes:
        but: identities of generators that do not count; None for all.
        found: generators that were met, by their identity.
        seen: identities of what was looked at.
        cached: whether a cache was met that holds something.
    """

    but: frozenset[int] | None = frozenset()
    found: dict[int, Any] = field(default_factory=dict)
    seen: set[int] = field(default_factory=set)
    cached: bool = False

    def over(self, value: Any, depth: int = 0) -> Iterator[bytes | None]:
        """Checksums of what a callable carries; functions are taken apart, modules left out."""
        if id(value) in self.seen or depth > _DEEPEST or isinstance(value, types.ModuleType):
            return
        self.seen.add(id(value))
        if isinstance(value, functools.partial):
            yield from self._all(depth, value.func, *value.args, *value.keywords.values())
        elif isinstance(value, types.MethodType):
            yield from self._all(depth, value.__self__, value.__func__)
        elif hasattr(value, "cache_info"):
            self.cached |= bool(getattr(value.cache_info(), "currsize", True))
            yield self._serialized(tuple(value.cache_info()))
            yield from self.over(getattr(value, "__wrapped__", None), depth + 1)
        elif isinstance(value, types.FunctionType):
            yield from self._of_function(value, depth)
        elif not inspect.isclass(value):
            yield from self._of_object(value, depth)

    def _of_object(self, value: Any, depth: int) -> Iterator[bytes | None]:
        """An object as it would travel, else attribute by attribute; what its callables carry.

        An object that says itself how it is serialized says what belongs to it.
        """
        # Looked at first: an exception has no attributes until somebody asks for them.
        held = vars(value).values() if hasattr(value, "__dict__") else ()
        whole = self._serialized(value)
        yield whole
        yield from self._all(depth, *(v for v in held if whole is None or callable(v)))
        if callable(value):
            yield from self._all(depth, type(value).__dict__.get("__call__"))

    def _all(self, depth: int, *values: Any) -> Iterator[bytes | None]:
        for value in values:
            yield from self.over(value, depth + 1)

    def _of_function(self, function: types.FunctionType, depth: int) -> Iterator[bytes | None]:
        """Closure, defaults, attributes, and the module's variables that the code names."""
        cells = [_content(cell) for cell in function.__closure__ or ()]
        defaults = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
        yield from self._all(depth, *cells, *defaults, *vars(function).values())
        if _is_library(function.__module__):
            return
        named = (function.__globals__.get(name) for name in sorted(_names(function.__code__)))
        yield from self._all(depth, *(value for value in named if value is not None))

    def _serialized(self, value: Any) -> bytes | None:
        stream = io.BytesIO()
        with contextlib.suppress(Exception):
            _Pickler(stream, self.but, self.found).dump(value)
            return hashlib.blake2b(stream.getbuffer(), digest_size=16).digest()
        return None


class _Pickler(cloudpickle.CloudPickler):  # type: ignore[misc]
    """Serializes what it is given, and notes the generators it meets."""

    def __init__(
        self, stream: io.BytesIO, but: frozenset[int] | None, found: dict[int, Any]
    ) -> None:
        super().__init__(stream)
        self._but, self._found = but, found

    def reducer_override(self, value: Any) -> Any:
        """See `pickle.Pickler.reducer_override`."""
        generator = _generator_in(value)
        if generator is None:
            return super().reducer_override(value)
        self._found.setdefault(id(generator), generator)
        # That of the whole process, which many a distribution holds, is seeded for every batch.
        counts = self._but is not None and id(generator) not in self._but
        if counts and not shared_by_all(generator):
            # What a legacy generator is made of is no generator beside it.
            legacy = type(value) is RandomState
            return (dict, (value.get_state(legacy=False),)) if legacy else NotImplemented
        # What it spawned is not put back with its place.
        sequence = getattr(generator, "seed_seq", None)
        return tuple, ([getattr(sequence, "n_children_spawned", 0)],)


def _generator_in(value: Any) -> Any:
    """What holds the place of a generator; None where it is none."""
    if type(value) is Generator:
        return value.bit_generator
    kinds = Generator, BitGenerator, RandomState, random.Random
    return value if isinstance(value, kinds) and type(value) is not random.SystemRandom else None


def _content(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not filled yet
        return None


@functools.cache
def _names(code: types.CodeType) -> frozenset[str]:
    """All names of variables of a module that a piece of code or a function inside it uses."""
    steps = (step for part in code_objects(code) for step in dis.get_instructions(part))
    return frozenset(step.argval for step in steps if step.opname in _OF_THE_MODULE)


@functools.cache
def _is_library(module: str | None) -> bool:
    """Whether a module is installed; what libraries keep in their modules is their own affair."""
    file = getattr(sys.modules.get(module or ""), "__file__", None) or ""
    return is_installed(file)
