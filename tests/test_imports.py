"""Who may import whom: from left to right along the line of an audit, and nothing the other way."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[1]
LAYERS = (
    {"errors", "jsonable", "lazy_modules", "progress"},
    {"validation", "source_code", "relation"},
    {"claims"},
    {"blackbox", "neighbors"},
    {"declaration", "outcomes", "case"},
    {"sampling"},
    {"betting"},
    {"verdict"},
    {"diagnosis"},
    {"report"},
    {"engine", "canary"},
    {"frontends"},
    {"testing", "boxes", "domains", "__main__"},
)
"""Rooms from left to right: each may import from those before its own layer, and no other."""

FORBIDDEN = {("blackbox", "claims"), ("neighbors", "claims")}
"""What a room to the right must not know all the same."""

DECLARING = {"audit.claims", "audit.declaration", "audit.errors", "audit.relation"}
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
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue  # what only types need is not there when the program runs
        elif later or not isinstance(node, (ast.FunctionDef, ast.If)):
            yield from imported(node, later=later)


def part(module: str, below: int = 1) -> str:
    """What a module of audit/ belongs to, so many steps below the package; '' for that itself."""
    return ".".join(module.split(".")[1 : below + 1])


def edges(*, below: int = 1) -> Mapping[str, set[str]]:
    """For each part of audit/, down to some depth, the others it takes anything from."""
    found: dict[str, set[str]] = {}
    for name, tree in modules("audit"):
        own = part(name, below)
        needed = {part(m, below) for m in imported(tree, later=True) if m.startswith("audit.")}
        found.setdefault(own, set()).update(needed - {own, ""})
    known = found.keys()
    return {name: needs & known for name, needs in found.items() if name}


def reached(start: str, graph: Mapping[str, set[str]]) -> set[str]:
    """All parts that come along when one is imported."""
    seen: set[str] = set()
    left = [start]
    while left:
        new = graph[left.pop()] - seen
        seen |= new
        left += new
    return seen


def layer(room: str) -> int:
    return next(place for place, rooms in enumerate(LAYERS) if room in rooms)


def wrong(graph: Mapping[str, set[str]]) -> set[tuple[str, str]]:
    """Imports that the layers do not allow."""
    taken = {(room, other) for room, others in graph.items() for other in others}
    return {(a, b) for a, b in taken if layer(b) >= layer(a)} | (taken & FORBIDDEN)


def test_rooms_import_from_left_to_right_only() -> None:
    assert wrong(edges()) == set()


def test_every_room_has_its_layer_and_every_layer_its_rooms() -> None:
    assert edges().keys() == set().union(*LAYERS)


def test_no_files_import_each_other_in_a_circle() -> None:
    graph = edges(below=9)
    assert len(list(TopologicalSorter(graph).static_order())) == len(graph)


def test_the_command_line_and_the_test_plugin_do_not_know_each_other() -> None:
    graph = edges(below=2)
    assert "frontends.testing" not in reached("frontends.cli", graph)
    assert "frontends.cli" not in reached("frontends.testing", graph)


def test_the_search_knows_nothing_of_drawing_and_betting() -> None:
    graph = edges(below=2)
    held = {room for room in reached("neighbors.search", graph) if room != "neighbors"}
    assert {room.partition(".")[0] for room in held} <= {
        "neighbors",
        *LAYERS[0],
        *LAYERS[1],
    }


def test_fresh_instances_know_nothing_of_units() -> None:
    graph = edges(below=2)
    held = reached("sampling.independence", graph)
    assert {room for room in held if room.partition(".")[0] == "sampling"} == set()


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
    graph = {"claims": {"relation"}, "relation": {"report"}, "report": set[str]()}
    assert "report" in reached("claims", graph)
    assert wrong(graph) == {("relation", "report")}
    assert wrong({"blackbox": {"claims"}, "claims": set()}) == {("blackbox", "claims")}
    tree = ast.parse("def f():\n    import mechanisms.parts.noise\n")
    assert list(imported(tree, later=True)) == ["mechanisms.parts.noise"]
    assert list(imported(tree, later=False)) == []
