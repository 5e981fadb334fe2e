"""What the lowest versions are tried with is what pyproject.toml promises."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
LOWEST = (ROOT / "tests" / "lowest.txt").read_text("utf-8")
EXTRAS = ("sql", "postgresql", "http", "parquet", "cluster", "test")
"""What is tried beside the package itself; adapters of libraries have bounds of their own."""
NOT_TRIED = {"mypy", "ruff", "dp-audit"}
"""They read the code and don't meet it; and the package itself."""


def bounds(requirements: Iterable[str]) -> dict[str, str]:
    """The lower bound of each requirement by name."""
    found = {}
    for requirement in requirements:
        name = re.match(r"[\w-]+", requirement)
        bound = re.search(r">=([\d.]+)", requirement)
        assert name is not None
        found[name[0]] = bound[1] if bound else ""
    return found


def test_every_requirement_has_a_lower_bound() -> None:
    groups = {"": PROJECT["dependencies"], **PROJECT["optional-dependencies"]}
    missing = [
        (group, name)
        for group, requirements in groups.items()
        for name, bound in bounds(requirements).items()
        if not bound and name != "dp-audit"
    ]
    assert missing == []


def test_the_lowest_versions_are_the_lower_bounds() -> None:
    extras = (PROJECT["optional-dependencies"][extra] for extra in EXTRAS)
    promised = bounds([*PROJECT["dependencies"], *(one for extra in extras for one in extra)])
    pinned = dict(re.findall(r"^([\w-]+)==([\d.]+)$", LOWEST, flags=re.MULTILINE))
    tried = {name: bound for name, bound in promised.items() if name not in NOT_TRIED}
    assert pinned == tried
