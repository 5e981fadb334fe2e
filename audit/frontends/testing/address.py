"""Address at which another process finds a mechanism."""

from __future__ import annotations

import functools
import os
import sys
from pathlib import Path
from typing import Any

_STARTED_WITH = tuple(sys.path)
"""Where imports were searched before any test was: test runners add folders of their own."""


def address_of(mechanism: Any) -> str | None:
    """FILE.py:FUNCTION or package.module:function, None when it has neither."""
    module = sys.modules.get(getattr(mechanism, "__module__", None) or "")
    path = getattr(mechanism, "__qualname__", None)
    file = getattr(module, "__file__", None)
    if not (module and path and file and os.path.isfile(file)):
        return None
    if _attribute(module, path) is not mechanism:
        return None
    # A file of a package may import its neighbors in ways that need the package.
    packaged = os.path.exists(Path(file).parent / "__init__.py")
    if packaged and _importable(module.__name__, Path(file)):
        return f"{module.__name__}:{path}"
    return f"{_shown(Path(file))}:{path}"


def _attribute(module: Any, path: str) -> Any:
    return functools.reduce(lambda at, name: getattr(at, name, None), path.split("."), module)


def _importable(name: str, file: Path) -> bool:
    """True if a fresh process finds the file under this name."""
    place = Path(*name.split("."))
    known = (place / "__init__.py", place.with_name(f"{place.name}.py"))
    return any(file == Path(root).absolute() / part for root in _STARTED_WITH for part in known)


def _shown(file: Path) -> str:
    here = Path.cwd()
    return str(file.relative_to(here)) if file.is_relative_to(here) else str(file)
