"""A notebook's code run cell by cell, without a kernel."""

from __future__ import annotations

import ast
import io
import json
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Shown:
    """What a cell shows.

    Attributes:
        printed: on standard output.
        value: of the expression that ends it; None where there is none.
    """

    printed: str
    value: Any


def cells_of(path: Path) -> list[dict[str, Any]]:
    """The cells of a notebook, of any kind."""
    cells: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return cells


def sources_of(path: Path) -> list[str]:
    """The code of every cell that holds code."""
    return ["".join(cell["source"]) for cell in cells_of(path) if cell["cell_type"] == "code"]


def run(sources: list[str]) -> list[Shown]:
    """Run cells one after the other with the names of the earlier ones."""
    names: dict[str, Any] = {"__name__": "__main__"}
    return [_run(source, names) for source in sources]


def _run(source: str, names: dict[str, Any]) -> Shown:
    tree, value, written = ast.parse(source), None, io.StringIO()
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with redirect_stdout(written):
        exec(compile(tree, "cell", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    return Shown(written.getvalue(), value)
