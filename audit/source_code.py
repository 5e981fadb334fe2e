"""Code that is loaded: files as modules by their path, libraries; names and constants in code.

Of constants, those of a function count, of what it closes over and of what it calls. Only code of
its own package is read, and code that is installed nowhere: what stands in libraries says nothing
of the mechanism. Nothing is run.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib
import importlib.machinery
import importlib.util
import math
import os
import sys
import sysconfig
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from inspect import CO_NEWLOCALS
from itertools import islice
from pathlib import Path
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from audit.errors import InputError, reason_of

_PREFIX = "audited_"


def load_file(path: Path) -> ModuleType:
    """Run a Python file as a module of a name that belongs to its path alone.

    Raises:
        InputError: there is no such file, or it fails.
    """
    if not os.path.isfile(path):
        what = "is a folder" if os.path.isdir(path) else "does not exist"
        raise InputError(f"{str(path)!r} {what}; check the path of the Python file", str(path))
    full, name = path.resolve(), module_name(path)
    loader = importlib.machinery.SourceFileLoader(name, str(full))
    spec = importlib.util.spec_from_loader(name, loader)
    if spec is None:
        raise InputError(f"{str(path)!r} cannot be loaded as Python; check the path", str(path))
    module = importlib.util.module_from_spec(spec)
    # Dataclasses and pickle look a class's module up by its name.
    sys.modules[name] = module
    try:
        with importing_from(full.parent), failures_named(path, full):
            loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def file_module(path: Path) -> ModuleType:
    """The module of a Python file, which is run only where this process has not done so.

    What one file says about functions and about records then shares its classes.

    Raises:
        InputError: there is no such file, or it fails.
    """
    return sys.modules.get(module_name(path)) or load_file(path)


def loaded_files() -> tuple[str, ...]:
    """The files that were loaded by their path in this process, in that order."""
    held = [m for name, m in sys.modules.items() if name.startswith(_PREFIX)]
    return tuple(str(module.__file__) for module in held)


def module_name(path: Path) -> str:
    """Not the file's own name: it may be that of a module in use, like random.py."""
    return _PREFIX + hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:12]


@contextlib.contextmanager
def importing_from(folder: Path) -> Iterator[None]:
    """Search a folder first for imports, and last ever after.

    A function that imports while it runs must still find its neighbors: its
    failure would be taken for an output.
    """
    place = str(folder)
    sys.path.insert(0, place)
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    finally:
        with contextlib.suppress(ValueError):
            sys.path.remove(place)
        if place not in sys.path:
            sys.path.append(place)


@contextlib.contextmanager
def failures_named(shown: Path, file: Path | None) -> Iterator[None]:
    """Turn whatever code raises while it is loaded into one line with its place."""
    try:
        yield
    except (KeyboardInterrupt, InputError):
        raise
    except BaseException as error:
        line = _line_of(error, file)
        where = f" in line {line}" if line else ""
        below = ', or move what should not run on import below if __name__ == "__main__"'
        below *= not isinstance(error, SyntaxError | ImportError)
        raise InputError(
            f"{str(shown)!r} fails{where} while it is loaded: {reason_of(error)}; mend it{below}",
            str(shown),
        ) from error


def _line_of(error: BaseException, file: Path | None) -> int | None:
    """The last line of `file` that the error passed."""
    if file is None:
        return None
    if isinstance(error, SyntaxError) and error.filename == str(file):
        return error.lineno
    frames = traceback.extract_tb(error.__traceback__)
    return next((f.lineno for f in reversed(frames) if f.filename == str(file)), None)


def is_installed(file: str) -> bool:
    """True if a module's file belongs to a library or to Python itself."""
    return "site-packages" in file or file.startswith(sys.base_prefix)


def library(module: str, audited: str, needs: str, extra: str) -> Any:
    """An optional library, which audits of some black boxes need.

    Raises:
        InputError: it is not installed.
    """
    try:
        return importlib.import_module(module)
    except ImportError:
        them = "them" if " and " in needs else "it"
        raise InputError(
            f"auditing {audited} needs {needs}; install {them} with: "
            f'pip install "dp-audit[{extra}]"'
        ) from None


@dataclass(frozen=True, slots=True)
class Constants:
    """Constants in the code of a black box, each once, in the order of first appearance.

    Attributes:
        numbers: finite ones.
        texts: short ones.
    """

    numbers: tuple[int | float, ...] = ()
    texts: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.numbers or self.texts)


NO_CONSTANTS = Constants()


def names_in(code: CodeType) -> Iterator[str]:
    """Names of variables and attributes that code looks up, those of functions inside it too."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from names_in(constant)


_MOST_OBJECTS, _MOST_ENTRIES, _MOST_FOUND = 2_000, 100, 24
"""Values that are looked at, entries of one container, and numbers, or texts, that are kept."""
_LONGEST_TEXT = 60
_NOT_ONES_OWN = ("", "builtins", "audit")
_CONTAINERS = (dict, list, tuple, set, frozenset)
_CALLED = ("__init__", "__call__", "__post_init__")
"""Of the methods whose names begin like that, those that have to do with what comes out."""
_HAS_DOCSTRING = 0x4000000


def constants_of(function: Any) -> Constants:
    """The constants of anything that can be called: a function, a method, a partial, an object."""
    reader = _Reader(_package_of(function))
    reader.read(function)
    return Constants(tuple(reader.numbers)[:_MOST_FOUND], tuple(reader.texts)[:_MOST_FOUND])


def _package_of(function: Any) -> str:
    while isinstance(function, functools.partial):
        function = function.func
    module = getattr(function, "__module__", None) or type(function).__module__
    return str(module).partition(".")[0]


class _Reader:
    """Looks into values, each once, in an order that depends on the code alone."""

    def __init__(self, package: str) -> None:
        self.package = package
        self.numbers: dict[int | float, None] = {}
        self.texts: dict[str, None] = {}
        self._seen: dict[int, Any] = {}

    def read(self, value: Any) -> None:
        """Look at a value, and at all that is found in it, breadth first."""
        waiting = [value]
        for one in waiting:
            if id(one) not in self._seen and len(self._seen) < _MOST_OBJECTS:
                self._seen[id(one)] = one
                waiting.extend(self._parts(one))

    def _parts(self, value: Any) -> Iterable[Any]:
        import numpy as np  # the pytest plugin loads this file in every test run, without numpy

        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(value, np.ndarray):
            value = value.ravel()[: _MOST_ENTRIES + 1].tolist()
        if value is None or isinstance(value, (bool, bytes, complex)):
            return ()
        if isinstance(value, (int, float)):
            self._add(value)
            return ()
        if isinstance(value, str):
            if 0 < len(value) <= _LONGEST_TEXT:
                self.texts.setdefault(value)
            return ()
        return self._inside(value)

    def _add(self, number: int | float) -> None:
        if math.isfinite(number):
            self.numbers.setdefault(number)

    def _inside(self, value: Any) -> Iterable[Any]:
        if isinstance(value, CodeType):
            return _constants(value)
        if isinstance(value, functools.partial):
            return (value.func, *value.args, *value.keywords.values())
        if isinstance(value, MethodType):
            return (value.__func__, value.__self__)
        if isinstance(value, FunctionType):
            own = self._is_own(value.__module__ or "", value.__code__.co_filename)
            return self._of_function(value) if own else ()
        if isinstance(value, _CONTAINERS):
            entries = [*islice(_entries(value), _MOST_ENTRIES + 1)]
            return entries if len(entries) <= _MOST_ENTRIES else ()
        return self._of_object(value)

    def _of_function(self, function: FunctionType) -> Iterator[Any]:
        yield function.__code__
        yield from function.__defaults__ or ()
        yield from (function.__kwdefaults__ or {}).values()
        for cell in function.__closure__ or ():
            try:
                yield cell.cell_contents
            except ValueError:  # not filled yet
                continue
        names = [*names_in(function.__code__)]
        for name in names:
            found = function.__globals__.get(name)
            if isinstance(found, ModuleType):
                yield from self._of_module(found, names)
            elif found is not None:
                yield found

    def _of_module(self, module: ModuleType, names: Iterable[str]) -> Iterator[Any]:
        if self._is_own(module.__name__, getattr(module, "__file__", None)):
            yield from (vars(module)[name] for name in names if name in vars(module))

    def _of_object(self, value: Any) -> Iterator[Any]:
        """The functions of a class of one's own, and what an object of it holds."""
        kind = value if isinstance(value, type) else type(value)
        if not self._is_own(kind.__module__):
            return
        for base in kind.__mro__:
            if self._is_own(base.__module__):
                held = (v for k, v in vars(base).items() if not k.startswith("__") or k in _CALLED)
                yield from (getattr(entry, "fget", None) or entry for entry in held)
        if not isinstance(value, type):
            yield from _held_by(value)

    def _is_own(self, module: str, file: str | None = None) -> bool:
        package = module.partition(".")[0]
        if package in _NOT_ONES_OWN:
            return False
        known = file or getattr(sys.modules.get(module), "__file__", None)
        return package == self.package or (known is not None and not known.startswith(_libraries()))


@functools.cache
def _libraries() -> tuple[str, ...]:
    return tuple(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib"))


def _entries(value: Any) -> Iterator[Any]:
    """Entries of a container in the same order in every process, without running foreign code."""
    if isinstance(value, dict):
        yield from (part for entry in dict.items(value) for part in entry)
    elif isinstance(value, list):
        yield from list.__iter__(value)
    elif isinstance(value, tuple):
        yield from tuple.__iter__(value)
    else:
        plain = [entry for entry in frozenset(value) if type(entry) in (str, int, float)]
        yield from sorted(plain, key=lambda entry: (str(type(entry)), entry))


def _held_by(value: Any) -> list[Any]:
    """The attributes of an object, without calling anything of it."""
    held = list(getattr(value, "__dict__", {}).values())
    for kind in type(value).__mro__:
        slots = vars(kind).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            try:
                held.append(object.__getattribute__(value, name))
            except AttributeError:
                continue
    return held


def _constants(code: CodeType) -> tuple[Any, ...]:
    """Constants of the code, without docstrings."""
    constants = code.co_consts
    if sys.version_info >= (3, 13):
        documented = bool(code.co_flags & _HAS_DOCSTRING)
    else:  # without one, the first constant of a function is None
        function = bool(code.co_flags & CO_NEWLOCALS)
        documented = function and bool(constants) and isinstance(constants[0], str)
    return constants[1:] if documented else constants
