"""Enumerated calls that were not refuted: one line each, in one file of their library."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mechanisms.external.results import compact
from mechanisms.external.walks.steps import call_name

NAME = "enumerated.jsonl"
_KEPT = ("verdict", "epsilon_lower", "rho_lower", "detectable_epsilon", "samples", "seed")


def enumerated(folder: Path) -> list[dict[str, Any]]:
    """The lines of a library, by name; none where none were kept.

    A name is made of the words of its call, so no line says it again.

    Args:
        folder: of the library, which has its name.
    """
    path = folder / NAME
    text = path.read_text("utf-8") if path.exists() else ""
    lines = [json.loads(line) for line in text.split("\n") if line]
    return [{"mechanism": call_name(folder.name, line["call"]), **line} for line in lines]


def keep_line(folder: Path, result: Mapping[str, Any]) -> None:
    """Put a result among those of its library, in place of an earlier one of its name.

    A refuted call has its numbers and its report with those that were written by hand, so
    that every call stands in one place; a line that it had is dropped.

    Args:
        folder: of the library.
        result: as `AuditResult.to_json` has it.
    """
    found = {one["mechanism"]: one for one in enumerated(folder)}
    found.pop(result["mechanism"], None)
    if result["verdict"] != "violation":
        found[result["mechanism"]] = _line(result)
    folder.mkdir(parents=True, exist_ok=True)
    lines = (compact(_unnamed(found[name])) for name in sorted(found))
    (folder / NAME).write_text("".join(f"{line}\n" for line in lines), "utf-8")


def _unnamed(line: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in line.items() if key != "mechanism"}


def _line(result: Mapping[str, Any]) -> dict[str, Any]:
    """The call, its claim, its verdict, its bound and power."""
    line = {
        "mechanism": result["mechanism"],
        "call": result["parameters"]["call"],
        "claim": result["claim"],
        "relation": result["relation"],
        **{key: _rounded(result[key]) for key in _KEPT if key in result},
    }
    if result["leaks"]:
        line["leak"] = str(result["leaks"][0]["event"])
    return line


def _rounded(value: Any) -> Any:
    return float(f"{value:.4g}") if isinstance(value, float) else value
