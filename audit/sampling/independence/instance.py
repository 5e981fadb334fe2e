"""Fresh instances of a Python black box: how one is made, and how it is called."""

from __future__ import annotations

import contextlib
import copy
import functools
import io
import os
import pickle
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, Protocol

import numpy as np
from numpy.random import Generator

from audit.blackbox.callables import Shape, caller_of, load_callable, shape_of
from audit.blackbox.command_input import dicts_of
from audit.blackbox.output import MOST_PARTS, UNSETTLED, copier, settled, taken
from audit.blackbox.python import name_of, released_by
from audit.lazy_modules import loaded_pandas as pd
from audit.sampling.independence.reachable import Ownership
from audit.source_code import load_file, loaded_files, module_name

_CHEAP = 1 << 16
"""Bytes of a dataset that is sooner copied for each call than compared after it."""
_LARGE = 10 << 20
"""Bytes above which rows of a sample are compared."""
_ROWS = 64


class Source(Protocol):
    """Where instances come from."""

    def read(self) -> Any:
        """Whatever may be shared by all instances where reading it takes long."""

    def made(self, read: Any) -> Any:
        """The callable, or the factory, of a new instance.

        Args:
            read: what `read` gave; None where it was not called.
        """


CODES: dict[str, CodeType] = {}
"""Compiled code of the user's files, in a server."""


@dataclass(frozen=True, slots=True)
class AtAddress:
    """A callable that is read from its file or module in every life.

    Attributes:
        address: FILE.py:FUNCTION or package.module:function.
        name: of the module that the file becomes.
    """

    address: str
    name: str

    @classmethod
    def of(cls, address: str) -> AtAddress:
        """The callable at an address."""
        return cls(address, module_name(Path(address.rpartition(":")[0])))

    def read(self) -> Any:
        """The callable."""
        return load_callable(self.address)

    def made(self, read: Any) -> Any:
        """See `Source.made`."""
        if read is not None:
            return read
        file, _, attributes = self.address.rpartition(":")
        if file not in CODES:
            return load_callable(self.address)
        return functools.reduce(getattr, attributes.split("."), _module(self.name, file))


def _module(name: str, file: str) -> ModuleType:
    """The module of a file as `load_file` loads it, sooner where the code is at hand."""
    if (code := CODES.get(file)) is None:
        return load_file(Path(file))
    folder = os.path.dirname(file)
    module = sys.modules[name] = ModuleType(name)
    module.__file__, module.__spec__ = file, ModuleSpec(name, None, origin=file)
    sys.path.insert(0, folder)
    exec(code, module.__dict__)
    with contextlib.suppress(ValueError):
        sys.path.remove(folder)
    sys.path.append(folder)
    return module


@dataclass(frozen=True, slots=True)
class Pickled:
    """An object in memory, by value.

    Attributes:
        files: Python files, loaded by their path, that it refers to: names of modules and paths.
        content: the object.
    """

    files: tuple[tuple[str, str], ...]
    content: bytes

    @classmethod
    def of(cls, value: Any, function: Any, ownership: Ownership) -> Pickled:
        """Pickle an object with the code of the user's module that defines a function.

        Args:
            value: the object.
            function: what is audited.
            ownership: of modules.

        Raises:
            Exception: it holds something that cannot be pickled.
        """
        import cloudpickle

        module = defining(function)
        by_value = module is not None and _is_by_value(module, ownership)
        if by_value:
            cloudpickle.register_pickle_by_value(module)
        try:
            content = _pickled(value)
        finally:
            if by_value:
                cloudpickle.unregister_pickle_by_value(module)
        files = ((module_name(Path(file)), file) for file in loaded_files())
        return cls(tuple((name, file) for name, file in files if name.encode() in content), content)

    def read(self) -> Any:
        """Nothing; its files are loaded."""
        for name, file in self.files:
            if name not in sys.modules:
                _module(name, file)

    def made(self, read: Any) -> Any:
        """See `Source.made`."""
        self.read()
        return pickle.loads(self.content)


@dataclass(frozen=True, slots=True)
class Held:
    """An object of the process that was forked before its first call.

    Attributes:
        value: the object.
    """

    value: Any

    def read(self) -> Any:
        """Nothing."""

    def made(self, read: Any) -> Any:
        """See `Source.made`."""
        return self.value


@dataclass(frozen=True, slots=True)
class Making:
    """How an instance is made.

    Attributes:
        source: of the callable or the factory.
        factory: whether it is a factory.
        records: "dict" for a list of dicts instead of a DataFrame.
        timeout: seconds for one output; None for no limit.
        packages: that count as installed.
        shape: how the callable is called; None where that is not known before it is made.
    """

    source: Source
    factory: bool
    records: str | None
    timeout: float | None
    packages: frozenset[str]
    shape: Shape | None

    def made(self, read: Any = None) -> Instance:
        """A new instance."""
        began = time.process_time()
        value = self.source.made(read)
        reading = time.process_time() - began
        return Instance(value() if self.factory else value, self.shape, self.records, reading)


class Instance:
    """One fresh instance.

    Attributes:
        function: what is called in the end.
        many: whether it takes a size.
        given: whether it takes a generator.
        reading: processor seconds for reading the code that it is made from.
    """

    def __init__(
        self, value: Any, shape: Shape | None, records: str | None = None, reading: float = 0.0
    ) -> None:
        """Make what is released by a callable, an object or a class."""
        self.reading = reading
        self.function = released_by(value)
        shape = shape or shape_of(self.function, name_of(self.function))
        self.many, self.given = shape.size is not None, shape.rng is not None
        self._caller = caller_of(self.function, shape)
        self._dicts = records is not None

    def output(self, data: Any, rng: Generator | None, size: int) -> Any:
        """The output of one call, or an array or sequence of `size` outputs."""
        if self._dicts and isinstance(data, pd.DataFrame):
            data = dicts_of(data)
        output = self._caller(data, rng, size)
        if type(output) in UNSETTLED:
            output = settled(output, size if self.many else MOST_PARTS)
        if not self.many:
            return taken(output)
        if size > 1:
            return output
        return taken(output[0]) if isinstance(output, np.ndarray) or _is_single(output) else output


def _is_single(output: Any) -> bool:
    return isinstance(output, (list, tuple)) and len(output) == 1


@dataclass(slots=True)
class Dataset:
    """A dataset that the calls of a life share for as long as none of them changes it.

    Attributes:
        source: its pickle.
        data: the object; None before it was made.
        copied: whether each call gets a copy.
    """

    source: Pickled
    data: Any = None
    copied: bool = False
    _digest: int | None = None
    _fresh: Callable[[], Any] | None = field(default=None, repr=False)

    def hold(self, data: Any) -> None:
        """Keep the object, and how to copy it."""
        self.data, self._fresh = data, copier(data)
        self.copied = len(self.source.content) < _CHEAP and _is_flat(data)
        self._digest = None if self.copied else self._digested()

    def given(self) -> Any:
        """The dataset for the next call."""
        if self._fresh is None:
            self.hold(self.source.made(None))
        assert self._fresh is not None
        return self._fresh() if self.copied else self.data

    def check(self) -> None:
        """After a call: replace a dataset that it changed, and copy it from now on."""
        if self.copied or self._digested() == self._digest:
            return
        self.hold(self.source.made(None))
        self.copied = True

    def _digested(self) -> int:
        if len(self.source.content) <= _LARGE:
            return hash(pickle.dumps(self.data, 5))
        return hash(pickle.dumps([id(self.data), *_sampled(self.data)], 5))


def _is_flat(data: Any) -> bool:
    if isinstance(data, np.ndarray):
        return not data.dtype.hasobject
    plain = (int, float, str, bool, type(None))
    return isinstance(data, plain) or (
        type(data) is list and all(isinstance(entry, plain) for entry in data)
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


def _is_by_value(module: ModuleType, ownership: Ownership) -> bool:
    """Whether another process need not find a module: it is the user's, with a name of its own."""
    named = module.__name__ != "__main__" and module.__name__ in sys.modules
    file = getattr(module, "__file__", None)
    return bool(named and file not in loaded_files() and ownership.is_own(module.__name__))


def _pickled(value: Any) -> bytes:
    stream = io.BytesIO()
    _pickler_class()(stream).dump(value)
    return stream.getvalue()


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
