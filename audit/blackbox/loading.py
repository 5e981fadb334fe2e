"""Callables by their address: FILE.py:FUNCTION or package.module:function."""

from __future__ import annotations

import contextlib
import difflib
import hashlib
import importlib
import importlib.machinery
import importlib.util
import inspect
import os
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from audit.errors import InputError, reason_of

_PREFIX = "audited_"
_FORM = "write FILE.py:FUNCTION or package.module:function"


def load_callable(address: str) -> Any:
    """The function, class or object at an address.

    What stands before the last colon is a file where one of that name exists or
    it ends in .py, else a module; what stands behind it may be a dotted path
    (Class.method). While the file runs, its folder is searched first for
    imports, as if it was run as a script; later on it is searched last. What it
    prints goes to standard error.

    Raises:
        InputError: no such file, module or attribute, code that fails while it
            is loaded, or something that cannot be called.
    """
    place, colon, path = address.rpartition(":")
    if not (colon and place and path):
        raise InputError(f"{address!r} does not name a function; {_FORM}", address)
    is_file = place.endswith(".py") or os.sep in place or os.path.isfile(place)
    module = _load_file(Path(place)) if is_file else _load_module(place)
    found = _attribute(module, path, place)
    if not callable(found) and not callable(getattr(found, "release", None)):
        raise InputError(
            f"{path} in {place} is of type {type(found).__name__} and cannot be called; "
            f"{_callables_in(module)}",
            address,
        )
    return found


def loaded_files() -> tuple[str, ...]:
    """The files that were loaded by their path in this process, in that order."""
    held = [m for name, m in sys.modules.items() if name.startswith(_PREFIX)]
    return tuple(str(module.__file__) for module in held)


def load_files(paths: tuple[str, ...]) -> None:
    """Load files as another process did, so that objects from there find their code.

    Raises:
        InputError: a file does not exist here, or fails.
    """
    known = set(loaded_files())
    for path in paths:
        if path not in known:
            _load_file(Path(path))


def _load_file(path: Path) -> ModuleType:
    if not os.path.isfile(path):
        what = "is a folder" if os.path.isdir(path) else "does not exist"
        raise InputError(f"{str(path)!r} {what}; {_FORM}", str(path))
    full = path.resolve()
    # Not the file's own name: it may be that of a module in use, like random.py.
    name = _PREFIX + hashlib.sha256(str(full).encode()).hexdigest()[:12]
    loader = importlib.machinery.SourceFileLoader(name, str(full))
    spec = importlib.util.spec_from_loader(name, loader)
    if spec is None:
        raise InputError(f"{str(path)!r} cannot be loaded as Python; {_FORM}", str(path))
    module = importlib.util.module_from_spec(spec)
    # Dataclasses and pickle look a class's module up by its name.
    sys.modules[name] = module
    with _importing_from(full.parent), _failures_named(path, full):
        loader.exec_module(module)
    return module


def _load_module(name: str) -> ModuleType:
    with _importing_from(Path.cwd()):
        try:
            known = importlib.util.find_spec(name) is not None
        except (ImportError, ValueError):
            known = False
        if not known:
            raise InputError(
                f"module {name!r} is neither installed nor in this folder; {_FORM}", name
            )
        with _failures_named(Path(name), None):
            return importlib.import_module(name)


@contextlib.contextmanager
def _importing_from(folder: Path) -> Iterator[None]:
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
def _failures_named(shown: Path, file: Path | None) -> Iterator[None]:
    """Turn whatever code raises while it is loaded into one line with its place."""
    try:
        yield
    except (KeyboardInterrupt, InputError):
        raise
    except BaseException as error:
        line = _line_of(error, file)
        where = f" in line {line}" if line else ""
        raise InputError(
            f"{str(shown)!r} fails{where} while it is loaded: {reason_of(error)}; "
            "mend it, or move what should not run on import below "
            'if __name__ == "__main__"',
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


def _attribute(module: ModuleType, path: str, place: str) -> Any:
    found: Any = module
    for part in path.split("."):
        try:
            found = getattr(found, part)
        except AttributeError:
            raise InputError(
                f"{place} has no {path!r}; {_near(found, module, part)}", path
            ) from None
    return found


def _near(owner: Any, module: ModuleType, part: str) -> str:
    near = difflib.get_close_matches(part, _public(owner), n=3)
    return f"did you mean {' or '.join(near)}?" if near else _callables_in(module)


def _public(owner: Any) -> list[str]:
    return [name for name in dir(owner) if not name.startswith("_")]


def _callables_in(module: ModuleType) -> str:
    """What a module defines itself and can be called, in words."""
    own = [
        name
        for name in _public(module)
        if callable(getattr(module, name))
        and inspect.getmodule(getattr(module, name)) in (module, None)
    ]
    if not own:
        return "it defines no functions"
    return f"it defines {', '.join(own[:8])}{' and more' if len(own) > 8 else ''}"
