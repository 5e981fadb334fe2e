"""Callables by their address, FILE.py:FUNCTION or package.module:function, and their place."""

from __future__ import annotations

import difflib
import functools
import importlib
import importlib.util
import inspect
import os
from pathlib import Path
from types import ModuleType
from typing import Any

from audit.errors import InputError
from audit.source_code import failures_named, importing_from, load_file

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
    module = load_file(Path(place)) if is_file else _load_module(place)
    found = _attribute(module, path, place)
    if not callable(found) and not callable(getattr(found, "release", None)):
        raise InputError(
            f"{path} in {place} is of type {type(found).__name__} and cannot be called; "
            f"{_callables_in(module)}",
            address,
        )
    return found


def _load_module(name: str) -> ModuleType:
    with importing_from(Path.cwd()):
        try:
            known = importlib.util.find_spec(name) is not None
        except (ImportError, ValueError):
            known = False
        if not known:
            raise InputError(
                f"module {name!r} is neither installed nor in this folder; {_FORM}", name
            )
        with failures_named(Path(name), None):
            return importlib.import_module(name)


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
    """Callables that a module defines itself, in words."""
    own = [
        name
        for name in _public(module)
        if callable(getattr(module, name))
        and inspect.getmodule(getattr(module, name)) in (module, None)
    ]
    if not own:
        return "it defines no functions"
    return f"it defines {', '.join(own[:8])}{' and more' if len(own) > 8 else ''}"


def place_of(box: Any) -> str:
    """The file and line of the function in a black box, as "release.py:12".

    Files below the working directory are named from there.

    Returns:
        An empty text where there is no Python code to point at.
    """
    function = getattr(box, "function", None)
    while isinstance(function, functools.partial):
        function = function.func
    function = inspect.unwrap(function) if callable(function) else function
    for candidate in (function, vars(type(function)).get("__call__")):
        code = getattr(candidate, "__code__", None)
        if code is not None:
            return _from_here(Path(code.co_filename), code.co_firstlineno)
    return ""


def _from_here(file: Path, line: int) -> str:
    if not file.is_file():
        return ""  # typed in, or made by a program
    here = Path.cwd()
    shown = file.relative_to(here) if file.is_relative_to(here) else file
    return f"{shown.as_posix()}:{line}"
