"""Objects of the user's on their way to another process."""

from __future__ import annotations

import copy
import functools
import io
import os
import pickle
import sys
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, cast

import numpy as np

from audit.blackbox.callables import OPENER, load_callable, transcripts_of
from audit.blackbox.output import copier
from audit.sampling.independence.reachable import Ownership
from audit.source_code import load_file, loaded_files, module_name

CODES: dict[str, CodeType] = {}
"""Compiled code of the user's files, in a server."""
_CHEAP = 1 << 16
"""Bytes of a dataset that is sooner copied for each call than compared after it."""
_LARGE = 10 << 20
"""Bytes of a dataset above which rows of a sample are compared."""
_ROWS = 64
_PLAIN = (int, float, str, bool, type(None))
_HELD = (*_PLAIN, bytes, list, tuple, dict, set, frozenset, np.ndarray)


@dataclass(frozen=True, slots=True)
class AtAddress:
    """A callable that is read from its file or module in every life.

    Attributes:
        address: FILE.py:FUNCTION or package.module:function.
        name: of the module that the file becomes.
        bound: arguments and keywords that are given to the callable beforehand.
        opens: whether the callable opens sessions, and their transcripts are the outputs.
    """

    address: str
    name: str
    bound: Pickled | None = None
    opens: bool = False

    def made(self) -> Any:
        """The callable; where the code is at hand, without all that importing looks at."""
        file, _, attributes = self.address.rpartition(":")
        read: Any
        if file in CODES:
            read = functools.reduce(getattr, attributes.split("."), _module(self.name, file))
        else:
            read = load_callable(self.address)
        if self.bound is not None:
            arguments, keywords = self.bound.made()
            read = functools.partial(read, *arguments, **keywords)
        return transcripts_of(read) if self.opens else read


def _module(name: str, file: str) -> ModuleType:
    """The module of a file as `load_file` loads it, sooner where the code is at hand."""
    if (code := CODES.get(file)) is None:
        return load_file(Path(file))
    module = sys.modules[name] = ModuleType(name)
    module.__file__, module.__spec__ = file, ModuleSpec(name, None, origin=file)
    folder = os.path.dirname(file)
    sys.path.insert(0, folder)
    exec(code, module.__dict__)
    with suppress(ValueError):
        sys.path.remove(folder)
    sys.path.append(folder)
    return module


@dataclass(frozen=True, slots=True)
class Pickled:
    """An object as bytes.

    Attributes:
        files: Python files, loaded by their path, that it refers to, by the names of their
            modules; they must exist where it is made again.
        content: the object.
    """

    files: tuple[tuple[str, str], ...]
    content: bytes

    @classmethod
    def of(cls, value: Any, function: Any = None, ownership: Ownership | None = None) -> Pickled:
        """Pickle an object, with the code of the user's module that defines a function.

        Args:
            value: the object.
            function: of the module, which another process need not find; None for no module.
            ownership: of modules.

        Raises:
            Exception: it holds something that cannot be pickled.
        """
        import cloudpickle

        module = defining(function)
        by_value = module is not None and _is_by_value(module, ownership or Ownership())
        if by_value:
            cloudpickle.register_pickle_by_value(module)
        try:
            stream = io.BytesIO()
            _pickler_class()(stream).dump(value)
        finally:
            if by_value:
                cloudpickle.unregister_pickle_by_value(module)
        content = stream.getvalue()
        # Other audits may have loaded files that are not needed here, and gone since.
        files = ((module_name(Path(file)), file) for file in loaded_files())
        return cls(tuple((name, file) for name, file in files if name.encode() in content), content)

    def made(self) -> Any:
        """The object again, as a copy.

        Raises:
            Exception: what it needs is not there.
        """
        for name, file in self.files:
            if name not in sys.modules:
                _module(name, file)
        return pickle.loads(self.content)


@dataclass(slots=True)
class Dataset:
    """A dataset that the calls of a life share for as long as none of them changes it.

    Attributes:
        source: its pickle.
        fresh: makes a copy; None before there is any data.
        copied: whether each call gets a copy.
    """

    source: Pickled
    fresh: Callable[[], Any] | None = None
    copied: bool = False
    _data: Any = None
    _digest: int = 0

    def hold(self, data: Any) -> None:
        """Keep the object, and how to copy it."""
        self._data, self.fresh = data, copier(data)
        self.copied = len(self.source.content) < _CHEAP and is_flat(data)
        self._digest = 0 if self.copied else self._digested()

    def given(self) -> Any:
        """The dataset for the next call."""
        if self.fresh is None:
            self.hold(self.source.made())
        assert self.fresh is not None
        return self.fresh() if self.copied else self._data

    def check(self) -> None:
        """After a call: replace a dataset that it changed, and copy it from now on."""
        if not self.copied and self._digested() != self._digest:
            self.hold(self.source.made())
            self.copied = True

    def _digested(self) -> int:
        if len(self.source.content) <= _LARGE:
            return hash(pickle.dumps(self._data, 5))
        return hash(pickle.dumps([id(self._data), *_sampled(self._data)], 5))


def is_flat(data: Any) -> bool:
    """Whether a dataset is a number, a text, or a list or an array of them."""
    if isinstance(data, np.ndarray):
        return not data.dtype.hasobject
    return isinstance(data, _PLAIN) or (
        type(data) is list and all(isinstance(entry, _PLAIN) for entry in data)
    )


def _sampled(data: Any) -> list[Any]:
    """Rows of a large dataset, spread over it; all of it where it has none."""
    rows = getattr(data, "iloc", data)
    if not hasattr(rows, "__getitem__") or not hasattr(data, "__len__") or isinstance(data, dict):
        return [copy.copy(data)]
    length = len(data)
    return [length, *(rows[place * (length - 1) // (_ROWS - 1)] for place in range(_ROWS))]


def defining(value: Any) -> ModuleType | None:
    """The module whose code an object is made of."""
    while isinstance(value, functools.partial):
        value = value.func
    name = getattr(value, "__module__", None) or type(value).__module__
    return sys.modules.get(name)


def address_of(value: Any, ownership: Ownership) -> str | None:
    """Where another process finds a function or a class of a module of the user's; None nowhere."""
    module = sys.modules.get(getattr(value, "__module__", None) or "__main__")
    if module is None or (file := getattr(module, "__file__", None)) is None:
        return None
    path, found = getattr(value, "__qualname__", ""), cast(Any, module)
    for name in path.split("."):
        found = getattr(found, name, None)
    own = module.__name__ != "__main__" and ownership.is_own(module.__name__)
    place = file if file in loaded_files() else module.__name__
    return f"{place}:{path}" if own and found is value else None


def read_anew(address: str | None, value: Any, ownership: Ownership) -> AtAddress | None:
    """Reader of an object's code, by its address or its name; None if there is none."""
    if (opener := getattr(value, OPENER, None)) is not None:
        read = read_anew(None, opener, ownership)
        return None if read is None else replace(read, opens=True)
    bound = None
    if address is None and isinstance(value, functools.partial):
        with suppress(Exception):  # whatever pickling an object of somebody's own raises
            bound = Pickled.of((value.args, value.keywords))
        value = value if bound is None else value.func
    address = address or address_of(value, ownership)
    if address is None:
        return None
    return AtAddress(address, module_name(Path(address.rpartition(":")[0])), bound)


def settings_of(value: Any) -> dict[str, Any]:
    """Numbers, texts and truth values that names stand for in the module of an object."""
    held = vars(defining(value)) if defining(value) else {}
    return {n: v for n, v in held.items() if isinstance(v, _PLAIN) and not n.startswith("__")}


def checksum_of(module: ModuleType) -> int:
    """Of the plain values, containers and arrays that names stand for in a module."""
    total = 0
    for name, value in vars(module).items():
        if isinstance(value, _HELD) and not name.startswith("__"):
            with suppress(Exception):  # whatever pickling an object of somebody's own raises
                total = zlib.crc32(pickle.dumps(value, 5), total)
    return total


READS = 12
"""Times that a module is read before a setting counts as one that reading never changes."""


def set_at_run_time(value: Any, read: Callable[[int], dict[str, Any]]) -> bool:
    """True if a setting in the module of an object is not the one that reading always gives.

    Reading draws some settings, such as a key or the time: these differ from time to time.

    Args:
        value: the object.
        read: reads the module again, by a seed of the global generators; its settings.
    """
    own, first = settings_of(value), read(0)
    names = {name for name, _ in own.items() ^ first.items()}
    for seed in range(1, READS):
        if not names:
            break
        again = read(seed)
        names = {name for name in names if again.get(name) == first.get(name)}
    return bool(names)


def _is_by_value(module: ModuleType, ownership: Ownership) -> bool:
    """Whether another process need not find a module: it is the user's, with a name of its own."""
    named = module.__name__ != "__main__" and module.__name__ in sys.modules
    file = getattr(module, "__file__", None)
    return bool(named and file not in loaded_files() and ownership.is_own(module.__name__))


@functools.cache
def _pickler_class() -> Any:
    import cloudpickle

    class Pickler(cloudpickle.Pickler):  # type: ignore[misc]
        """Lets functions behind a cache travel: without what it holds."""

        def reducer_override(self, value: Any) -> Any:
            """See `pickle.Pickler.reducer_override`."""
            if isinstance(value, functools._lru_cache_wrapper) and not _is_found(value):
                kept = value.cache_parameters()
                return _cached, (value.__wrapped__, kept["maxsize"], kept["typed"])
            return super().reducer_override(value)

    return Pickler


def _cached(function: Callable[..., Any], most: int | None, typed: bool) -> Callable[..., Any]:
    return functools.lru_cache(most, typed)(function)


def _is_found(function: Any) -> bool:
    """Whether another process finds a cached function by its module and its name."""
    module = sys.modules.get(function.__module__)
    if module is None or module.__name__ == "__main__" or Ownership().is_own(module.__name__):
        return False
    return getattr(module, function.__qualname__, None) is function
