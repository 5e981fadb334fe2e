"""Cells of tables about libraries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_LONGEST = 160


def table(names: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown, with its names above it."""
    lines = [names, [":--"] * len(names), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines) + "\n"


def cell(text: object, longest: int = _LONGEST) -> str:
    """A text on one line, cut at its longest."""
    shown = str(text).replace("\n", " ").replace("|", "\\|")
    return shown if len(shown) <= longest else f"{shown[: longest - 1]}…"


def number(value: Any) -> str:
    """Three digits of a number, a dash where there is none."""
    return "–" if value is None else f"{value:.3g}" if isinstance(value, float) else str(value)


def claim(result: dict[str, Any]) -> str:
    """The claim and its relation."""
    told = {key: value for key, value in result["claim"].items() if key != "kind"}
    names = {"epsilon": "ε", "delta": "δ", "rho": "ρ"}
    shown = ", ".join(f"{names[key]} = {value:.4g}" for key, value in told.items() if value)
    return f"{shown}; {result['relation']}"


def linked(library: str, result: dict[str, Any]) -> str:
    """The name of a call, as a link to its report, and the call."""
    name = result["mechanism"]
    return f"[{name}]({library}/{name}.md): {cell(result['parameters']['call'], 200)}"


def witness(result: dict[str, Any]) -> str:
    """The neighbors, the event, and how likely it is on either side."""
    found = result["witness"]
    if not found:
        return ""
    small, event = cell(found["difference"]), cell(found["event"].get("description", ""))
    odds = f"{found['p']['estimate']:.3g} : {found['q']['estimate']:.3g}"
    return f"{small}; E: {event}; P[E] = {odds} ({found['direction']})"
