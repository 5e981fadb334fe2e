"""Settings of a project: [tool.audit] of its pyproject.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from audit.errors import InputError
from audit.validation import closest

FLAGS = (
    *("epsilon", "delta", "rho", "mu", "renyi", "profile", "relation"),
    *("data", "column", "records", "neighbor", "domain", "special", "search"),
    *("max-samples", "max-seconds", "until", "alpha", "bins", "seed", "workers", "timeout"),
    *("cluster", "store", "ledger", "null", "timing", "assume"),
    *("name", "format", "output", "report", "verbose", "quiet", "fail-on", "progress"),
)
"""Flags of the command line whose defaults may stand in the table."""
TESTS = ("max-samples-per-example",)
"""What only tests know."""


def settings_in(file: Path) -> dict[str, Any] | None:
    """The table of a project; None where there is no file or no table.

    Raises:
        InputError: the file cannot be read, or a key is not known.
    """
    try:
        document = tomllib.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise InputError(f"{file}: cannot be read as TOML: {error}", file) from None
    tool = document.get("tool", {})
    table = tool.get("audit") if isinstance(tool, dict) else None
    if not isinstance(table, dict | None):
        raise InputError(f"{file}: tool.audit is {table!r}, not a table; write [tool.audit]", table)
    for key in table or ():
        if key not in FLAGS + TESTS:
            known = sorted(FLAGS + TESTS)
            near = closest(key.replace("_", "-"), known)
            said = f"did you mean {near}?" if near else f"there are {', '.join(known)}"
            raise InputError(f"{where(file)} has an unknown key {key!r}; {said}", key)
    return table


def where(file: Path) -> str:
    """Name of the table of a file in messages."""
    return f"{file}: [tool.audit]"


def nearest(folder: Path) -> Path | None:
    """The pyproject.toml of a folder or of the first folder above it that has one."""
    places: Iterable[Path] = (folder, *folder.parents)
    return next((p / "pyproject.toml" for p in places if (p / "pyproject.toml").is_file()), None)
