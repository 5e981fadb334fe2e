"""Code that is loaded: files as modules by their path, libraries; constants, names in code."""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import importlib.machinery
import importlib.util
import os
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, ModuleType
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
