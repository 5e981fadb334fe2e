"""Who may import whom: from left to right along the line of an audit, and nothing the other way."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import TopologicalSorter
from itertools import combinations
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LINE = (
    "errors",
    "claim",
    "declaration",
    "domain",
    "neighbors",
    "blackbox",
    "outcomes",
    "sampling",
    "events",
    "wealth",
    "result",
    "engine",
    "running",
    "report",
    "cli",
)
"""The stages in which data passes through an audit; other parts stand somewhere between them."""

DECLARING = {"audit.claim", "audit.declaration", "audit.errors"}
"""All that a mechanism may know of the auditor."""


def modules(package: str) -> Iterator[tuple[str, ast.Module]]:
    """Every module below a package with its syntax tree."""
    for path in sorted((ROOT / package).rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        yield name.removesuffix(".__init__"), ast.parse(path.read_text(encoding="utf-8"))


def imported(tree: ast.AST, *, later: bool) -> Iterator[str]:
    """What a module imports; `later` includes what is imported inside functions."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif later or not isinstance(node, (ast.FunctionDef, ast.If)):
            yield from imported(node, later=later)


def part(module: str) -> str:
    """The file or folder right below audit/ that a module belongs to."""
    return module.split(".")[1] if "." in module else ""


@cache
def graph() -> Mapping[str, set[str]]:
    """For each part of audit/, the others that it needs in order to be imported."""
    found: dict[str, set[str]] = {}
    for name, tree in modules("audit"):
        needed = {part(m) for m in imported(tree, later=False) if m.startswith("audit.")}
        found.setdefault(part(name), set()).update(needed)
    known = found.keys()
    return {name: {n for n in needs & known if n != name} for name, needs in found.items() if name}


def reached(start: str, edges: Mapping[str, set[str]]) -> set[str]:
    """All parts that come along when one is imported."""
    seen: set[str] = set()
    left = [start]
    while left:
        new = edges[left.pop()] - seen
        seen |= new
        left += new
    return seen


def test_parts_do_not_import_each_other_in_a_circle() -> None:
    assert len(list(TopologicalSorter(graph()).static_order())) == len(graph())


@pytest.mark.parametrize(("left", "right"), list(combinations(LINE, 2)))
def test_a_stage_knows_nothing_of_those_to_its_right(left: str, right: str) -> None:
    assert right not in reached(left, graph())


def test_every_stage_exists() -> None:
    assert set(LINE) <= graph().keys()


def test_the_command_line_and_the_test_plugin_do_not_know_each_other() -> None:
    edges = graph()
    assert "testing" not in reached("cli", edges)
    assert "cli" not in reached("testing", edges)


def test_the_search_knows_nothing_of_drawing_and_betting() -> None:
    reachable = reached("search", graph())
    assert reachable.isdisjoint({"sampling", "outcomes", "blackbox", "gambler", "fund", "store"})
    assert {"hunt", "edges", "shrink", "oracle"} <= reachable


def test_the_auditor_knows_no_mechanism() -> None:
    knowing = [
        name
        for name, tree in modules("audit")
        if any(m.partition(".")[0] == "mechanisms" for m in imported(tree, later=True))
    ]
    assert knowing == []


def test_mechanisms_know_of_the_auditor_only_how_to_declare_themselves() -> None:
    knowing = {
        (name, module)
        for name, tree in modules("mechanisms")
        for module in imported(tree, later=True)
        if not name.endswith("__main__")  # a program, which uses the auditor as anybody does
        and module.partition(".")[0] == "audit"
        and module not in DECLARING
        and module.rpartition(".")[0] not in DECLARING
    }
    assert knowing == set()


def test_an_import_to_the_left_would_be_found() -> None:
    edges = {"claim": {"files"}, "files": {"report"}, "report": set[str]()}
    assert "report" in reached("claim", edges)
    tree = ast.parse("def f():\n    import mechanisms.parts.noise\n")
    assert list(imported(tree, later=True)) == ["mechanisms.parts.noise"]
    assert list(imported(tree, later=False)) == []
