"""Print each dependency of pyproject.toml at its lowest version, as constraints for pip."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

_BOUNDED = re.compile(r"(?P<name>[A-Za-z0-9._-]+)>=(?P<lowest>[0-9][0-9A-Za-z.]*)(,<[0-9.]+)?")


def lowest(requirements: list[str]) -> list[str]:
    """`name==version` for each; this project's own extras are none.

    Raises:
        SystemExit: one of them has no lower bound.
    """
    found = []
    for requirement in requirements:
        bounded = _BOUNDED.fullmatch(requirement)
        if bounded:
            found.append(f"{bounded['name']}=={bounded['lowest']}")
        elif not requirement.startswith("dp-audit["):
            sys.exit(f"{requirement!r} in pyproject.toml has no lower bound; write NAME>=VERSION")
    return found


project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
extras = project["optional-dependencies"]
tried = ("classifier", "sql", "parquet", "cluster", "test")
print("\n".join(lowest([*project["dependencies"], *(r for name in tried for r in extras[name])])))
