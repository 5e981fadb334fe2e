"""Everything that a box can reach in its process, but for libraries; its generators begun anew.

A fresh instance with `default_rng(5)` would give the same noise in every life. So each life sets
its generators from its own words: as if the instance had been made with other seeds. Generators
in equal states get equal new states, since their noise may belong together.
"""

from __future__ import annotations

import builtins
import functools
import gc
import hashlib
import os
import pickle
import random
import sys
import types
from collections import deque
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import (
    MT19937,
    PCG64,
    PCG64DXSM,
    SFC64,
    BitGenerator,
    Generator,
    Philox,
    RandomState,
    SeedSequence,
)

from audit.blackbox.environment import Seeds, seed_with, seeds_of, shared_by_all
from audit.source_code import names_in

SETTABLE = (PCG64, PCG64DXSM, MT19937, Philox, SFC64, RandomState, random.Random)
"""Kinds that can be set, and kinds derived from them that leave that as it is."""
_SETTING = ("seed", "getstate", "setstate", "get_state", "set_state", "state")
_CONGRUENCES = (PCG64, PCG64DXSM)
_WORDS = 4
"""Of 64 bits, from which a generator is set."""
_LONGEST = 1 << 12
"""Entries of a container of plain values that is not looked through."""
_MOST = 1 << 17
"""Objects that are looked at."""
_PLAIN = frozenset(
    {type(None), bool, int, float, complex, str, bytes, np.float64, np.int64, np.ndarray}
)
_LEFT_OUT = (
    types.CodeType,
    types.FrameType,
    types.BuiltinFunctionType,
    types.WrapperDescriptorType,
    types.MethodDescriptorType,
    types.GetSetDescriptorType,
)
_STANDARD = os.path.dirname(os.__file__)


class Ownership:
    """Modules and files told apart: libraries', and the user's own.

    Attributes:
        packages: names of packages that count as libraries wherever they stand.
    """

    def __init__(self, packages: Collection[str] = ()) -> None:
        self.packages = frozenset({"audit", *packages})

    def is_library_file(self, file: str) -> bool:
        """Whether a file belongs to an installed package or to Python itself."""
        if "site-packages" in file or "dist-packages" in file or file.startswith(_STANDARD):
            return True
        held = (sys.modules.get(name) for name in self.packages)
        folders = (folder for module in held for folder in getattr(module, "__path__", ()))
        return any(file.startswith(os.path.join(folder, "")) for folder in folders)

    def is_installed(self, file: str) -> bool:
        """True for a module, and for a file of a library or of the system, such as a time zone."""
        known = file.endswith((".py", ".pyc", ".so")) or file.startswith("/usr/share/")
        return known or self.is_library_file(file)

    def is_own(self, module: str | None) -> bool:
        """Whether a module is the user's; what has no file is Python's, but for a session's."""
        name = module or "__main__"
        if name.partition(".")[0] in self.packages:
            return False
        held = sys.modules.get(name)
        if held is None or name == "__main__":
            return True
        file = getattr(held, "__file__", None)
        return bool(file) and not self.is_library_file(str(file))


def reachable(box: Any, ownership: Ownership) -> Iterator[Any]:
    """Everything that code of the user's can reach from an object, each once, in a fixed order.

    Of a function's module it can reach the variables that its code names. Libraries' modules,
    classes and variables are left out, as they are shared by all lives.
    """
    # Sequences and mappings of the interpreter itself are not the box's.
    seen = {id(builtins.__dict__), id(sys.modules), id(gc.callbacks)}
    left = deque([box])
    while left and len(seen) < _MOST:
        value = left.popleft()
        if type(value) in _PLAIN or id(value) in seen:
            continue
        seen.add(id(value))
        yield value
        left.extend(_parts(value, ownership))


def _parts(value: Any, ownership: Ownership) -> Collection[Any]:
    if isinstance(value, types.BuiltinFunctionType):
        return () if isinstance(value.__self__, types.ModuleType) else (value.__self__,)
    if isinstance(value, (types.ModuleType, type)):
        name = value.__name__ if isinstance(value, types.ModuleType) else value.__module__
        return gc.get_referents(value) if ownership.is_own(name) else ()
    if isinstance(value, types.FunctionType):
        return _of_function(value, ownership)
    if isinstance(value, _LEFT_OUT) or _is_long_and_plain(value):
        return ()
    return gc.get_referents(value)


def _of_function(function: types.FunctionType, ownership: Ownership) -> Collection[Any]:
    cells = [_content(cell) for cell in function.__closure__ or ()]
    held = [*cells, function.__defaults__, function.__kwdefaults__, function.__dict__]
    if not ownership.is_own(function.__module__):
        return held
    named = (function.__globals__.get(name) for name in sorted(set(names_in(function.__code__))))
    return [*held, *named]


def _content(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not filled yet
        return None


def _is_long_and_plain(value: Any) -> bool:
    if not isinstance(value, (list, tuple, set, frozenset)) or len(value) < _LONGEST:
        return False
    return all(type(entry) in _PLAIN for entry, _ in zip(value, range(64), strict=False))


@dataclass(frozen=True, slots=True)
class Anew:
    """Numbers from which generators begin anew.

    Attributes:
        shared: seeds of the global ones.
        own: words for all others; with its state they give those of a generator.
    """

    shared: Seeds
    own: list[int]

    @classmethod
    def of(cls, stream: SeedSequence) -> Anew:
        """Those that follow from a stream."""
        (shared,) = seeds_of(stream, 1)
        return cls(shared, stream.generate_state(2 * _WORDS, np.uint64).tolist())


def begin_anew(box: Any, anew: Anew, ownership: Ownership) -> None:
    """Set the global generators, and all that a box can reach.

    Args:
        box: the function that is called.
        anew: what they begin from.
        ownership: of modules.
    """
    seed_with(anew.shared)
    set_from(own_generators(box, ownership), anew)


def set_from(generators: Iterable[Any], anew: Anew) -> None:
    """Set generators, each from its state and from words; equal ones stay equal."""
    for generator in generators:
        state = hashlib.blake2b(_state_of(generator), digest_size=32).digest()
        words = [*anew.own, *np.frombuffer(state, np.uint32).tolist()]
        _set(generator, SeedSequence(words).generate_state(_WORDS, np.uint64))


def own_generators(box: Any, ownership: Ownership) -> Iterator[Any]:
    """Generators that a box can reach and that can be set, but for the global ones."""
    return _to_set(reachable(box, ownership))


def live_generators() -> list[Any]:
    """Generators of this process that can be set, but for global and frozen ones (`gc.freeze`).

    Those of libraries too: whoever is a fork of this process would share their numbers.
    """
    held = (v for v in gc.get_objects() if issubclass(type(v), (BitGenerator, *SETTABLE)))
    return [*_to_set(held)]


def _to_set(values: Iterable[Any]) -> Iterator[Any]:
    for value in values:
        generator = value.bit_generator if isinstance(value, Generator) else value
        if _can_be_set(generator) and not shared_by_all(generator):
            yield generator


def _can_be_set(generator: Any) -> bool:
    kind = type(generator)
    return any(
        all(getattr(kind, name, None) is getattr(base, name, None) for name in _SETTING)
        for base in SETTABLE
        if issubclass(kind, base)
    )


def _state_of(generator: Any) -> bytes:
    """The state of a generator; equal where it would give the same numbers."""
    if isinstance(generator, BitGenerator):
        return pickle.dumps(generator.state)
    if isinstance(generator, RandomState):
        return pickle.dumps(generator.get_state(legacy=False))
    return pickle.dumps(generator.getstate())


def _set(generator: Any, words: Any) -> None:
    """Begin a generator anew from four words of 64 bits."""
    if isinstance(generator, _CONGRUENCES):
        first, second, third, fourth = words.tolist()
        state: Any = generator.state
        state["state"] = {"state": first << 64 | second, "inc": third << 64 | fourth | 1}
        generator.state = state | {"has_uint32": 0, "uinteger": 0}
    elif isinstance(generator, BitGenerator):
        generator.state = type(generator)(SeedSequence(words.tolist())).state
    elif isinstance(generator, RandomState):
        generator.seed(words.view(np.uint32))
    else:
        generator.seed(int.from_bytes(words.tobytes(), "little"))


def calls_hash(box: Any, ownership: Ownership) -> bool:
    """Whether code of the user's calls `hash`, whose secret seed all forks of a process share."""
    functions = (f for f in reachable(box, ownership) if isinstance(f, types.FunctionType))
    own = (f for f in functions if ownership.is_own(f.__module__) and f.__name__ != "__hash__")
    return any("hash" in names_in(f.__code__) and "hash" not in f.__globals__ for f in own)


@functools.cache
def catalog_packages() -> frozenset[str]:
    """Installed packages that declare a catalogue of mechanisms, also where they are edited."""
    from importlib.metadata import entry_points

    return frozenset(
        e.value.partition(":")[0].partition(".")[0] for e in entry_points(group="dp_audit.catalogs")
    )
