"""Source location of a black box, for results shown next to code."""

from __future__ import annotations

import functools
import inspect
from pathlib import Path
from typing import Any


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
