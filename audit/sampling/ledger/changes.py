"""What makes a target the same one as at its last audit: code, dependencies, data, claim."""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any

from audit.case import Case, Settings
from audit.sampling.store.digest import digest_of
from audit.sampling.store.identity import identity_of

_ABOUT_ONE_AUDIT = ("seed", "alpha")
_FOREIGN = (
    *(Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib", "purelib", "platlib")),
    Path(__file__).parents[2],
)
"""Installed modules, and the auditor's own, which loads some of its files when they are needed."""


def unchanged(case: Case, settings: Settings) -> str:
    """A checksum that changes with everything that an audit's draws depend on, but its seed.

    A change that this cannot see (a program's own libraries, a service elsewhere) does not
    touch the guarantee, only which version an accusation is about: see `history`.
    """
    identity = identity_of(case, settings)
    same = {name: value for name, value in identity.items() if name not in _ABOUT_ONE_AUDIT}
    return digest_of([same, list(_sources(case.box)), _installed()])


def _installed() -> list[str]:
    """All distributions of this environment with their versions."""
    found = {f"{dist.name} {dist.version}" for dist in metadata.distributions()}
    return sorted(found)


def _sources(box: Any) -> Iterator[Path]:
    """The files of a project that a function uses, as far as its imports tell."""
    function = getattr(box, "function", None)
    name = getattr(function, "__module__", None) or type(function).__module__
    seen: dict[Path, None] = {}
    left = [sys.modules.get(name)]
    while left:
        module = left.pop()
        file = None if module is None else _own_file(module)
        if module is not None and file is not None and file not in seen:
            seen[file] = None
            left += _used_by(module)
    return iter(sorted(seen))


def _used_by(module: ModuleType) -> list[ModuleType | None]:
    """Modules that a module imports, or imports something from."""
    found: list[ModuleType | None] = []
    for value in vars(module).values():
        if isinstance(value, ModuleType):
            found.append(value)
        elif isinstance(name := getattr(value, "__module__", None), str):
            found.append(sys.modules.get(name))
    return found


def _own_file(module: ModuleType) -> Path | None:
    """The source of a module that is neither Python's own nor installed."""
    name = getattr(module, "__file__", None)
    file = None if name is None else Path(name)
    if file is None or not file.is_file() or any(map(file.is_relative_to, _FOREIGN)):
        return None
    return file
