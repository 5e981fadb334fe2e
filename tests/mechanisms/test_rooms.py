"""Who in mechanisms/ may import whom: parts first, the catalogue last, no way back."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import mechanisms

ROOT = Path(mechanisms.__file__).parent
BELOW: dict[str, set[str]] = {
    "table": set(),
    "parts": set(),
    "external": set(),
    "systems": {"parts", "table"},
    "families": {"parts", "table"},
    "peers": {"parts", "table"},
    "catalog": {"systems", "families", "peers"},
    "__init__": {"catalog"},
}
"""Each room with those it may import; what is left out it may not."""


def needs(tree: ast.AST) -> Iterator[str]:
    """The rooms that a module imports something from, also inside functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "mechanisms":
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("mechanisms."):
            yield (node.module or "").split(".")[1]
        elif isinstance(node, ast.Import):
            names = (alias.name.split(".") for alias in node.names)
            yield from (name[1] for name in names if name[0] == "mechanisms" and len(name) > 1)


def room(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def test_every_file_is_in_a_room() -> None:
    assert {room(path) for path in ROOT.rglob("*.py")} == set(BELOW)


def test_a_room_imports_only_those_below_it() -> None:
    upward = {
        (str(path.relative_to(ROOT)), other)
        for path in ROOT.rglob("*.py")
        for other in needs(ast.parse(path.read_text(encoding="utf-8")))
        if other != room(path) and other not in BELOW[room(path)]
    }
    assert upward == set()


def test_an_import_upward_would_be_found() -> None:
    source = "def f():\n    from mechanisms import peers\n    import mechanisms.catalog\n"
    assert set(needs(ast.parse(source))) == {"peers", "catalog"}
